/* Owners that are made once: part of analysis/owners.h. */
#include "analysis/owners.h"

#include "base/mem.h"

#include <pthread.h>
#include <stdlib.h>

struct owners_shared {
	pthread_mutex_t lock;
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

const struct owners *owners_shared_get(struct owners_shared *shared,
                                       const struct dominators *dominators,
                                       const struct groups *groups, struct progress *progress)
{
	pthread_mutex_lock(&shared->lock);
	struct owners **owners = &shared->owners[dominators->retain];
	if (!*owners)
		*owners = owners_new(dominators, groups, progress);
	pthread_mutex_unlock(&shared->lock);
	return *owners;
}

const struct owners *owners_shared_made(struct owners_shared *shared, enum retain retain)
{
	if (pthread_mutex_trylock(&shared->lock))
		return NULL;
	const struct owners *owners = shared->owners[retain];
	pthread_mutex_unlock(&shared->lock);
	return owners;
}
