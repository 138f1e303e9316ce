/* One node of a dominator tree: part of analysis/dominators.h. */
#include "analysis/dominators.h"

uint64_t dominators_self(const struct dominators *dominators, uint32_t node)
{
	const struct heap *heap = dominators->root_nodes->heap;
	return node < heap_object_count(heap) ? heap_size(heap, node) : 0;
}

bool dominators_hangs_on_flat(const struct dominators *d, uint32_t node)
{
	return root_nodes_is_flat_node(d->root_nodes, dominators_above(d, node))
	       && !root_nodes_is_flat_node(d->root_nodes, node);
}
