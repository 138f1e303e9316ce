/* Owners that are made once: part of analysis/owners.h. */
#include "analysis/owners.h"

#include "base/mem.h"
#include "base/task.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { MOMENT_MS = 10 };

/* The lock is held for moments only, so that whoever waits can be told to give up. */
struct owners_shared {
	pthread_mutex_t lock;
	bool making; /* one thread does; the others wait for what it finds */
	struct owners *owners[RETAIN_COUNT];
	uint64_t cpu; /* of those that are not in the index */
};

struct owners_shared *owners_shared_new(void)
{
	struct owners_shared *shared = mem_alloc(sizeof *shared);
	pthread_mutex_init(&shared->lock, NULL);
	return shared;
}

void owners_shared_free(struct owners_shared *shared)
{
	for (int retain = 0; retain < RETAIN_COUNT; retain++)
		owners_free(shared->owners[retain]);
	pthread_mutex_destroy(&shared->lock);
	free(shared);
}

/* Waits as long as another thread makes some. True: it is the caller's turn to make these. */
static bool take_turn(struct owners_shared *shared, enum retain retain, struct progress *progress)
{
	const struct timespec moment = {.tv_nsec = MOMENT_MS * 1000000L};
	bool mine = false;
	pthread_mutex_lock(&shared->lock);
	while (shared->making && !shared->owners[retain] && progress_step(progress, 0)) {
		pthread_mutex_unlock(&shared->lock);
		nanosleep(&moment, NULL);
		pthread_mutex_lock(&shared->lock);
	}
	if (!shared->making && !shared->owners[retain])
		mine = shared->making = true;
	pthread_mutex_unlock(&shared->lock);
	return mine;
}

static void end_turn(struct owners_shared *shared, enum retain retain, struct owners *made,
                     uint64_t cpu)
{
	pthread_mutex_lock(&shared->lock);
	shared->owners[retain] = made;
	shared->cpu += cpu;
	shared->making = false;
	pthread_mutex_unlock(&shared->lock);
}

const struct owners *owners_shared_get(struct owners_shared *shared,
                                       const struct dominators *dominators,
                                       const struct groups *groups, struct index_file *index,
                                       struct progress *progress)
{
	if (!take_turn(shared, dominators->retain, progress))
		return owners_shared_made(shared, dominators->retain);
	uint64_t cpu = 0, before = task_cpu();
	struct owners *made = owners_load(dominators, index);
	if (!made) {
		made = owners_new(dominators, groups, progress);
		cpu = task_cpu() - before;
	}
	end_turn(shared, dominators->retain, made, cpu);
	return made;
}

const struct owners *owners_shared_made(struct owners_shared *shared, enum retain retain)
{
	pthread_mutex_lock(&shared->lock);
	const struct owners *owners = shared->owners[retain];
	pthread_mutex_unlock(&shared->lock);
	return owners;
}

void owners_shared_save(struct owners_shared *shared, struct index_writer *writer)
{
	for (int retain = 0; retain < RETAIN_COUNT; retain++) {
		const struct owners *owners = owners_shared_made(shared, (enum retain)retain);
		if (owners)
			owners_save(owners, writer);
	}
	pthread_mutex_lock(&shared->lock);
	shared->cpu = 0;
	pthread_mutex_unlock(&shared->lock);
}

uint64_t owners_shared_cpu(struct owners_shared *shared)
{
	pthread_mutex_lock(&shared->lock);
	uint64_t cpu = shared->cpu;
	pthread_mutex_unlock(&shared->lock);
	return cpu;
}
