#include "table/paths/path_tree.h"

#include "base/mem.h"
#include "base/plugin.h"

#include <stdio.h>
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

static const char *path_tree_section(char section[INDEX_NAME], const char *name, const char *part)
{
	snprintf(section, INDEX_NAME, "%s/%s", name, part);
	return section;
}

void path_tree_save(const struct path_tree *path_tree, const char *name,
                    struct index_writer *writer)
{
	char section[INDEX_NAME];
	if (!path_tree->merged_paths)
		return;
	merged_paths_save(path_tree->merged_paths, name, writer);
	step_classes_save(path_tree->step_classes, path_tree_section(section, name, "steps"), writer);
}

struct path_tree *path_tree_load(const struct analysis *analysis, const char *name,
                                 struct index_file *file)
{
	char section[INDEX_NAME];
	struct path_tree *path_tree = mem_alloc(sizeof *path_tree);
	path_tree->merged_paths = merged_paths_load(analysis_heap(analysis), name, file);
	if (path_tree->merged_paths)
		path_tree->step_classes =
			step_classes_load(analysis, path_tree_section(section, name, "steps"), file);
	if (path_tree->step_classes)
		return path_tree;
	path_tree_free(path_tree);
	return NULL;
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

static void whole_save(const void *made, enum retain retain, struct index_writer *writer)
{
	(void)retain;
	path_tree_save(made, "where", writer);
}

static void *whole_load(const struct analysis *analysis, enum retain retain,
                        struct index_file *file)
{
	(void)retain;
	return path_tree_load(analysis, "where", file);
}

const struct kept_kind path_tree_whole = {
	.needs = STAGE_TYPED | STAGE_OWNED,
	.make = whole_make,
	.free = path_tree_free,
	.save = whole_save,
	.load = whole_load,
};
PLUGIN(kept_kinds, path_tree_whole);
