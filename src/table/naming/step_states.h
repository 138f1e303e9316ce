/* A cache of path expressions. All shortest paths through an object have the same expression up to
   that object, so each object is named once. The parts of expressions form a trie: each part refers
   to the one before it. */
#pragma once

#include "analysis/kept.h"
#include "base/map.h"
#include "table/contents/datum.h"

#include <pthread.h>

/* The state after a step: what the name of the next step depends on. */
struct step_state {
	struct datum from;     /* the value that points to the object whose field is named next */
	bool inner;            /* the last steps were inside a map, channel or sync.Map, */
	bool channel;          /* the last one from a channel to its buffer */
	bool entry;            /* the last step was an entry of a map, */
	bool box;              /* the last one from an entry of a sync.Map to the box of its value */
	bool silent;           /* the last step has no name */
	bool unsure;           /* the expression may lead to another object than the path */
	uint32_t part;         /* last part of the expression; 0: there is none */
	size_t tail, tail_len; /* range in `text`: name of the only step so far inside a container */
};

struct step_part {
	uint32_t before, count; /* the previous part, 0: none; number of parts up to this one */
	size_t text, len;       /* range in `text` */
	uint64_t times;         /* how often it is repeated */
};

struct step_states {
	pthread_mutex_t lock; /* callers of all functions below hold it */
	struct map of;        /* key of a step (step_path.c) -> index in state[] */
	struct step_state *state;
	struct step_part *part; /* part[0] is not used */
	struct buf text;
	size_t count, capacity, parts, part_capacity;
};

/* Returns the cache of an analysis, which owns it. After STAGE_TYPED. */
struct step_states *step_states_of(const struct analysis *analysis);

/* Returns the cached state; NULL: none. Valid until the next step_states_put. */
const struct step_state *step_states_get(const struct step_states *states, uint64_t key);
void step_states_put(struct step_states *states, uint64_t key, struct step_state state);
/* Empties the cache if it is large. No state or part obtained before is valid after that. */
void step_states_trim(struct step_states *states);

/* Appends a part after the part `last`, or repeats that one if the text is the same. Returns the
   new last part. */
uint32_t step_states_add(struct step_states *states, uint32_t last, const char *text, size_t len);
