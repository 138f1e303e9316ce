/* A trie of names: what is said up to each object of shortest paths, which have their beginnings in
   common. So each object is named once, however long the paths below it are. */
#ifndef TABLE_STEP_STATES_H
#define TABLE_STEP_STATES_H

#include "analysis/kept.h"
#include "base/map.h"
#include "table/datum.h"

#include <pthread.h>

/* Behind a step. */
struct step_state {
	struct datum from; /* the value that leads to the object whose field is named next */
	bool inner;        /* the last steps were the runtime's own, */
	bool channel;      /* from a channel to its buffer */
	bool entry;        /* the last step was an entry of a map, */
	bool box;          /* the last one to what a sync.Map keeps behind a key: not yet its value */
	bool silent;       /* the last step has no name */
	bool unsure;       /* the text may lead to another object than the path */
	uint32_t part;     /* the last part of the text; 0: there is none */
	size_t tail, tail_len; /* in the text of all: the only step yet within a map or channel */
};

struct step_part {
	uint32_t before, count; /* the part before it; so many with this one */
	size_t text, len;       /* in the text of all */
	uint64_t times;         /* that it stands there, one after the other */
};

struct step_states {
	pthread_mutex_t lock; /* to be held by whoever uses it */
	struct map of;        /* by object and whether its path begins with a gap: 1 + state */
	struct step_state *state;
	struct step_part *part;
	struct buf text;
	size_t count, capacity, parts, part_capacity;
};

/* Those of an analysis, after STAGE_TYPED. */
struct step_states *step_states_of(const struct analysis *analysis);

/* NULL: there is none yet. Valid until the next call. */
const struct step_state *step_states_get(const struct step_states *states, uint64_t key);
void step_states_put(struct step_states *states, uint64_t key, struct step_state state);
/* Forgets all, once there are many; so nothing points at any across calls. */
void step_states_trim(struct step_states *states);

/* The parts with one more behind the part `last`, or with that once more, where it is the same. */
uint32_t step_states_add(struct step_states *states, uint32_t last, const char *text, size_t len);

#endif
