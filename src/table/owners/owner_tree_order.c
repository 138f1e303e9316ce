/* The order of the owners of a shared set: part of table/owners/owner_tree_cell.h. */
#include "table/owners/owner_tree_cell.h"

#include <stdlib.h>
#include <string.h>

struct significant_owner {
	uint32_t owner;
	int rank; /* the smallest first */
	uint32_t alike;
};

static bool owner_tree_order_is_named(const struct analysis *analysis,
                                      const struct root_node *root_node)
{
	const char *name;
	uint64_t offset;
	return names_variable(analysis_names(analysis),
	                      analysis_heap(analysis)->roots[root_node->index].address, &name, &offset);
}

static int owner_tree_order_rank_of(const struct analysis *analysis, uint32_t root_node)
{
	enum { VARIABLE, THREAD, WORD, REST };
	const struct root_nodes *root_nodes = analysis_root_nodes(analysis);
	const struct root_node *a = &root_nodes->root_node[root_node];
	bool runtime = a->parent == root_nodes->root_class[ROOT_CLASS_RUNTIME];
	if (a->kind == ROOT_NODE_THREAD)
		return THREAD;
	if (a->kind != ROOT_NODE_GLOBAL || runtime)
		return REST;
	return owner_tree_order_is_named(analysis, a) ? VARIABLE : WORD;
}

static int most_significant(const void *a, const void *b)
{
	const struct significant_owner *x = a, *y = b;
	if (x->rank != y->rank)
		return x->rank - y->rank;
	if (x->alike != y->alike)
		return x->alike > y->alike ? -1 : 1;
	return x->owner < y->owner ? -1 : x->owner > y->owner;
}

void owner_tree_order_owners(const struct analysis *analysis, const struct owners *owners,
                             struct ids set, uint32_t *out)
{
	struct significant_owner significant[OWNERS_MOST];
	for (size_t i = 0; i < set.count; i++) {
		const struct owner *owner = &owners->owner[set.id[i]];
		significant[i] = (struct significant_owner){
			set.id[i], owner_tree_order_rank_of(analysis, owner->root_node), owner->root_nodes};
	}
	qsort(significant, set.count, sizeof *significant, most_significant);
	for (size_t i = 0; i < set.count; i++)
		out[i] = significant[i].owner;
}
