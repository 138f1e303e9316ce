#include "base/mem.h"
#include "table/owners/owner_field.h"
#include "table/owners/owner_tree.h"
#include "table/paths/path_steps.h"

#include <stdlib.h>

static int owner_tree_by_node(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

/* Returns true if the child is the array of a slice that has no other referrer, and dominates
   nodes: these are shown in place of the array. */
static bool owner_tree_is_array(const struct owner_tree *e, struct path_arrays *arrays,
                                uint32_t child)
{
	const struct analysis *analysis = e->analysis;
	return !analysis_parts(analysis) && analysis_has(analysis, STAGE_REVERSED)
	       && dominator_children_of(e->children, child).count > 0 && path_arrays_has(arrays, child);
}

uint32_t *owner_tree_children(const struct owner_tree *e, uint32_t node, size_t most, size_t *count)
{
	const struct analysis *analysis = e->analysis;
	const struct structures *structures = analysis_parts(analysis) ? NULL
	                                                               : analysis_structures(analysis);
	uint32_t objects = heap_object_count(analysis_heap(analysis));
	size_t capacity = 0, todo_capacity = 0, todo = 0;
	uint32_t *found = NULL, *part = NULL;
	struct path_arrays arrays = {.analysis = analysis};
	*count = 0;
	for (uint32_t at = node;; at = part[--todo]) {
		struct ids children = dominator_children_of(e->children, at);
		for (size_t i = 0; i < children.count && *count < most; i++) {
			uint32_t child = children.id[i];
			bool inside = node < objects && child < objects
			              && structures_is_inside(structures, node, child);
			if (inside || (child < objects && owner_tree_is_array(e, &arrays, child))) {
				part = mem_grow(part, todo, &todo_capacity, sizeof *part);
				part[todo++] = child;
			} else {
				found = mem_grow(found, *count, &capacity, sizeof *found);
				found[(*count)++] = child;
			}
		}
		if (!todo || *count >= most)
			break;
	}
	path_arrays_fini(&arrays);
	free(part);
	if (*count)
		qsort(found, *count, sizeof *found, owner_tree_by_node);
	return found;
}

bool owner_tree_group(const struct owner_tree *e, uint32_t node, struct progress *progress,
                      struct node_groups *groups)
{
	size_t count;
	uint32_t *children = owner_tree_children(e, node, SIZE_MAX, &count);
	struct owner_fields fields;
	owner_fields_init(&fields, e, node);
	bool done = node_groups_init_by_field(groups, e->analysis, e->owners->dominators,
	                                      (struct ids){children, count}, &fields, progress);
	owner_fields_fini(&fields);
	free(children);
	return done;
}
