/* A counting sort by depth whose items are families: all children of a node get their places at
   once, in the order of their parents, so that only siblings are compared. */
#include "analysis/merge_order.h"

#include "base/mem.h"
#include "heap/object_ids.h"

#include <stdlib.h>

enum { SMALL = 8, AHEAD = 8 };

uint32_t merge_order_add(struct merged_paths *paths, struct merge_node *top, uint32_t parent,
                         uint32_t label)
{
	struct merge_node *above = parent == OBJECT_NONE ? top : &paths->node[parent];
	paths->node[paths->count] = (struct merge_node){
		.parent = parent,
		.label = label,
		.next = above->first,
		.depth = parent == OBJECT_NONE ? 0 : above->depth + 1,
		.example = OBJECT_NONE,
	};
	above->below++;
	above->first = (uint32_t)++paths->count;
	return (uint32_t)paths->count - 1;
}

struct orderer {
	struct merge_node *from, *to;
	uint32_t *place;    /* by node: its new number */
	uint32_t *next;     /* by depth: the place of its next node */
	uint32_t *siblings; /* the children of one node */
};

static int merge_most_first(const void *a, const void *b, void *nodes)
{
	const struct merge_node *all = nodes;
	const struct merge_node *x = &all[*(const uint32_t *)a], *y = &all[*(const uint32_t *)b];
	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	return x->example < y->example ? -1 : x->example > y->example;
}

/* Sorts siblings: a few by insertion. */
static void sort_siblings(const struct orderer *o, uint32_t count)
{
	uint32_t *sibling = o->siblings;
	if (count > SMALL)
		qsort_r(sibling, count, sizeof *sibling, merge_most_first, o->from);
	for (uint32_t i = 1; i < count && count <= SMALL; i++) {
		uint32_t node = sibling[i], at = i;
		for (; at > 0 && merge_most_first(&node, &sibling[at - 1], o->from) < 0; at--)
			sibling[at] = sibling[at - 1];
		sibling[at] = node;
	}
}

/* Moves the children of a node to their places. Returns the first place. */
static uint32_t place_family(const struct orderer *o, const struct merge_node *above,
                             uint32_t parent, uint32_t depth)
{
	uint32_t count = 0, first = o->next[depth];
	for (uint32_t at = above->first; at; at = o->from[at - 1].next)
		o->siblings[count++] = at - 1;
	sort_siblings(o, count);
	for (uint32_t i = 0; i < count; i++) {
		struct merge_node *to = &o->to[first + i];
		*to = o->from[o->siblings[i]];
		to->parent = parent;
		to->next = 0;
		o->place[o->siblings[i]] = first + i;
	}
	o->next[depth] += count;
	return first;
}

static void count_depths(const struct orderer *o, size_t count)
{
	for (size_t i = 0; i < count; i++)
		o->next[o->from[i].depth + 1]++;
	for (size_t depth = 0; depth < count; depth++)
		o->next[depth + 1] += o->next[depth];
}

/* The places of families, and children, are scattered in memory. */
static void family_ahead(const struct orderer *o, size_t node, size_t count)
{
	if (count - node > 2 * AHEAD && o->from[node + 2 * AHEAD].first)
		__builtin_prefetch(&o->from[o->from[node + 2 * AHEAD].first - 1]);
	if (count - node <= AHEAD || !o->from[node + AHEAD].first)
		return;
	__builtin_prefetch(&o->to[o->next[o->from[node + AHEAD].depth + 1]], 1);
	__builtin_prefetch(&o->to[o->place[node + AHEAD]], 1);
}

uint32_t *merge_order(struct merged_paths *paths, size_t room, const struct merge_node *top)
{
	size_t count = paths->count;
	struct orderer o = {.from = paths->node,
	                    .to = mem_column_whole(count * sizeof *o.to),
	                    .place = mem_alloc((count + 1) * sizeof *o.place),
	                    .next = mem_alloc((count + 2) * sizeof *o.next),
	                    .siblings = mem_alloc((count + 1) * sizeof *o.siblings)};
	count_depths(&o, count);
	place_family(&o, top, OBJECT_NONE, 0);
	for (size_t i = 0; i < count; i++) {
		family_ahead(&o, i, count);
		if (!o.from[i].first)
			continue;
		struct merge_node *node = &o.to[o.place[i]];
		node->first = place_family(&o, &o.from[i], o.place[i], o.from[i].depth + 1);
	}
	paths->topmost = top->below;
	mem_column_free(paths->node, room * sizeof *paths->node);
	paths->node = o.to;
	free(o.next);
	free(o.siblings);
	return o.place;
}
