/* The topmost rows of trees of owners, and the children of nodes: part of
 * table/owners/owner_tree.h. */
#include "table/owners/owner_tree.h"

#include "analysis/structures.h"
#include "base/bound.h"
#include "base/mem.h"
#include "table/cell.h"
#include "table/owners/owner_field.h"
#include "table/paths/path_steps.h"

#include <stdlib.h>

/* Stores the source of a shared set: the cached one, or one computed for these rows. False:
   cancelled. */
static bool owner_tree_source_of(const struct rows *rows, const struct shared_groups *shared,
                                 uint32_t shared_set, struct group_source *source)
{
	const struct owner_tree *e = rows->data;
	if (!shared)
		return shared_group_make(e->analysis, e->owners, e->shared_places, shared_set,
		                         rows->progress, source);
	*source = shared->source[shared_set];
	source->borrowed = true;
	return true;
}

/* Appends the row of a shared set; a set that is one node is shown as that node. */
static bool owner_tree_add_shared_set(struct rows *rows, const struct shared_groups *shared,
                                      uint32_t at)
{
	struct owner_tree *e = rows->data;
	const struct shared_set *shared_set = &e->owners->shared_set[at];
	struct group_source source;
	if (shared_group_is_node(e->owners, at)) {
		owner_tree_add_row(rows, owner_tree_row_of_node(e, e->owners->top[shared_set->first]));
		return true;
	}
	if (!owner_tree_source_of(rows, shared, at, &source))
		return false;
	owner_tree_add_row(rows, (struct owner_row){
								 .kind = OWNER_ROW_HOLDING,
								 .id = at,
								 .count = shared_set->nodes,
								 .bytes = shared_set->bytes,
								 .objects = shared_set->objects,
								 .source = owner_tree_keep_source(e, source),
							 });
	return true;
}

static bool owner_tree_open(struct rows *rows, enum retain retain, struct err *err)
{
	struct owner_tree *e = rows->data = mem_alloc(sizeof *e);
	e->analysis = rows->analysis;
	owner_tree_keep(e, (struct node_groups){0}, OBJECT_NONE);
	if (!reach_must_be_known(rows->analysis, err))
		return false;
	e->owners = analysis_owners(rows->analysis, retain, rows->progress);
	/* a task computes them for the explorer, which needs them to draw; others may not need them */
	bool done = e->owners
	            && (!rows->progress || analysis_children(rows->analysis, retain, rows->progress));
	return done || err_set(err, "Cancelled");
}

bool owner_tree_open_owners(struct rows *rows, struct err *err)
{
	if (!owner_tree_open(rows, analysis_owner_retain(rows->analysis), err))
		return false;
	struct owner_tree *e = rows->data;
	if (!owner_places_shared(e->analysis, e->owners, rows->progress, &e->shared_places))
		return err_set(err, "Cancelled");
	const struct shared_groups *shared = NULL; /* requires types, which may not be ready yet */
	if (analysis_has(e->analysis, STAGE_TYPED))
		shared = analysis_kept(e->analysis, &shared_groups_kept, e->owners->dominators->retain,
		                       rows->progress);
	for (uint32_t h = 0; h < e->owners->shared_sets; h++)
		if (!owner_tree_add_shared_set(rows, shared, h))
			return err_set(err, "Cancelled");
	return true;
}

/* `node`: the dominator of all groups, OBJECT_NONE: there is none with a row. */
static bool owner_tree_add_all(struct rows *rows, struct node_groups groups, uint32_t node)
{
	uint32_t source = owner_tree_keep(rows->data, groups, node);
	owner_tree_add_source(rows, source);
	for (size_t row = 0; row < rows->count && node != OBJECT_NONE; row++)
		((struct owner_tree *)rows->data)->owner_row[row].above = node + 1;
	return true;
}

bool owner_tree_open_node(struct rows *rows, uint32_t node, struct err *err)
{
	struct node_groups groups;
	if (!owner_tree_open(rows, analysis_retain(rows->analysis), err))
		return false;
	struct owner_tree *e = rows->data;
	return owner_places_whole(e->analysis, rows->progress, &e->places)
	               && owner_tree_group(e, node, rows->progress, &groups)
	           ? owner_tree_add_all(rows, groups, node)
	           : err_set(err, "Cancelled");
}

bool owner_tree_open_nodes(struct rows *rows, struct ids nodes, struct err *err)
{
	struct node_groups groups;
	if (!owner_tree_open(rows, analysis_retain(rows->analysis), err))
		return false;
	return node_groups_init(&groups, rows->analysis,
	                        ((struct owner_tree *)rows->data)->owners->dominators, nodes,
	                        rows->progress)
	           ? owner_tree_add_all(rows, groups, OBJECT_NONE)
	           : err_set(err, "Cancelled");
}

void owner_tree_retain_together(struct rows *rows, const struct freed *freed)
{
	struct owner_tree *e = rows->data;
	e->together = *freed;
	e->knows_together = rows->count == 1 && e->owner_row[0].kind == OWNER_ROW_GROUP;
	if (e->knows_together)
		e->owner_row[0].objects = (uint32_t)freed->objects;
}

void owner_tree_close(struct rows *rows)
{
	struct owner_tree *e = rows->data;
	for (size_t i = 0; i < e->sources; i++)
		if (!e->source[i].borrowed)
			node_groups_fini(&e->source[i].groups);
	node_groups_fini(&e->prepared);
	owner_delta_close(e->delta);
	free(e->source);
	free(e->owner_row);
}

/* ---- Children of a node */

/* Returns true if the child is the array of a slice that has no other referrer, and dominates
   nodes: these are shown in place of the array. */
static bool owner_tree_is_array(const struct analysis *analysis,
                                const struct dominator_children *tree, struct path_arrays *arrays,
                                uint32_t child)
{
	return !analysis_parts(analysis) && analysis_has(analysis, STAGE_REVERSED)
	       && dominator_children_of(tree, child).count > 0 && path_arrays_has(arrays, child);
}

uint32_t *owner_tree_children(struct path_arrays *arrays, const struct owner_tree *e, uint32_t node,
                              size_t most, size_t *count)
{
	const struct analysis *analysis = e->analysis;
	const struct structures *structures = analysis_parts(analysis) ? NULL
	                                                               : analysis_structures(analysis);
	const struct dominator_children *tree =
		analysis_children(analysis, e->owners->dominators->retain, NULL);
	uint32_t objects = heap_object_count(analysis_heap(analysis));
	size_t capacity = 0, todo_capacity = 0, todo = 0;
	uint32_t *found = NULL, *part = NULL;
	*count = 0;
	for (uint32_t at = node;; at = part[--todo]) {
		struct ids children = dominator_children_of(tree, at);
		for (size_t i = 0; i < children.count && *count < most; i++) {
			uint32_t child = children.id[i];
			bool inside = node < objects && child < objects
			              && structures_is_inside(structures, node, child);
			if (inside || (child < objects && owner_tree_is_array(analysis, tree, arrays, child))) {
				MEM_PUSH(part, todo, todo_capacity, child);
			} else {
				MEM_PUSH(found, *count, capacity, child);
			}
		}
		if (!todo || *count >= most)
			break;
	}
	free(part);
	bound_sort(found, *count, BOUND_ITSELF(uint32_t));
	return found;
}

bool owner_tree_group(const struct owner_tree *e, uint32_t node, struct progress *progress,
                      struct node_groups *groups)
{
	size_t count;
	struct owner_fields fields;
	owner_fields_init(&fields, e, node);
	SCOPED_FREE uint32_t *children = owner_tree_children(&fields.arrays, e, node, SIZE_MAX, &count);
	owner_fields_expect(&fields, (struct ids){children, count});
	bool done = node_groups_init_by_field(groups, e->analysis, e->owners->dominators,
	                                      (struct ids){children, count}, &fields, progress);
	owner_fields_fini(&fields);
	return done;
}
