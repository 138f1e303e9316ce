/* Owners that are made once: part of analysis/owners.h. */
#include "analysis/owners.h"

#include "base/mem.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { MOMENT_MS = 10 };

/* The lock is held for moments only, so that whoever waits can be told to give up. */
struct owners_shared {
	pthread_mutex_t lock;
	bool making; /* one thread does; the others wait for what it finds */
	struct owners *owners[RETAIN_COUNT];
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

static void end_turn(struct owners_shared *shared, enum retain retain, struct owners *made)
{
	pthread_mutex_lock(&shared->lock);
	shared->owners[retain] = made;
	shared->making = false;
	pthread_mutex_unlock(&shared->lock);
}

const struct owners *owners_shared_get(struct owners_shared *shared,
                                       const struct dominators *dominators,
                                       const struct groups *groups, struct progress *progress)
{
	if (!take_turn(shared, dominators->retain, progress))
		return owners_shared_made(shared, dominators->retain);
	struct owners *made = owners_new(dominators, groups, progress);
	end_turn(shared, dominators->retain, made);
	return made;
}

const struct owners *owners_shared_made(struct owners_shared *shared, enum retain retain)
{
	pthread_mutex_lock(&shared->lock);
	const struct owners *owners = shared->owners[retain];
	pthread_mutex_unlock(&shared->lock);
	return owners;
}
