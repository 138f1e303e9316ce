#include "analysis/suspects.h"

#include "base/mem.h"

#include <stdlib.h>

enum { STEP = 1 << 16 };

static enum anchor_kind kind_of(const struct dominators *d, uint32_t node)
{
	uint32_t anchor = anchors_of_node(d->anchors, node);
	return anchor == UINT32_MAX ? ANCHOR_KINDS : (enum anchor_kind)d->anchors->anchor[anchor].kind;
}

bool dominators_is_owner(const struct dominators *dominators, uint32_t node)
{
	uint32_t idom = dominators->idom[node];
	if (idom == OBJECT_NONE || kind_of(dominators, node) == ANCHOR_STRENGTH)
		return false;
	enum anchor_kind above = kind_of(dominators, idom);
	return above == ANCHOR_ALL || above == ANCHOR_STRENGTH;
}

/* The owners that retain most, kept in order as they are found. */
static void keep(struct suspects *s, size_t most, const struct dominators *d, uint32_t node)
{
	size_t at = s->count;
	while (at > 0 && d->bytes[s->suspect[at - 1].owner] < d->bytes[node])
		at--;
	if (at >= most)
		return;
	if (s->count < most)
		s->count++;
	for (size_t i = s->count - 1; i > at; i--)
		s->suspect[i] = s->suspect[i - 1];
	s->suspect[at] = (struct suspect){.owner = node, .point = node};
}

/* By node: the one immediately below it that retains most. */
static bool find_largest(const struct dominators *d, uint32_t *largest, struct progress *progress)
{
	for (uint32_t node = 0; node < d->nodes; node++)
		largest[node] = OBJECT_NONE;
	for (uint32_t node = 0; node < d->nodes; node++) {
		uint32_t idom = d->idom[node];
		if (node % STEP == 0 && !progress_step(progress, node))
			return false;
		if (idom != OBJECT_NONE
		    && (largest[idom] == OBJECT_NONE || d->bytes[node] > d->bytes[largest[idom]]))
			largest[idom] = node;
	}
	return true;
}

static bool keeps_nearly_all(uint64_t part, uint64_t whole)
{
	return (double)part * 100 >= (double)whole * SUSPECT_KEEPS; /* products may not fit 64 bits */
}

static void go_down(const struct dominators *d, const uint32_t *largest, struct suspect *suspect)
{
	for (uint32_t next = largest[suspect->point]; next != OBJECT_NONE; next = largest[next]) {
		if (!keeps_nearly_all(d->bytes[next], d->bytes[suspect->point]))
			break;
		suspect->point = next;
		suspect->steps++;
	}
}

static void count_parts(const struct dominators *d, struct suspects *s)
{
	for (uint32_t node = 0; node < d->nodes; node++)
		for (size_t i = 0; i < s->count; i++)
			s->suspect[i].parts += d->idom[node] == s->suspect[i].point;
}

struct suspects *suspects_new(const struct dominators *dominators, size_t most,
                              struct progress *progress)
{
	struct suspects *suspects = mem_alloc(sizeof *suspects);
	size_t size = dominators->nodes * sizeof(uint32_t);
	uint32_t *largest = mem_column(size);
	suspects->suspect = mem_alloc((most + 1) * sizeof *suspects->suspect);
	progress_begin(progress, "looking where memory piles up", dominators->nodes);
	bool done = find_largest(dominators, largest, progress);
	for (uint32_t node = 0; done && node < dominators->nodes; node++)
		if (dominators_is_owner(dominators, node))
			keep(suspects, most, dominators, node);
	for (size_t i = 0; done && i < suspects->count; i++)
		go_down(dominators, largest, &suspects->suspect[i]);
	if (done)
		count_parts(dominators, suspects);
	mem_column_free(largest, size);
	if (!done)
		return suspects_free(suspects), NULL;
	return suspects;
}

void suspects_free(struct suspects *suspects)
{
	if (!suspects)
		return;
	free(suspects->suspect);
	free(suspects);
}
