#include "table/paths/path_tree.h"

#include "base/mem.h"
#include "base/plugin.h"

#include <stdlib.h>

struct path_tree *path_tree_new(const struct analysis *analysis, const uint32_t *objects,
                                size_t count, struct progress *progress)
{
	struct path_tree *path_tree = mem_alloc(sizeof *path_tree);
	path_tree->step_classes = step_classes_new(analysis);
	struct merge_labels labels = step_classes_labels(path_tree->step_classes);
	path_tree->merged_paths =
		merge_paths(analysis_reach(analysis), objects, count, &labels, progress);
	if (path_tree->merged_paths)
		return path_tree;
	path_tree_free(path_tree);
	return NULL;
}

void path_tree_free(void *path_tree)
{
	struct path_tree *self = path_tree;
	if (!self)
		return;
	merged_paths_free(self->merged_paths);
	step_classes_free(self->step_classes);
	free(self);
}

void *path_tree_empty(const struct analysis *analysis, enum retain retain)
{
	struct path_tree *path_tree = mem_alloc(sizeof *path_tree);
	(void)retain;
	path_tree->step_classes = step_classes_new(analysis);
	path_tree->merged_paths = mem_alloc(sizeof *path_tree->merged_paths);
	path_tree->merged_paths->objects = heap_object_count(analysis_heap(analysis));
	return path_tree;
}

bool path_tree_index(void *path_tree, const struct index_io *io)
{
	struct path_tree *self = path_tree;
	return !self->merged_paths
	       || (merged_paths_index(self->merged_paths, io)
	           && step_classes_index(self->step_classes, io));
}

/* ---- The whole heap */

static void *whole_make(const struct analysis *analysis, enum retain retain,
                        struct progress *progress)
{
	(void)retain;
	if (!analysis_has_roots(analysis))
		return NULL;
	return path_tree_new(analysis, NULL, heap_object_count(analysis_heap(analysis)), progress);
}

const struct kept_kind path_tree_whole = {
	.name = "where",
	.needs = STAGE_TYPED | STAGE_OWNED,
	.make = whole_make,
	.free = path_tree_free,
	.empty = path_tree_empty,
	.index = path_tree_index,
};
PLUGIN(kept_kinds, path_tree_whole);
