#include "table/owners/owner_field.h"

#include "analysis/structures.h"
#include "base/bits.h"
#include "base/mem.h"
#include "heap/pointer_walk.h"

#include <stdlib.h>

enum { PARTS = 16 }; /* depth of parts of a map or slice between a row and its parent */

void owner_fields_init(struct owner_fields *fields, const struct owner_tree *e, uint32_t above)
{
	*fields = (struct owner_fields){.e = e, .above = above, .arrays = {.analysis = e->analysis}};
	if (analysis_typing(e->analysis))
		fields->step_classes = step_classes_new(e->analysis);
}

void owner_fields_expect(struct owner_fields *fields, struct ids nodes)
{
	fields->nodes = mem_alloc(fields->e->owners->dominators->nodes / 8 + 8ULL);
	for (size_t i = 0; i < nodes.count; i++)
		word_bit_set(fields->nodes, nodes.id[i]);
}

static size_t owner_fields_size(const struct owner_fields *fields)
{
	return heap_object_count(analysis_heap(fields->e->analysis)) * sizeof *fields->fields;
}

void owner_fields_fini(struct owner_fields *fields)
{
	step_classes_free(fields->step_classes);
	if (fields->fields)
		mem_column_free(fields->fields, owner_fields_size(fields));
	map_free(&fields->walked);
	free(fields->nodes);
	path_arrays_fini(&fields->arrays);
}

/* Caches the fields of all objects whose path leads through this one. Each object is scanned once,
   since it may have many. */
static void owner_field_walk(struct owner_fields *fields, uint32_t from)
{
	const struct heap *heap = analysis_heap(fields->e->analysis);
	const struct reach *reach = analysis_reach(fields->e->analysis);
	struct object_record record;
	struct pointer_walk walk;
	struct pointer pointer;
	uint64_t known;
	if (map_get(&fields->walked, from, &known) || !heap_object(heap, from, &record))
		return;
	map_put(&fields->walked, from, 1);
	if (!fields->fields)
		fields->fields = mem_column_few(owner_fields_size(fields));
	pointer_walk_linked(&walk, heap, from, &record);
	while (pointer_walk_next(&walk, &pointer)) {
		/* of an array between, only the fields of nodes are asked for */
		if (pointer.target == OBJECT_NONE
		    || (from != fields->above && !word_bit_is_set(fields->nodes, pointer.target))
		    || reach_before(reach, pointer.target) != from || fields->fields[pointer.target])
			continue;
		fields->fields[pointer.target] =
			step_classes_label(fields->step_classes, from, pointer.offset, pointer.target) + 1ULL;
	}
}

/* Returns the field of a variable; 0: it is not the variable `above`. */
static uint64_t owner_field_of_root(const struct owner_fields *fields, uint32_t root,
                                    uint32_t object)
{
	const struct root_nodes *root_nodes = analysis_root_nodes(fields->e->analysis);
	uint32_t node = root_nodes->of_root[root];
	struct merge_labels labels = step_classes_labels(fields->step_classes);
	if (node == UINT32_MAX || root_nodes->root_node[node].kind != ROOT_NODE_GLOBAL
	    || root_nodes_node(root_nodes, node) != fields->above)
		return 0;
	return labels.root(labels.self, root, object) + 1ULL;
}

uint64_t owner_field(struct owner_fields *fields, uint32_t node)
{
	const struct analysis *analysis = fields->e->analysis;
	const struct structures *structures = analysis_structures(analysis);
	uint32_t objects = heap_object_count(analysis_heap(analysis)), object = node;
	if (!fields->step_classes || node >= objects)
		return 0;
	for (size_t parts = 0; parts < PARTS; parts++) {
		uint32_t before = reach_before(analysis_reach(analysis), object);
		uint64_t field = 0;
		if (before == OBJECT_NONE)
			return 0;
		if (before >= objects)
			return owner_field_of_root(fields, before - objects, object);
		bool inside = fields->above < objects && structures
		              && structures_is_inside(structures, fields->above, before);
		if (before != fields->above && !inside && !path_arrays_has(&fields->arrays, before))
			return 0;
		if (object == node || before == fields->above) {
			owner_field_walk(fields, before);
			field = fields->fields ? fields->fields[object] : 0;
		}
		if (before == fields->above || inside)
			return field;
		object = before;
	}
	return 0;
}
