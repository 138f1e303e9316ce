/* Shortest paths as one tree (analysis/merge.h), with the names of their steps. */
#pragma once

#include "analysis/kept.h"
#include "analysis/merge.h"
#include "table/naming/step_class.h"

/* What follows the [*] of a step to a key, and precedes the key where that is told. */
#define PATH_KEY " key"

/* Both are NULL if there are no paths. */
struct path_tree {
	const struct analysis *analysis;
	struct step_classes *step_classes;
	struct merged_paths *merged_paths;
	uint32_t *fork; /* by place, see merge_forks */
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
   are in that one: `main.buckets["_uploads"].parts[*]`; ` key ["_uploads"]` for "[*] key". */
void path_exact_add_whole(const struct path_tree *path_tree, uint32_t place, struct buf *out);
/* The same with a handle in place of the middle of a long name (text_bound). */
void path_exact_add(const struct path_tree *path_tree, uint32_t place, struct buf *out);
/* The same for some objects of a place, whose paths all lead through an object, OBJECT_NONE for
   none: appends the steps behind the place `above`, OBJECT_NONE for all of them; nothing for a step
   without a name. */
void path_exact_add_below(const struct path_tree *path_tree, uint32_t place, uint32_t through,
                          uint32_t above, struct buf *out);
/* Appends the step to a place from the one above it. Where all objects of the place, but not of the
   one above it, are in one entry, the step to that entry comes first:
   `.buckets["_uploads"].parts[*]` below `.buckets[*]`. A step without a name is left out. */
void path_exact_add_step(const struct path_tree *path_tree, uint32_t place, struct buf *out);
/* Returns by place whether a text names it: "main.gw.Metrics[*]", also with keys as path_exact_add
   tells them (`partly`: with any, which some of its objects may be in, see path_filter), or
   "main.gw.Metrics[*] type=main.Counter" where objects of several types are at the same steps.
   Stores the number of such places. The caller frees the result. NULL: there is none.
 */
bool *path_tree_find_places(const struct path_tree *path_tree, const char *text, bool partly,
                            size_t *count);
/* Returns the length of such a text without a type behind it. */
size_t path_tree_length(const char *text);
/* Selects objects of a place by a text that has keys: those whose paths lead through these
   entries. */
struct path_filter;
struct path_filter *path_filter_new(const struct path_tree *path_tree, uint32_t place,
                                    const char *text);
/* In proportion to the length of the path; the keys are looked at once for each entry. */
bool path_filter_has(struct path_filter *filter, uint32_t object);
void path_filter_free(struct path_filter *filter);
/* Appends the step to a place; a step without a name is shown by the type that it leads to. */
void path_tree_add_step(const struct path_tree *path_tree, uint32_t place, struct buf *out);
/* Of a kind of cached results (analysis/kept.h): */
void *path_tree_empty(const struct analysis *analysis, enum retain retain);
bool path_tree_index(void *path_tree, const struct index_io *io);

/* The tree of the whole heap, computed once (analysis/kept.h). */
extern const struct kept_kind path_tree_whole;
