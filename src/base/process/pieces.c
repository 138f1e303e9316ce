#include "pieces.h"

#include "regions.h"
#include "watch.h"

#include "base/mem.h"
#include "base/task.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/uio.h>

enum {
	PIECE = 1 << 20,
	PIECE_MS = 60000, /* long enough for a piece that is swapped out */
	SHARED = 8 << 20, /* less is copied before a second thread has begun */
};

/* What both threads use. Only the reading itself runs without the lock: it is nearly all of the
   time. */
struct copier {
	pthread_mutex_t lock;
	struct pieces *pieces;
	size_t next; /* the extent that the next piece is cut from */
	uint64_t at; /* what was cut from it */
};

void pieces_add(struct pieces *pieces, uint64_t address, uint64_t size, uint64_t offset)
{
	pieces->bytes += size;
	MEM_PUSH(pieces->extent, pieces->count, pieces->capacity,
	         (struct piece){address, offset, size});
}

/* Cuts the next piece from the extents. */
static struct piece copier_cut(struct copier *copier)
{
	const struct piece *extent = &copier->pieces->extent[copier->next];
	uint64_t at = copier->at, left = extent->size - at, size = left < PIECE ? left : PIECE;
	copier->at += size;
	if (size == left) {
		copier->next++;
		copier->at = 0;
	}
	return (struct piece){extent->address + at, extent->offset + at, size};
}

/* Sets the next piece, and the room for it in the staging memory or NULL. Returns false if none is
   left, or after an error. A thread that is stuck in the kernel is ended by the deadline of the
   last piece that was begun. */
static bool copier_take(struct copier *copier, struct piece *piece, uint8_t **room)
{
	struct pieces *pieces = copier->pieces;
	pthread_mutex_lock(&copier->lock);
	bool taken = !pieces->err->set && copier->next < pieces->count;
	if (taken) {
		*piece = copier_cut(copier);
		*room = staging_take(pieces->staging, piece->size);
		watch_allow(PIECE_MS);
	}
	pthread_mutex_unlock(&copier->lock);
	return taken;
}

/* Stages or writes bytes that were read; `got` < 0: the process has ended. Returns false with
 *err. */
static bool copier_put(struct copier *copier, const uint8_t *bytes, ssize_t got, uint64_t offset)
{
	struct pieces *p = copier->pieces;
	struct process_copy *copy = p->copy;
	pthread_mutex_lock(&copier->lock);
	bool done = got >= 0 ? staging_put(p->staging, bytes, (size_t)got, offset, p->err)
	                     : err_set(p->err, "%srocess %d has ended while its memory was copied",
	                               p->pid == copy->pid ? "P" : "The fork of p", (int)copy->pid);
	if (done) {
		copy->bytes += (uint64_t)got;
		done = progress_step(p->progress, copy->bytes)
		       || err_set(p->err, "Cancelled while the memory of the process was copied");
	}
	pthread_mutex_unlock(&copier->lock);
	return done;
}

/* Copies a piece. Skips pages that the kernel cannot read. */
static bool copier_copy(struct copier *copier, const struct piece *piece, uint8_t *to)
{
	for (uint64_t at = 0; at < piece->size;) {
		size_t size = piece->size - at;
		struct iovec here = {to + at, size},
					 there = {(void *)(uintptr_t)(piece->address + at), size};
		ssize_t got = process_vm_readv(copier->pieces->pid, &here, 1, &there, 1, 0);
		bool ended = got < 0 && errno == ESRCH;
		if ((got > 0 || ended) && !copier_put(copier, to + at, got, piece->offset + at))
			return false;
		at += got > 0 ? (uint64_t)got : REGION_PAGE;
	}
	return true;
}

/* Copies pieces until none is left. */
static void copier_run(void *self, struct progress *progress)
{
	struct copier *copier = self;
	struct piece piece;
	uint8_t *room, *own = mem_alloc(PIECE);
	(void)progress;
	while (copier_take(copier, &piece, &room) && copier_copy(copier, &piece, room ? room : own))
		;
	free(own);
}

/* Starts a second thread that runs no signal handler: these are meant for the thread that traces.
 */
static struct task *copier_start_second(struct copier *copier)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	struct task *second = task_start(copier_run, copier, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return second;
}

bool pieces_copy(struct pieces *pieces)
{
	struct copier copier = {.lock = PTHREAD_MUTEX_INITIALIZER, .pieces = pieces};
	/* Writing takes longer than reading, and two threads do not write faster to one file. */
	bool both = pieces->staging->memory && pieces->bytes > SHARED;
	struct task *second = both ? copier_start_second(&copier) : NULL;
	copier_run(&copier, NULL);
	task_end(second);
	return !pieces->err->set;
}

void pieces_free(struct pieces *pieces)
{
	free(pieces->extent);
}
