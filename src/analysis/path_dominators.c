#include "analysis/path_dominators.h"

#include "base/bound.h"
#include "base/mem.h"

#include <stdlib.h>

static void path_dominators_reverse(struct path_dominators *chain)
{
	for (size_t low = 0, high = chain->count - 1; low < high; low++, high--) {
		struct path_dominator path_dominator = chain->item[low];
		chain->item[low] = chain->item[high];
		chain->item[high] = path_dominator;
	}
}

/* Follows the path and the dominators of its end backward in parallel: every dominator is on the
   path. */
void path_dominators_init(struct path_dominators *chain, const struct dominators *dominators,
                          const struct reach *reach, const struct path *path)
{
	*chain = (struct path_dominators){.dominators = dominators, .reach = reach};
	uint32_t objects = heap_object_count(dominators->root_nodes->heap);
	uint32_t node = path->step[path->count - 1];
	size_t capacity = 0;
	for (size_t step = path->count; step-- > 0;) {
		if (path->step[step] != node)
			continue;
		MEM_PUSH(chain->item, chain->count, capacity, (struct path_dominator){node, step});
		node = dominators_above(dominators, node);
	}
	size_t on_heap = chain->count;
	for (; node >= objects && node != OBJECT_NONE; node = dominators_above(dominators, node))
		if (node == dominators->root || !root_nodes_is_flat_node(dominators->root_nodes, node))
			MEM_PUSH(chain->item, chain->count, capacity, (struct path_dominator){node, SIZE_MAX});
	chain->root_nodes = chain->count - on_heap;
	path_dominators_reverse(chain);
	chain->deepest = mem_column(dominators->nodes * sizeof *chain->deepest);
	for (size_t i = 0; i < chain->count; i++)
		chain->deepest[chain->item[i].node] = (uint32_t)i + 1;
}

void path_dominators_fini(struct path_dominators *chain)
{
	if (chain->deepest)
		mem_column_free(chain->deepest, chain->dominators->nodes * sizeof *chain->deepest);
	free(chain->item);
	*chain = (struct path_dominators){0};
}

size_t path_dominators_next(const struct path_dominators *chain, size_t step)
{
	size_t first = chain->root_nodes;
	return first
	       + lower_bound(chain->item + first, chain->count - first,
	                     BOUND_BY(struct path_dominator, step), step);
}

const struct path_dominator *path_dominators_at(const struct path_dominators *chain, size_t step)
{
	size_t at = path_dominators_next(chain, step);
	return at < chain->count && chain->item[at].step == step ? &chain->item[at] : NULL;
}

const struct path_dominator *path_dominators_root_node(const struct path_dominators *chain)
{
	return chain->root_nodes > 1 ? &chain->item[chain->root_nodes - 1] : NULL;
}

size_t path_dominators_deepest(struct path_dominators *chain, uint32_t node)
{
	const struct dominators *d = chain->dominators;
	uint32_t *deepest = chain->deepest, top = node;
	while (!deepest[top])
		top = dominators_above(d, top);
	for (uint32_t found = deepest[top]; node != top; node = dominators_above(d, node))
		deepest[node] = found;
	return deepest[top] - 1;
}

/* ---- Predecessors */

uint32_t predecessors_root_node(const struct dominators *dominators, uint32_t node)
{
	const struct root_nodes *root_nodes = dominators->root_nodes;
	uint32_t parent = root_nodes->root_node[root_nodes_of_node(root_nodes, node)].parent;
	if (root_nodes->root_node[parent].kind == ROOT_NODE_CLASS)
		return dominators->root;
	return root_nodes_node(root_nodes, parent);
}

void predecessors_start(struct predecessors *predecessors, const struct dominators *dominators,
                        const struct reach *reach, uint32_t node)
{
	*predecessors =
		(struct predecessors){.dominators = dominators, .self = node, .last = OBJECT_NONE};
	if (node >= heap_object_count(dominators->root_nodes->heap))
		return;
	predecessors->objects = heap_referrers(dominators->root_nodes->heap, node);
	predecessors->roots = reach_roots_of(reach, node);
}

static bool predecessors_skip(const struct predecessors *predecessors, uint32_t node)
{
	return (predecessors->skip && word_bit_is_set(predecessors->skip, node))
	       || !dominators_has(predecessors->dominators, node);
}

static uint32_t predecessors_take(struct ids *ids)
{
	ids->count--;
	return *ids->id++;
}

static bool next_root_node(struct predecessors *predecessors, uint32_t *node)
{
	const struct dominators *d = predecessors->dominators;
	bool first = predecessors->last == OBJECT_NONE;
	if (predecessors->self < heap_object_count(d->root_nodes->heap) || predecessors->self == d->root
	    || !first)
		return false;
	*node = predecessors->last = predecessors_root_node(d, predecessors->self);
	return true;
}

bool predecessors_next(struct predecessors *predecessors, uint32_t *node)
{
	const struct dominators *d = predecessors->dominators;
	while (predecessors->objects.count) {
		uint32_t id = predecessors_take(&predecessors->objects);
		if (id == predecessors->last || id == predecessors->self
		    || predecessors_skip(predecessors, id))
			continue;
		*node = predecessors->last = id;
		return true;
	}
	while (predecessors->roots.count) {
		uint32_t root_node = root_nodes_node(
			d->root_nodes, d->root_nodes->of_root[predecessors_take(&predecessors->roots)]);
		if (root_node == predecessors->last || predecessors_skip(predecessors, root_node))
			continue;
		*node = predecessors->last = root_node;
		return true;
	}
	return next_root_node(predecessors, node);
}
