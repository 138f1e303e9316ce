/* What the path of a place begins with: part of table/growth/growth.h. */
#include "table/growth/growth.h"

#include "go/types/names.h"
#include "heap/heap.h"
#include "heap/root.h"
#include "table/naming/thread.h"

const struct root *growth_root(const struct growth *growth, uint32_t place)
{
	const struct merged_rows *tree = growth->places[growth->dumps - 1].rows->data;
	const struct merge_node *node = tree->merged_paths->node;
	const struct reach *reach = analysis_reach(growth->places[growth->dumps - 1].rows->analysis);
	while (node[place].parent != OBJECT_NONE)
		place = node[place].parent;
	uint32_t objects = heap_object_count(reach->heap), at = node[place].example;
	while (at < objects)
		at = reach_before(reach, at);
	return at == OBJECT_NONE ? NULL : heap_root(reach->heap, at - objects);
}

bool growth_is_of_runtime(const struct growth *growth, uint32_t place)
{
	const struct analysis *analysis = growth->places[growth->dumps - 1].rows->analysis;
	const struct heap *heap = analysis_heap(analysis);
	const struct root *root = growth_root(growth, place);
	struct thread_place in;
	if (root && root->kind == ROOT_FRAME) {
		uint32_t thread = heap->frames[root->holder].thread;
		return thread != UINT32_MAX && thread_place_of(analysis, &heap->threads[thread], &in)
		       && symbol_is_of_runtime(in.function);
	}
	return root && (root->kind == ROOT_DATA || root->kind == ROOT_BSS)
	       && root_class_of(heap, analysis_names(analysis), root) == ROOT_CLASS_RUNTIME;
}
