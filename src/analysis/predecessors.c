#include "analysis/predecessors.h"

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
		if (id == predecessors->last || id == predecessors->self || !dominators_has(d, id))
			continue;
		*node = predecessors->last = id;
		return true;
	}
	while (predecessors->roots.count) {
		uint32_t root_node = root_nodes_node(
			d->root_nodes, d->root_nodes->of_root[predecessors_take(&predecessors->roots)]);
		if (root_node == predecessors->last || !dominators_has(d, root_node))
			continue;
		*node = predecessors->last = root_node;
		return true;
	}
	return next_root_node(predecessors, node);
}
