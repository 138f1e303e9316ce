#include "step_states.h"

#include "base/mem.h"
#include "base/plugin.h"

#include <stdlib.h>
#include <string.h>

enum { STEP_STATES_MOST = 1 << 19 };

static void *step_states_make(const struct analysis *analysis, enum retain retain,
                              struct progress *progress)
{
	struct step_states *states = mem_alloc(sizeof *states);
	(void)analysis, (void)retain, (void)progress;
	pthread_mutex_init(&states->lock, NULL);
	return states;
}

static void step_states_free(void *made)
{
	struct step_states *states = made;
	pthread_mutex_destroy(&states->lock);
	map_free(&states->of);
	free(states->state);
	free(states->part);
	buf_free(&states->text);
	free(states);
}

DEFINE_PLUGIN(kept_kinds, struct kept_kind, step_states_kept) = {
	.needs = STAGE_TYPED,
	.make = step_states_make,
	.free = step_states_free,
};

/* Unlike other cached results, this one still changes, protected by its own lock. */
struct step_states *step_states_of(const struct analysis *analysis)
{
	return (struct step_states *)(uintptr_t)analysis_kept(analysis, &step_states_kept, RETAIN_ALIVE,
	                                                      NULL);
}

const struct step_state *step_states_get(const struct step_states *states, uint64_t key)
{
	uint64_t found;
	return map_get(&states->of, key, &found) ? &states->state[found] : NULL;
}

void step_states_put(struct step_states *states, uint64_t key, struct step_state state)
{
	states->state =
		mem_grow(states->state, states->count, &states->capacity, sizeof *states->state);
	map_put(&states->of, key, states->count);
	states->state[states->count++] = state;
}

void step_states_trim(struct step_states *states)
{
	if (states->count < STEP_STATES_MOST && states->parts < STEP_STATES_MOST)
		return;
	map_free(&states->of);
	states->of = (struct map){0};
	states->count = states->parts = 0;
	buf_clear(&states->text);
}

uint32_t step_states_add(struct step_states *states, uint32_t last, const char *text, size_t len)
{
	struct step_part part = {.before = last, .text = states->text.len, .len = len, .times = 1};
	states->part =
		mem_grow(states->part, states->parts + 1, &states->part_capacity, sizeof *states->part);
	states->parts += states->parts == 0; /* index 0 means none */
	const struct step_part *before = last ? &states->part[last] : NULL;
	if (before && before->len == len && memcmp(states->text.data + before->text, text, len) == 0) {
		part = *before;
		part.times++;
	} else {
		part.count = before ? before->count + 1 : 1;
		buf_add_bytes(&states->text, text, len);
	}
	states->part[states->parts] = part;
	return (uint32_t)states->parts++;
}
