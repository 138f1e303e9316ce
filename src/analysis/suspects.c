/* A heaviest path of the dominator tree, below each of the owners that retain most. */
#include "analysis/suspects.h"

#include "analysis/kept.h"
#include "base/mem.h"
#include "base/plugin.h"

#include <stdlib.h>

enum { STEP = 1 << 16 };

/* Inserts an owner into the list of the biggest, sorted by retained bytes. */
static void suspects_keep(struct suspects *s, size_t most, const struct dominators *d,
                          uint32_t node)
{
	size_t at = s->count;
	while (at > 0 && dominators_bytes(d, s->suspect[at - 1].owner) < dominators_bytes(d, node))
		at--;
	if (at >= most)
		return;
	if (s->count < most)
		s->count++;
	for (size_t i = s->count - 1; i > at; i--)
		s->suspect[i] = s->suspect[i - 1];
	s->suspect[at] = (struct suspect){.owner = node, .accumulation_point = node};
}

struct suspects_search {
	const struct dominators *dominators;
	struct suspects *suspects;
	size_t most;
	uint32_t *largest; /* by node: 1 + the child that retains most; 0: none */
	struct progress *progress;
};

static bool suspects_look(struct suspects_search *s)
{
	const struct dominators *d = s->dominators;
	for (uint32_t node = 0; node < d->nodes; node++) {
		uint32_t idom = dominators_above(d, node);
		if (node % STEP == 0 && !progress_step(s->progress, node))
			return false;
		if (idom == OBJECT_NONE)
			continue;
		uint32_t largest = s->largest[idom];
		if (!largest || dominators_bytes(d, node) > dominators_bytes(d, largest - 1))
			s->largest[idom] = node + 1;
		if (dominators_is_topmost(d, node))
			suspects_keep(s->suspects, s->most, d, node);
	}
	return true;
}

static void go_down(const struct suspects_search *s, struct suspect *suspect)
{
	for (uint32_t next; (next = s->largest[suspect->accumulation_point]);) {
		double part = (double)dominators_bytes(s->dominators, next - 1);
		double whole = (double)dominators_bytes(s->dominators, suspect->accumulation_point);
		if (part * 100 < whole * SUSPECT_KEEPS) /* products may exceed 64 bits */
			break;
		suspect->accumulation_point = next - 1;
		suspect->steps++;
	}
}

/* Counts the children of each accumulation point. A bit filter on the last 6 bits of node numbers
   skips most nodes. */
static void count_parts(const struct dominators *d, struct suspects *s)
{
	uint64_t some = 0;
	for (size_t i = 0; i < s->count; i++)
		some |= UINT64_C(1) << s->suspect[i].accumulation_point % 64;
	for (uint32_t node = 0; node < d->nodes; node++) {
		uint32_t above = dominators_above(d, node);
		for (size_t i = 0; some >> above % 64 & 1 && i < s->count; i++)
			s->suspect[i].parts += above == s->suspect[i].accumulation_point;
	}
}

struct suspects *suspects_new(const struct dominators *dominators, size_t most,
                              struct progress *progress)
{
	struct suspects *suspects = mem_alloc(sizeof *suspects);
	size_t size = dominators->nodes * sizeof(uint32_t);
	struct suspects_search s = {dominators, suspects, most, mem_column(size), progress};
	suspects->suspect = mem_alloc((most + 1) * sizeof *suspects->suspect);
	progress_begin(progress, "finding where memory accumulates", dominators->nodes);
	bool done = suspects_look(&s);
	for (size_t i = 0; done && i < suspects->count; i++)
		go_down(&s, &suspects->suspect[i]);
	if (done)
		count_parts(dominators, suspects);
	mem_column_recycle(s.largest, size);
	if (!done)
		return suspects_free(suspects), NULL;
	return suspects;
}

void suspects_free(void *suspects)
{
	struct suspects *self = suspects;
	if (!self)
		return;
	free(self->suspect);
	free(self);
}

/* ---- Cached result */

enum { SUSPECTS = 8 };

static void *suspects_make(const struct analysis *analysis, enum retain retain,
                           struct progress *progress)
{
	return suspects_new(analysis_dominators(analysis, retain), SUSPECTS, progress);
}

static bool suspects_index(void *made, const struct index_io *io)
{
	struct suspects *suspects = made;
	return INDEX_ARRAY(io, "suspect", suspects->suspect, suspects->count);
}

const struct kept_kind suspects_kept = {
	.name = "suspects",
	.needs = STAGE_OWNED,
	.make = suspects_make,
	.free = suspects_free,
	.size = sizeof(struct suspects),
	.index = suspects_index,
};
PLUGIN(kept_kinds, suspects_kept);
