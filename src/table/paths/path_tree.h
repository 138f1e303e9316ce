/* Shortest paths as one tree (analysis/merge.h), with the names of their steps. */
#pragma once

#include "analysis/kept.h"
#include "analysis/merge.h"
#include "table/naming/step_class.h"

/* Both are NULL if there are no paths. */
struct path_tree {
	const struct analysis *analysis;
	struct step_classes *step_classes;
	struct merged_paths *merged_paths;
};

/* Merges the paths to `count` distinct objects, NULL: to all. After STAGE_TYPED. NULL:
   cancelled. */
struct path_tree *path_tree_new(const struct analysis *analysis, const uint32_t *objects,
                                size_t count, struct progress *progress);
void path_tree_free(void *path_tree);
/* Returns the root that the shortest path to a place begins at: an index in heap->roots. */
uint32_t path_tree_root(const struct path_tree *path_tree, const struct analysis *analysis,
                        uint32_t place);
/* Appends the steps to a place, which is the number of a node: "main.gw.Metrics[*]". */
void path_tree_add_place(const struct path_tree *path_tree, uint32_t place, struct buf *out);
/* The same, with the key or the index of an entry in place of [*] where all objects of the place
   are in that one: `main.buckets["_uploads"].parts[*]`. */
void path_exact_add(const struct path_tree *path_tree, uint32_t place, struct buf *out);
/* Returns by place whether a text names it: "main.gw.Metrics[*]", also with keys as path_exact_add
   tells them, or "main.gw.Metrics[*] type=main.Counter" where objects of several types are at the
   same steps. Stores the number of such places. The caller frees the result. NULL: there is none.
 */
bool *path_tree_find_places(const struct path_tree *path_tree, const char *text, size_t *count);
/* Appends the step to a place; a step without a name is shown by the type that it leads to. */
void path_tree_add_step(const struct path_tree *path_tree, uint32_t place, struct buf *out);
/* Of a kind of cached results (analysis/kept.h): */
void *path_tree_empty(const struct analysis *analysis, enum retain retain);
bool path_tree_index(void *path_tree, const struct index_io *io);

/* The tree of the whole heap, computed once (analysis/kept.h). */
extern const struct kept_kind path_tree_whole;
