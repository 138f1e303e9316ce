/* Folds the periods of chains in a prefix tree: where the labels on a path repeat with a period,
   the third time goes on in the nodes of the second. At the end these are merged into those of the
   first. It takes a whole period, not one label, to tell a chain from a thing that has another of
   its kind somewhere below. */
#include "analysis/merge_chain.h"

#include "analysis/merge_order.h"
#include "base/map.h"
#include "base/mem.h"
#include "heap/object_ids.h"

/* Returns true if the labels of `period` nodes, from one upwards, are those of as many above. */
static bool merge_chain_repeats(const struct merge_node *node, uint32_t at, uint32_t before,
                                uint32_t period)
{
	for (; period && before != OBJECT_NONE && node[at].label == node[before].label; period--) {
		at = node[at].parent;
		before = node[before].parent;
	}
	return !period;
}

/* Marks nodes with a period, from one upwards, unless one of them is part of another chain. */
static void merge_chain_mark(struct merge_node *node, uint32_t last, uint32_t period)
{
	bool other = false;
	for (uint32_t i = 0, at = last; i < period; i++, at = node[at].parent)
		other |= node[at].period && node[at].period != period;
	for (uint32_t i = 0, at = last; i < period && !other; i++, at = node[at].parent)
		node[at].period = period;
}

uint32_t merge_chain_link(struct merge_node *node, uint32_t above, uint32_t label)
{
	uint32_t first = node[above].parent;
	for (uint32_t period = 2; period <= MERGE_PERIOD_MOST && first != OBJECT_NONE; period++) {
		if (node[first].label == label
		    && merge_chain_repeats(node, above, node[first].parent, period)) {
			merge_chain_mark(node, above, period);
			return first;
		}
		first = node[first].parent;
	}
	return OBJECT_NONE;
}

/* Returns by node of the second time that of the first; of others, itself. */
static uint32_t *merge_chain_first(const struct merged_paths *paths)
{
	uint32_t *first = mem_alloc((paths->count + 1) * sizeof *first);
	for (uint32_t i = 0; i < paths->count; i++) {
		first[i] = i;
		for (uint32_t up = paths->node[i].period; up; up--)
			first[i] = paths->node[first[i]].parent;
	}
	return first;
}

/* Adds what is at a node to another one. */
static void merge_chain_add(struct merge_node *to, const struct merge_node *from,
                            const uint32_t *steps)
{
	uint32_t old = to->example, new = from->example;
	if (old == OBJECT_NONE || steps[new] < steps[old] || (steps[new] == steps[old] && new < old))
		to->example = new;
	to->links += from->period ? from->members : from->links;
	to->period = from->period ? from->period : to->period;
	to->members += from->members;
	to->here += from->here;
	to->own_bytes += from->own_bytes;
}

uint32_t *merge_chain_fold(struct merged_paths *paths, struct merge_node *top,
                           const uint32_t *steps)
{
	size_t count = paths->count;
	uint32_t *place = merge_chain_first(paths);
	SCOPED_MAP by_label = {0}; /* new parent and label -> new node */
	paths->count = 0;
	top->first = top->below = 0;
	for (uint32_t i = 0; i < count; i++) {
		const struct merge_node from = paths->node[i];
		uint32_t parent = from.parent == OBJECT_NONE ? OBJECT_NONE : place[from.parent];
		uint64_t key = (uint64_t)parent << 32 | from.label, at = paths->count;
		if (place[i] != i)
			at = place[place[i]];
		else if (map_add(&by_label, key, &at))
			merge_order_add(paths, top, parent, from.label); /* in place of one looked at */
		place[i] = (uint32_t)at;
		merge_chain_add(&paths->node[at], &from, steps);
	}
	return place;
}
