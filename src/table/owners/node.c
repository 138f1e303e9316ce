#include "table/owners/node.h"

const struct root_node *node_root_node(const struct analysis *analysis, uint32_t node)
{
	struct entity entity = entity_of_node(analysis, node);
	return entity.kind == ENTITY_ROOT_NODE ? &analysis_root_nodes(analysis)->root_node[entity.id]
	                                       : NULL;
}

const struct dominators *node_root_class_tree(const struct analysis *analysis,
                                              enum root_class root_class)
{
	return analysis_dominators(analysis,
	                           root_class == ROOT_CLASS_WEAK ? RETAIN_WEAK : RETAIN_STRONGEST);
}

bool node_is_weak(const struct analysis *analysis, uint32_t node)
{
	return node < heap_object_count(analysis_heap(analysis))
	       && reach_is_weak(analysis_reach(analysis), node);
}

/* Returns the dominator tree; NULL: the retained size of the node is unknown. */
static const struct dominators *node_known(const struct analysis *analysis, uint32_t node)
{
	const struct dominators *dominators = analysis_retained(analysis);
	if (!dominators || node == OBJECT_NONE || !analysis_has_roots(analysis)
	    || !dominators_has(dominators, node))
		return NULL;
	return dominators;
}

bool node_retained(const struct analysis *analysis, uint32_t node, uint64_t *bytes)
{
	const struct dominators *dominators = node_known(analysis, node);
	if (dominators)
		*bytes = dominators_bytes(dominators, node);
	return dominators != NULL;
}

void cell_retained(struct value *value, const struct analysis *analysis, uint32_t node)
{
	const struct dominators *dominators = node_known(analysis, node);
	if (dominators)
		cell_number(value, VALUE_BYTES, dominators_bytes(dominators, node));
}

/* of: one of the index arrays of the root nodes, which exist once retained sizes do. */
static void cell_retained_root_node(struct value *value, const struct analysis *analysis,
                                    const uint32_t *of, uint32_t index)
{
	if (of[index] != UINT32_MAX)
		cell_retained(value, analysis, root_nodes_node(analysis_root_nodes(analysis), of[index]));
}

void cell_retained_root(struct value *value, const struct analysis *analysis, uint32_t root)
{
	if (analysis_retained(analysis))
		cell_retained_root_node(value, analysis, analysis_root_nodes(analysis)->of_root, root);
}

void cell_retained_thread(struct value *value, const struct analysis *analysis, uint32_t index)
{
	if (analysis_retained(analysis))
		cell_retained_root_node(value, analysis, analysis_root_nodes(analysis)->of_thread, index);
}

void cell_retained_frame(struct value *value, const struct analysis *analysis, uint32_t index)
{
	if (analysis_retained(analysis))
		cell_retained_root_node(value, analysis, analysis_root_nodes(analysis)->of_frame, index);
}
