/* A breadth-first search backward, from the second dominator of a segment to the first. It visits
   only the nodes right below the first dominator in the tree: an edge from one's subtree into
   another's leads to the root of that, since it would be no dominator else.

   In turn with it goes a search forward, from one successor of the first dominator after the other,
   until it meets what the search backward has seen, and the successor is a holder, or ends, and it
   is none. Which of the two ends first depends on the heap: there may be few ways back, or few
   objects that do not lead to the second dominator. */
#include "analysis/path_dominators.h"

#include "base/bits.h"
#include "base/bound.h"
#include "base/mem.h"
#include "heap/heap.h"

#include <stdlib.h>

enum { STEP = 4096 };
/* How many nodes ahead things are prefetched, of how many referrers. */
enum { AHEAD_SEEN = 8, AHEAD_ABOVE = 4, FEW = 6 };
/* Steps forward for each step backward, which takes about as long. */
enum { FORWARD = 4 };

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

/* The nodes right below the first dominator that it references. */
struct candidates {
	uint32_t *node; /* ascending; the first are holders */
	size_t count, capacity, holders;
	size_t at;     /* the first that is not decided */
	uint64_t *met; /* bits by object: found by the search from it, or by one that has ended */
	uint32_t *queue;
	size_t head, queued, queue_capacity;
};

struct search {
	struct path_dominators *chain;
	size_t from; /* index of the first dominator */
	struct co_holders *co_holders;
	uint64_t *seen; /* bits by node */
	uint32_t *queue;
	size_t count, capacity;
	struct candidates candidates;
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

/* ---- The search forward */

/* Returns the objects that a node references itself. */
static struct ids candidates_below(const struct root_nodes *root_nodes, uint32_t node)
{
	uint32_t r = root_nodes_of_node(root_nodes, node);
	if (r == UINT32_MAX)
		return heap_references(root_nodes->heap, node);
	return (struct ids){root_nodes->target + root_nodes->row[r],
	                    root_nodes->row[r + 1] - root_nodes->row[r]};
}

/* Returns how many nodes candidates_begin looks at. */
static size_t candidates_cost(const struct search *s)
{
	const struct root_nodes *root_nodes = s->chain->dominators->root_nodes;
	uint32_t first = s->chain->item[s->from].node;
	return candidates_below(root_nodes, first).count
	       + (root_nodes_of_node(root_nodes, first) == UINT32_MAX ? 0 : root_nodes->count);
}

static void candidates_add(struct search *s, uint32_t node)
{
	struct candidates *c = &s->candidates;
	uint32_t first = s->chain->item[s->from].node, end = s->chain->item[s->from + 1].node;
	if (node != end && node != first && co_holders_above(s->chain->dominators, node) == first)
		MEM_PUSH(c->node, c->count, c->capacity, node);
}

static void candidates_begin(struct search *s)
{
	const struct dominators *d = s->chain->dominators;
	const struct root_nodes *root_nodes = d->root_nodes;
	uint32_t first = s->chain->item[s->from].node;
	struct ids ids = candidates_below(root_nodes, first);
	s->candidates.met = mem_alloc(heap_object_count(root_nodes->heap) / 8 + 8ULL);
	for (size_t i = 0; i < ids.count; i++)
		candidates_add(s, ids.id[i]);
	for (uint32_t r = 1; first >= d->root && r < root_nodes->count; r++)
		if (!root_nodes_is_flat(root_nodes, r)
		    && predecessors_root_node(d, root_nodes_node(root_nodes, r)) == first)
			candidates_add(s, root_nodes_node(root_nodes, r));
	bound_sort(s->candidates.node, s->candidates.count, BOUND_ITSELF(uint32_t));
}

/* Returns true if one of the objects leads to the second dominator; queues them. */
static bool candidates_meet(struct search *s, struct ids ids)
{
	struct candidates *c = &s->candidates;
	for (size_t i = 0; i < ids.count; i++) {
		uint32_t id = ids.id[i];
		if (id == s->chain->item[s->from].node) /* what it leads to does not count */
			continue;
		if (word_bit_is_set(s->seen, id))
			return true;
		if (word_bit_add(c->met, id))
			MEM_PUSH(c->queue, c->queued, c->queue_capacity, id);
	}
	return false;
}

/* Begins with the candidate itself; the root nodes below a root node follow it. */
static bool candidates_start(struct search *s, uint32_t node)
{
	const struct root_nodes *root_nodes = s->chain->dominators->root_nodes;
	uint32_t first = root_nodes_of_node(root_nodes, node), r = first;
	bool leads = word_bit_is_set(s->seen, node);
	if (first == UINT32_MAX)
		return leads || candidates_meet(s, (struct ids){&node, 1});
	do
		leads = leads || candidates_meet(s, candidates_below(root_nodes, node + r - first));
	while (++r < root_nodes->count && root_nodes->root_node[r].parent >= first && !leads);
	return leads;
}

static void candidates_decide(struct candidates *c, bool leads)
{
	uint32_t node = c->node[c->at++];
	for (size_t i = 0; i < c->queued && leads; i++)
		word_bit_clear(c->met, c->queue[i]);
	if (leads && (!c->holders || c->node[c->holders - 1] != node))
		c->node[c->holders++] = node;
	c->head = c->queued = 0;
}

/* Goes on with one node. Returns true once all candidates are decided. */
static bool candidates_step(struct search *s)
{
	struct candidates *c = &s->candidates;
	struct edges edges = heap_edges(s->chain->dominators->root_nodes->heap);
	bool leads;
	if (c->at == c->count)
		return true;
	if (c->queued) {
		edges_ahead(edges, c->queue + c->head, c->queued - c->head);
		leads = candidates_meet(s, edges_of(edges, c->queue[c->head++]));
	} else {
		leads = candidates_start(s, c->node[c->at]);
	}
	if (leads || c->head == c->queued)
		candidates_decide(c, leads);
	return false;
}

static void candidates_fini(struct candidates *c)
{
	free(c->node);
	free(c->met);
	free(c->queue);
}

/* ---- Both */

/* Makes one step. Returns true at the end. */
static bool co_holders_step(struct search *s, size_t head, size_t begin)
{
	struct co_holders *found = s->co_holders;
	struct candidates *c = &s->candidates;
	bool decided = false;
	if (head == s->count)
		return true;
	co_holders_ahead(s, s->queue + head, s->count - head);
	co_holders_look_up(s, s->queue[head]);
	if (head == begin)
		candidates_begin(s);
	for (int i = 0; i < FORWARD && head >= begin && !decided; i++)
		decided = candidates_step(s);
	if (!decided)
		return false;
	free(found->holder);
	found->holder = c->node;
	found->count = c->holders;
	found->capacity = c->capacity;
	c->node = NULL;
	return true;
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
	size_t begin = candidates_cost(&s);
	for (size_t head = 0; going_on && !co_holders_step(&s, head, begin); head++)
		going_on = head % STEP != 0 || progress_step(progress, head);
	bound_sort(co_holders->holder, co_holders->count, BOUND_ITSELF(uint32_t));
	mem_column_free(s.seen, size);
	free(s.queue);
	candidates_fini(&s.candidates);
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
	struct what_if *what_if = what_if_new(heap);
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
