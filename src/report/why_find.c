#include "report/why.h"

#include "base/mem.h"
#include "table/naming/holder.h"
#include "table/owners/node.h"
#include "table/paths/path_steps.h"

#include <stdlib.h>
#include <string.h>

/* The node_key of a holder: holders with the same key are similar. */
struct kind {
	uint64_t key;
	uint32_t node;
};

static int by_kind(const void *a, const void *b)
{
	const struct kind *x = a, *y = b;
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

/* Returns the order of a holder: objects, then roots by the strength of their class, so that what
   the runtime holds comes after what the program does. */
static unsigned why_rank(const struct analysis *analysis, const struct root_node *root_node)
{
	if (!root_node)
		return 0;
	while (root_node->kind != ROOT_NODE_CLASS)
		root_node = &analysis_root_nodes(analysis)->root_node[root_node->parent];
	return 1 + root_node->index;
}

static struct why_holder why_holder_of(const struct analysis *analysis, uint32_t node)
{
	const struct root_node *root_node = node_root_node(analysis, node);
	return (struct why_holder){
		.node = node, .root_node = root_node, .rank = why_rank(analysis, root_node)};
}

static int strongest_first(const void *a, const void *b)
{
	const struct why_holder *x = a, *y = b;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

/* Stores the holders in `kinds`, each once. A holder that is part of the segment's first dominator,
   such as the array of a slice, counts as that itself. */
static size_t why_kinds(const struct why *why, const struct co_holders *co_holders,
                        struct why_co_holders *out, struct kind *kinds)
{
	uint32_t begin = why->path_dominators.item[out->path_dominator - 1].node;
	size_t count = 0, kept = 0;
	for (size_t i = 0; i < co_holders->count; i++) {
		uint32_t node = co_holders->holder[i];
		/* A bucket stands for its map. */
		if (node < heap_object_count(analysis_heap(why->analysis))
		    && analysis_typing(why->analysis))
			node = holder_of(why->analysis, node);
		out->directly |= node == begin;
		if (node == begin)
			continue;
		kinds[count++] =
			(struct kind){entity_key(why->analysis, entity_of_node(why->analysis, node)), node};
	}
	qsort(kinds, count, sizeof *kinds, by_kind);
	for (size_t i = 0; i < count; i++)
		if (i == 0 || kinds[i].node != kinds[i - 1].node)
			kinds[kept++] = kinds[i];
	return kept;
}

static void put_together(struct why *why, const struct co_holders *co_holders,
                         struct why_co_holders *out)
{
	const struct dominators *d = why->path_dominators.dominators;
	SCOPED_FREE struct kind *kinds = mem_alloc((co_holders->count + 1) * sizeof *kinds);
	out->directly = co_holders->directly;
	out->count = why_kinds(why, co_holders, out, kinds);
	out->holder = mem_alloc((out->count + 1) * sizeof *out->holder);
	for (size_t i = 0; i < out->count; i++) {
		if (i == 0 || kinds[i].key != kinds[i - 1].key)
			out->holder[out->holders++] = why_holder_of(why->analysis, kinds[i].node);
		out->holder[out->holders - 1].count++;
		out->holder[out->holders - 1].bytes += dominators_bytes(d, kinds[i].node);
	}
	qsort(out->holder, out->holders, sizeof *out->holder, strongest_first);
}

static bool find_co_holders(struct why *why, size_t path_dominator, struct progress *progress)
{
	struct co_holders co_holders;
	if (!co_holders_exists(&why->path_dominators, path_dominator))
		return true;
	bool done = co_holders_find(&why->path_dominators, path_dominator, progress, &co_holders);
	if (done && co_holders_is(&co_holders)) {
		struct why_co_holders *out = &why->co_holders[why->co_holders_count];
		out->path_dominator = path_dominator;
		put_together(why, &co_holders, out);
		if (out->count + out->directly > 1) { /* not only parts of one structure */
			why->co_holders_count++;
			done = co_holders_freed(&why->path_dominators, path_dominator, &co_holders, progress,
			                        &out->freed);
		} else {
			free(out->holder);
			*out = (struct why_co_holders){0};
		}
	}
	co_holders_fini(&co_holders);
	return done;
}

/* Finds the gates: the dominators that are objects or variables for the program. */
static void find_gates(struct why *why)
{
	const struct path_dominators *all = &why->path_dominators;
	struct path_steps steps;
	path_steps_init(&steps, why->analysis, why->path);
	why->gate = mem_alloc((all->count + 1) * sizeof *why->gate);
	for (size_t i = 1; i < all->root_nodes; i++)
		why->gate[why->gates++] = all->item[i];
	for (size_t i = all->root_nodes, at = 0; i + 1 < all->count; i++) {
		while (at < steps.count && steps.at[at] < all->item[i].step)
			at++;
		if (at < steps.count && steps.at[at] == all->item[i].step)
			why->gate[why->gates++] = all->item[i];
	}
	path_steps_fini(&steps);
}

/* Returns the step of the path that is an object; SIZE_MAX: none is. `steps` loses the steps behind
   it. */
static size_t why_step_of(const struct why *why, struct path_steps *steps, uint32_t object)
{
	while (steps->count-- > 0)
		if (why->path->step[steps->at[steps->count]] == object)
			return steps->at[steps->count];
	steps->count = 0;
	return SIZE_MAX;
}

/* Finds the owner, and the nearest dominator on the paths from the strongest roots. */
static void why_find_owner(struct why *why)
{
	const struct dominators *d = analysis_dominators(why->analysis, RETAIN_STRONGEST);
	struct path_steps steps;
	path_steps_init(&steps, why->analysis, why->path);
	for (uint32_t node = dominators_above(d, why->object); node != OBJECT_NONE;
	     node = dominators_above(d, node)) {
		const struct root_node *root_node = node_root_node(why->analysis, node);
		size_t step = root_node ? SIZE_MAX : why_step_of(why, &steps, node);
		if (root_node && (root_node->kind == ROOT_NODE_ALL || root_node->kind == ROOT_NODE_CLASS)) {
			why->class = root_node->kind == ROOT_NODE_CLASS ? node : OBJECT_NONE;
			break;
		}
		if (why->nearest.node == OBJECT_NONE && (root_node || step != SIZE_MAX))
			why->nearest = (struct path_dominator){node, step};
		if (root_node && why->owner == OBJECT_NONE)
			why->owner = node;
	}
	path_steps_fini(&steps);
}

bool why_init(struct why *why, const struct analysis *analysis, uint32_t object,
              struct progress *progress)
{
	*why = (struct why){
		.analysis = analysis, .object = object, .many = why->many, .owner = OBJECT_NONE};
	why->class = why->nearest.node = OBJECT_NONE;
	if (!reach_has(analysis_reach(analysis), object))
		return true;
	why->paths = paths_open(analysis_heap(analysis), analysis_reach(analysis), object);
	why->path = paths_get(why->paths, 0, progress);
	if (!why->path)
		return false;
	why_find_owner(why);
	path_dominators_init(&why->path_dominators, analysis_dominators(analysis, RETAIN_ALIVE),
	                     analysis_reach(analysis), why->path);
	find_gates(why);
	/* The segment from the roots, and the last other segment with alternatives. */
	size_t first = why->path_dominators.root_nodes, last = why->path_dominators.count - 1;
	if (!find_co_holders(why, first, progress))
		return false;
	while (last > first && !co_holders_exists(&why->path_dominators, last))
		last--;
	return last <= first || find_co_holders(why, last, progress);
}

size_t why_roots(const struct why *why)
{
	const struct why_co_holders *first = &why->co_holders[0];
	bool from_roots = why->co_holders_count
	                  && first->path_dominator == why->path_dominators.root_nodes;
	return from_roots && !why->gates ? first->count : 0;
}

void why_fini(struct why *why)
{
	for (size_t i = 0; i < why->co_holders_count; i++)
		free(why->co_holders[i].holder);
	free(why->many);
	free(why->gate);
	if (why->path_dominators.count)
		path_dominators_fini(&why->path_dominators);
	paths_close(why->paths);
}
