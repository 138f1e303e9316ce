#include "table/paths/path_tree.h"

#include "base/mem.h"
#include "base/plugin.h"
#include "table/waste/outside_spans.h"

#include <stdlib.h>
#include <string.h>

struct path_tree *path_tree_new(const struct analysis *analysis, const uint32_t *objects,
                                size_t count, struct progress *progress)
{
	struct path_tree *path_tree = mem_alloc(sizeof *path_tree);
	struct outside_spans *spans = outside_spans_new(analysis, progress);
	path_tree->step_classes = step_classes_new(analysis);
	struct merge_labels labels = step_classes_labels(path_tree->step_classes);
	step_classes_split(path_tree->step_classes, spans);
	if (spans)
		path_tree->merged_paths =
			merge_paths(analysis_reach(analysis), objects, count, &labels, progress);
	step_classes_split(path_tree->step_classes, NULL);
	outside_spans_free(spans);
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

uint32_t path_tree_root(const struct path_tree *path_tree, const struct analysis *analysis,
                        uint32_t place)
{
	const struct merge_node *node = path_tree->merged_paths->node;
	while (node[place].parent != OBJECT_NONE)
		place = node[place].parent;
	return reach_before(analysis_reach(analysis), node[place].example)
	       - heap_object_count(analysis_heap(analysis));
}

/* ---- Names of places */

/* Appends the step to a place; a step without a name is shown by the type that it leads to. */
static void path_tree_add_step(const struct path_tree *path_tree, uint32_t place, struct buf *out)
{
	uint32_t label = path_tree->merged_paths->node[place].label;
	const char *step = step_classes_step(path_tree->step_classes, label);
	buf_addf(out, "%s%s", *step ? "" : " > ",
	         *step ? step : step_classes_type(path_tree->step_classes, label));
}

void path_tree_add_place(const struct path_tree *path_tree, uint32_t place, struct buf *out)
{
	const struct merge_node *node = path_tree->merged_paths->node;
	SCOPED_FREE uint32_t *chain = mem_alloc((node[place].depth + 1) * sizeof *chain);
	size_t count = 0;
	for (; place != OBJECT_NONE; place = node[place].parent)
		chain[count++] = place;
	while (count)
		path_tree_add_step(path_tree, chain[--count], out);
}

/* A place whose steps a text begins with, and the number of bytes that they take. */
struct path_tree_match {
	uint32_t place;
	size_t length;
};

bool *path_tree_find_places(const struct path_tree *path_tree, const char *text, size_t *count)
{
	static const char type[] = " type=";
	const struct merged_paths *paths = path_tree->merged_paths;
	const char *wanted = strstr(text, type);
	size_t length = wanted ? (size_t)(wanted - text) : strlen(text);
	struct path_tree_match *match = NULL;
	size_t matches = 0, capacity = 0, next = 0;
	bool *found = NULL;
	SCOPED_BUF step = {0};
	*count = 0;
	MEM_PUSH(match, matches, capacity, ((struct path_tree_match){OBJECT_NONE, 0}));
	for (; next < matches; next++) {
		struct path_tree_match at = match[next];
		bool top = at.place == OBJECT_NONE;
		uint32_t first = top ? 0 : paths->node[at.place].first;
		uint32_t below = top ? (uint32_t)paths->topmost : paths->node[at.place].below;
		if (!top && at.length == length
		    && (!wanted
		        || strcmp(wanted + strlen(type),
		                  step_classes_type(path_tree->step_classes, paths->node[at.place].label))
		               == 0)) {
			if (!found)
				found = mem_alloc(paths->count * sizeof *found);
			found[at.place] = true;
			++*count;
		}
		for (uint32_t i = 0; at.length < length && i < below; i++) {
			buf_clear(&step);
			path_tree_add_step(path_tree, first + i, &step);
			if (at.length + step.len <= length
			    && memcmp(text + at.length, buf_text(&step), step.len) == 0)
				MEM_PUSH(match, matches, capacity,
				         ((struct path_tree_match){first + i, at.length + step.len}));
		}
	}
	free(match);
	return found;
}

/* ---- Of a kind of cached results */

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
	.needs = STAGE_TYPED | STAGE_OWNED | STAGE_REVERSED,
	.make = whole_make,
	.free = path_tree_free,
	.empty = path_tree_empty,
	.index = path_tree_index,
};
PLUGIN(kept_kinds, path_tree_whole);
