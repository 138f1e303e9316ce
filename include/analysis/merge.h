/* The shortest retaining paths of many objects merged into one prefix tree: steps with the same
   label are one node. The caller defines the labels. */
#pragma once

#include "analysis/reach.h"
#include "base/runs.h"

struct merge_node {
	uint32_t parent; /* OBJECT_NONE: a topmost node, for roots */
	uint32_t label;
	uint32_t first, below; /* nodes[first ...]: its children, most bytes first */
	uint32_t depth;
	uint32_t example;   /* the first of its objects with the shortest path */
	uint32_t members;   /* objects on paths, without parts of others */
	uint32_t links;     /* those of them whose paths lead through another one of them */
	uint32_t period;    /* of a chain: the steps after which its labels repeat; 0: no chain */
	uint32_t here;      /* the number of selected objects among members and parts */
	uint64_t own_bytes; /* bytes of the objects in `here` */
	uint32_t objects;   /* the number of selected objects whose paths pass through the node */
	uint32_t next;      /* 0; while nodes are created, 1 + its next sibling */
	uint64_t bytes;     /* bytes of the objects in `objects` */
};
struct merged_paths {
	struct merge_node *node; /* a column: topmost first; the children of a node are adjacent */
	size_t count, topmost;
	uint64_t left_out; /* selected objects that are unreachable */
	uint32_t objects;
	struct runs node_of; /* by object, see merged_paths_node */
};
/* Returns the node of an object; OBJECT_NONE: it is on no path. */
static inline uint32_t merged_paths_node(const struct merged_paths *paths, uint32_t object)
{
	return runs_at(&paths->node_of, object);
}

/* Labels of steps. A step with the same label as its parent merges into the parent's node, so that
   a linked list is one node; so does a step labeled MERGE_SAME. Where the labels of up to
   MERGE_PERIOD_MOST steps repeat at least three times, as in map > child > map > child > map, they
   merge into as many nodes as the period has steps. MERGE_PART does the same, but the
   object counts as a part of the one before it, not as a member. */
#define MERGE_SAME UINT32_MAX
#define MERGE_PART (UINT32_MAX - 1)
enum { MERGE_PERIOD_MOST = 6 };
struct merge_labels {
	void *self;
	/* Returns the label of a root together with the object that it references. */
	uint32_t (*root)(void *self, uint32_t root, uint32_t to);
	/* Returns the label of the reference to `to` at an offset in `from`; UINT64_MAX: unknown. */
	uint32_t (*step)(void *self, uint32_t from, uint64_t offset, uint32_t to);
	/* Returns false if the offset makes no difference to the labels of steps from an object; NULL:
	   it does. */
	bool (*by_offset)(const void *self, uint32_t from);
	/* Prefetches the memory that `step` to an object reads; may be NULL. */
	void (*ahead)(const void *self, uint32_t to);
};

/* Like merge_paths, for all objects, along a given forest: `parent` is as in struct reach, where
   roots may be any numbers. */
struct merged_paths *merge_tree(const struct heap *heap, uint32_t *parent,
                                const struct merge_labels *labels, struct progress *progress);
/* Merges the paths of `count` different objects (NULL: of all). NULL: cancelled. */
struct merged_paths *merge_paths(const struct reach *reach, const uint32_t *objects, size_t count,
                                 const struct merge_labels *labels, struct progress *progress);
/* Returns for each node the last object that the paths of all objects of the node lead through,
   which may be one of these; OBJECT_NONE: there is none. In proportion to the objects. The caller
   frees the column of `count` numbers. `reach`: the one that the paths are of. */
uint32_t *merge_forks(const struct merged_paths *paths, const struct reach *reach);
void merged_paths_free(struct merged_paths *merged_paths);
/* Writes the paths to an index, until whose end they are borrowed, or reads those of as many
   objects. */
bool merged_paths_index(struct merged_paths *paths, const struct index_io *io);
