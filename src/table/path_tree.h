/* Shortest paths as one tree (analysis/merge.h), with what its steps are called. */
#ifndef TABLE_PATH_TREE_H
#define TABLE_PATH_TREE_H

#include "analysis/kept.h"
#include "analysis/merge.h"
#include "table/step_class.h"

/* Without any paths both are NULL. */
struct path_tree {
	struct step_classes *step_classes;
	struct merged_paths *merged_paths;
};

/* Of `count` objects, NULL: of all, each once, after STAGE_TYPED. NULL: cancelled. */
struct path_tree *path_tree_new(const struct analysis *analysis, const uint32_t *objects,
                                size_t count, struct progress *progress);
void path_tree_free(void *path_tree);
/* In an index, below a name. NULL: it is not there. */
void path_tree_save(const struct path_tree *path_tree, const char *name,
                    struct index_writer *writer);
struct path_tree *path_tree_load(const struct analysis *analysis, const char *name,
                                 struct index_file *file);

/* Of the whole heap, made once (analysis/kept.h). */
extern const struct kept_kind path_tree_whole;

#endif
