/* The shortest retaining paths of many objects as one tree: steps that are alike are one node. What
   makes them alike is said by who asks. */
#ifndef ANALYSIS_MERGE_H
#define ANALYSIS_MERGE_H

#include "analysis/reach.h"
#include "base/index_file.h"

struct merge_node {
	uint32_t parent; /* OBJECT_NONE: a topmost one, of roots */
	uint32_t label;
	uint32_t first, below; /* nodes[first ...]: those below it, most bytes first */
	uint32_t depth;
	uint32_t example;   /* one of its objects: of those with the shortest path the first */
	uint32_t members;   /* objects on paths, parts of others not counted */
	uint32_t here;      /* of the selected objects, those that are members or parts */
	uint64_t own_bytes; /* theirs */
	uint32_t objects;   /* of the selected objects, those that paths through here lead to */
	uint64_t bytes;     /* theirs */
};
struct merged_paths {
	struct merge_node *node; /* topmost first, and each one's next to each other */
	size_t count, topmost;
	uint64_t left_out; /* of the selected objects: no root leads to them */
	uint32_t objects;
	uint32_t *node_of; /* by object: its node; OBJECT_NONE: on no path */
};

/* How steps are called, by a number. A step with the label of the one before it becomes part of
   that node, so that a list is one node; so does one with the label MERGE_SAME; and with
   MERGE_PART, which is no member of its own, but a part of the one before it. */
#define MERGE_SAME UINT32_MAX
#define MERGE_PART (UINT32_MAX - 1)
struct merge_labels {
	void *self;
	/* A root with the object that it holds, which are one. */
	uint32_t (*root)(void *self, uint32_t root, uint32_t to);
	/* `from` points at `to` at an offset. */
	uint32_t (*step)(void *self, uint32_t from, uint64_t offset, uint32_t to);
	/* Asks memory for what `step` to an object will need; may be NULL. */
	void (*ahead)(const void *self, uint32_t to);
};

/* The same along other ways than the shortest: `parent` is as in struct reach, roots being whatever
   stands for them. Of all objects. */
struct merged_paths *merge_tree(const struct heap *heap, uint32_t *parent,
                                const struct merge_labels *labels, struct progress *progress);
/* Of `count` objects (NULL: of all), each once. NULL: cancelled. */
struct merged_paths *merge_paths(const struct reach *reach, const uint32_t *objects, size_t count,
                                 const struct merge_labels *labels, struct progress *progress);
void merged_paths_free(struct merged_paths *merged_paths);
/* In an index, below a name; saved ones are borrowed until it is written. NULL: it is not there. */
void merged_paths_save(const struct merged_paths *paths, const char *name,
                       struct index_writer *writer);
struct merged_paths *merged_paths_load(const struct heap *heap, const char *name,
                                       struct index_file *file);

#endif
