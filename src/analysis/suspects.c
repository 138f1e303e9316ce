#include "analysis/suspects.h"

#include "analysis/kept.h"
#include "base/mem.h"
#include "base/plugin.h"

#include <stdlib.h>

enum { STEP = 1 << 16 };

static enum root_node_kind suspects_kind_of(const struct dominators *d, uint32_t node)
{
	uint32_t root_node = root_nodes_of_node(d->root_nodes, node);
	return root_node == UINT32_MAX ? ROOT_NODE_KINDS
	                               : (enum root_node_kind)d->root_nodes->root_node[root_node].kind;
}

bool dominators_is_owner(const struct dominators *dominators, uint32_t node)
{
	uint32_t idom = dominators_above(dominators, node);
	if (idom == OBJECT_NONE || suspects_kind_of(dominators, node) == ROOT_NODE_CLASS)
		return false;
	enum root_node_kind above = suspects_kind_of(dominators, idom);
	return above == ROOT_NODE_ALL || above == ROOT_NODE_CLASS;
}

/* The owners that retain most, kept in order as they are found. */
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

/* By node: the one immediately below it that retains most. */
static bool find_largest(const struct dominators *d, uint32_t *largest, struct progress *progress)
{
	for (uint32_t node = 0; node < d->nodes; node++)
		largest[node] = OBJECT_NONE;
	for (uint32_t node = 0; node < d->nodes; node++) {
		uint32_t idom = dominators_above(d, node);
		if (node % STEP == 0 && !progress_step(progress, node))
			return false;
		if (idom != OBJECT_NONE
		    && (largest[idom] == OBJECT_NONE
		        || dominators_bytes(d, node) > dominators_bytes(d, largest[idom])))
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
	for (uint32_t next = largest[suspect->accumulation_point]; next != OBJECT_NONE;
	     next = largest[next]) {
		if (!keeps_nearly_all(dominators_bytes(d, next),
		                      dominators_bytes(d, suspect->accumulation_point)))
			break;
		suspect->accumulation_point = next;
		suspect->steps++;
	}
}

static void count_parts(const struct dominators *d, struct suspects *s)
{
	for (uint32_t node = 0; node < d->nodes; node++)
		for (size_t i = 0; i < s->count; i++)
			s->suspect[i].parts += dominators_above(d, node) == s->suspect[i].accumulation_point;
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
			suspects_keep(suspects, most, dominators, node);
	for (size_t i = 0; done && i < suspects->count; i++)
		go_down(dominators, largest, &suspects->suspect[i]);
	if (done)
		count_parts(dominators, suspects);
	mem_column_free(largest, size);
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

/* ---- Made once */

enum { SUSPECTS = 8 };

static void *suspects_make(const struct analysis *analysis, enum retain retain,
                           struct progress *progress)
{
	return suspects_new(analysis_dominators(analysis, retain), SUSPECTS, progress);
}

static void suspects_save(const void *made, enum retain retain, struct index_writer *writer)
{
	const struct suspects *suspects = made;
	(void)retain;
	index_put(writer, "suspects", suspects->suspect, suspects->count * sizeof *suspects->suspect);
}

static void *suspects_load(const struct analysis *analysis, enum retain retain,
                           struct index_file *file)
{
	struct suspects *suspects = mem_alloc(sizeof *suspects);
	(void)analysis, (void)retain;
	suspects->suspect = index_array(file, "suspects", sizeof *suspects->suspect, &suspects->count);
	if (suspects->suspect)
		return suspects;
	free(suspects);
	return NULL;
}

const struct kept_kind suspects_kept = {
	.needs = STAGE_OWNED,
	.make = suspects_make,
	.free = suspects_free,
	.save = suspects_save,
	.load = suspects_load,
};
PLUGIN(kept_kinds, suspects_kept);
