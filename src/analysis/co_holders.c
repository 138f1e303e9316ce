/* A breadth-first search backward, from the second dominator of a segment to the first. It visits
   only the nodes right below the first dominator in the tree: an edge from one's subtree into
   another's leads to the root of that, since it would be no dominator else. */
#include "analysis/path_dominators.h"

#include "base/bits.h"
#include "base/bound.h"
#include "base/mem.h"
#include "heap/heap.h"

#include <stdlib.h>

enum { STEP = 4096 };
/* How many nodes ahead things are prefetched, of how many referrers. */
enum { AHEAD_SEEN = 8, AHEAD_ABOVE = 4, FEW = 6 };

bool co_holders_exists(struct path_dominators *chain, size_t path_dominator)
{
	uint32_t above;
	struct predecessors predecessors;
	predecessors_start(&predecessors, chain->dominators, chain->reach,
	                   chain->item[path_dominator].node);
	while (predecessors_next(&predecessors, &above))
		if (above != chain->item[path_dominator - 1].node
		    && path_dominators_deepest(chain, above) == path_dominator - 1)
			return true;
	return false;
}

struct search {
	struct path_dominators *chain;
	size_t from; /* index of the first dominator */
	struct co_holders *co_holders;
	uint64_t *seen; /* bits by node */
	uint32_t *queue;
	size_t count, capacity;
};

/* Returns the immediate dominator of a node, without root classes. */
static uint32_t co_holders_above(const struct dominators *d, uint32_t node)
{
	do
		node = dominators_above(d, node);
	while (node >= d->root && node != d->root && root_nodes_is_flat_node(d->root_nodes, node));
	return node;
}

/* Visits the root of the subtree of a node. Each node of the subtree is passed once. What lies
   below the second dominator leads to that, which comes first. */
static void co_holders_visit(struct search *s, uint32_t node)
{
	const struct dominators *d = s->chain->dominators;
	uint32_t first = s->chain->item[s->from].node, above;
	for (; node != d->root && word_bit_add(s->seen, node); node = above) {
		above = co_holders_above(d, node);
		if (above != first)
			continue;
		MEM_PUSH(s->queue, s->count, s->capacity, node);
		return;
	}
}

/* Visits the subtrees of the predecessors of a node right below the first dominator. If the first
   dominator is one of them, the node is a holder. */
static void co_holders_look_up(struct search *s, uint32_t node)
{
	uint32_t first = s->chain->item[s->from].node, end = s->chain->item[s->from + 1].node, above;
	struct predecessors predecessors;
	predecessors_start(&predecessors, s->chain->dominators, s->chain->reach, node);
	predecessors.skip = s->seen;
	while (predecessors_next(&predecessors, &above)) {
		if (above != first)
			co_holders_visit(s, above);
		else if (node == end)
			s->co_holders->directly = true;
		else
			MEM_PUSH(s->co_holders->holder, s->co_holders->count, s->co_holders->capacity, node);
	}
}

/* Prefetches for nodes that come soon: where their referrers are, these, what is known of them, and
   their dominators. */
static void co_holders_ahead(const struct search *s, const uint32_t *queue, size_t left)
{
	const struct dominators *d = s->chain->dominators;
	struct edges edges = heap_back_edges(d->root_nodes->heap);
	uint32_t objects = heap_object_count(d->root_nodes->heap);
	if (left <= EDGES_ROW_AHEAD || queue[EDGES_ROW_AHEAD] >= objects
	    || queue[EDGES_LIST_AHEAD] >= objects || queue[AHEAD_SEEN] >= objects
	    || queue[AHEAD_ABOVE] >= objects)
		return;
	edges_ahead(edges, queue, left);
	struct ids ids = edges_of(edges, queue[AHEAD_SEEN]);
	for (size_t i = 0; i < ids.count && i < FEW; i++)
		__builtin_prefetch(&s->seen[ids.id[i] / 64], 1);
	ids = edges_of(edges, queue[AHEAD_ABOVE]);
	for (size_t i = 0; i < ids.count && i < FEW; i++)
		if (!word_bit_is_set(s->seen, ids.id[i]))
			dominators_prefetch_above(d, ids.id[i]);
}

bool co_holders_find(struct path_dominators *chain, size_t path_dominator,
                     struct progress *progress, struct co_holders *co_holders)
{
	size_t size = chain->dominators->nodes / 8 + 8ULL;
	struct search s = {.chain = chain,
	                   .from = path_dominator - 1,
	                   .co_holders = co_holders,
	                   .seen = mem_column(size)};
	bool going_on = true;
	*co_holders = (struct co_holders){0};
	progress_begin(progress, "finding its owners", 0);
	co_holders_visit(&s, chain->item[path_dominator].node);
	for (size_t head = 0; head < s.count && going_on; head++) {
		co_holders_ahead(&s, s.queue + head, s.count - head);
		co_holders_look_up(&s, s.queue[head]);
		going_on = head % STEP != 0 || progress_step(progress, head);
	}
	bound_sort(co_holders->holder, co_holders->count, BOUND_ITSELF(uint32_t));
	mem_column_free(s.seen, size);
	free(s.queue);
	return going_on;
}

void co_holders_fini(struct co_holders *co_holders)
{
	free(co_holders->holder);
	*co_holders = (struct co_holders){0};
}

/* Returns true if a root belongs to a root node among the holders. */
static bool co_holders_is_held(const struct co_holders *co_holders, const struct dominators *d,
                               uint32_t root)
{
	uint32_t node = root_nodes_node(d->root_nodes, d->root_nodes->of_root[root]);
	for (; node != d->root; node = predecessors_root_node(d, node)) {
		size_t at =
			lower_bound(co_holders->holder, co_holders->count, BOUND_ITSELF(uint32_t), node);
		if (at < co_holders->count && co_holders->holder[at] == node)
			return true;
	}
	return false;
}

/* Removes the direct reference from the previous dominator to this one. */
static void take_reference(struct what_if *what_if, const struct path_dominators *chain,
                           size_t path_dominator)
{
	const struct root_nodes *root_nodes = chain->dominators->root_nodes;
	uint32_t from = chain->item[path_dominator - 1].node, to = chain->item[path_dominator].node;
	if (from < heap_object_count(root_nodes->heap)) {
		what_if_reference(what_if, from, to);
		return;
	}
	struct ids roots = reach_roots_of(chain->reach, to);
	for (size_t i = 0; i < roots.count; i++)
		if (root_nodes_node(root_nodes, root_nodes->of_root[roots.id[i]]) == from)
			what_if_root(what_if, roots.id[i]);
}

bool co_holders_freed(const struct path_dominators *chain, size_t path_dominator,
                      const struct co_holders *co_holders, struct progress *progress,
                      struct freed *freed)
{
	const struct dominators *d = chain->dominators;
	const struct heap *heap = d->root_nodes->heap;
	uint32_t objects = heap_object_count(heap);
	struct what_if *what_if = what_if_new(chain->reach);
	size_t count = co_holders->count;
	for (size_t i = 0; i < count && co_holders->holder[i] < objects; i++)
		what_if_object(what_if, co_holders->holder[i]);
	if (count && co_holders->holder[count - 1] >= objects)
		for (uint32_t root = 0; root < heap->root_count; root++)
			if (co_holders_is_held(co_holders, d, root))
				what_if_root(what_if, root);
	if (co_holders->directly)
		take_reference(what_if, chain, path_dominator);
	bool done = what_if_count(what_if, progress, freed);
	what_if_free(what_if);
	return done;
}
