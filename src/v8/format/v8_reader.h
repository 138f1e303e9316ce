/* The reader of a heap snapshot, shared by the files of this folder.

   Nodes are numbered in the order of the file. Node 0 is the root. It and the synthetic nodes that
   take no memory, such as "(GC roots)" and "(Stack roots)", are groups of roots: what they refer to
   are roots, they themselves are no objects. All other nodes are objects, with their ids as
   numbers. Edges stay in the file and are decoded again when asked for. */
#pragma once

#include "v8_meta.h"
#include "v8_strings.h"

#include "format/format.h"

#define V8_NO_TYPE_NAME UINT64_MAX
#define V8_UNKNOWN_TYPE UINT64_MAX /* number of the type of nodes whose type has no name */
/* V8 writes sizes as doubles: larger ones are damage. */
#define SIZE_MOST (UINT64_C(1) << 53)

struct v8_node {
	uint64_t id;
	uint64_t edges; /* offset of its first edge; while nodes are read, their number */
};

struct v8_kept {
	struct v8_kept *next;
	size_t len;
	char text[];
};

/* A kind of damage: how often it occurs, and where first. */
struct v8_damage {
	uint64_t count, offset;
};

struct v8_edge {
	uint64_t place; /* index, or number of a string */
	uint64_t offset;
	uint32_t target; /* node */
	enum v8_edge_type type;
	bool good;  /* it leads to a node, and has a known type */
	bool named; /* its name is one of the strings */
};

struct v8 {
	struct v8_meta meta;
	struct v8_strings strings;
	struct v8_json nodes, edges; /* the sections */
	struct v8_node *node;        /* node[count].edges: the end of the edges */
	size_t count, capacity;
	uint64_t edge_count;
	uint64_t *group; /* bits: nodes that are groups of roots */
	size_t group_words;
	struct v8_kept *kept; /* names of types and groups */
	/* Only while the file is read: */
	const struct sink *sink;
	struct progress *progress;
	uint64_t *named; /* bits by string: types passed on that have this name */
	uint64_t typed;  /* bits by number of a node type: types passed on that have its name */
	bool cut, cancelled;
	struct v8_damage types, names, sizes, targets, lost_groups;
};

/* Returns the next edge. Returns false where there is none, or the file is damaged. */
bool v8_edge_next(const struct v8 *v, struct v8_json *json, struct v8_edge *edge);
/* Returns a cursor over the edges of a node. */
struct v8_json v8_edges_of(const struct v8 *v, size_t node);
/* Returns the place of an edge, see struct listed_reference. */
uint32_t v8_edge_place(const struct v8 *v, const struct v8_edge *edge);

bool v8_is_group(const struct v8 *v, size_t node);
void v8_warn(struct v8 *v, uint64_t offset, const char *text);
void v8_count(struct v8_damage *damage, uint64_t offset);
/* Returns a copy that lives as long as the reader. */
struct text v8_keep(struct v8 *v, const struct buf *text);

/* Pass nodes as objects and types, find the edges of each node, pass roots. */
void v8_read_nodes(struct v8 *v);
void v8_read_edges(struct v8 *v);
void v8_read_roots(struct v8 *v);
