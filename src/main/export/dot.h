/* A small graph of objects and their holders in the DOT language of Graphviz. */
#pragma once

#include "main/export/exporter.h"
#include "table/naming/entity.h"

/* Graphviz takes minutes for larger graphs, and they are unreadable. */
enum { DOT_NODES = 100, DOT_NODES_MOST = 1000 };

struct dot_node {
	struct entity entity;
	const char *style; /* additional attributes: a literal */
	struct buf note;   /* text below its name; may be empty */
};
struct dot_edge {
	size_t from, to;
	struct buf label;  /* may be empty */
	const char *style; /* a literal */
};
struct dot {
	const struct analysis *analysis;
	struct dot_node *node;
	struct dot_edge *edge;
	size_t count, capacity, edges, edge_capacity;
	size_t drawn, limit; /* nodes that are no notes */
};

/* Initializes a graph. False: *err, the requested limit is out of range. Call dot_fini in either
   case. */
bool dot_init(struct dot *dot, const struct analysis *analysis,
              const struct export_request *request, struct err *err);
void dot_fini(struct dot *dot);

bool dot_has(const struct dot *dot, struct entity entity);
/* Returns the place of an entity; adds a node with its size and retained size if it is new. */
size_t dot_add(struct dot *dot, struct entity entity, const char *style);
/* Adds a node with a note. */
size_t dot_add_note(struct dot *dot, const char *text);
/* Adds an edge, unless it exists. The label may be NULL. */
void dot_connect(struct dot *dot, size_t from, size_t to, const char *label, const char *style);

/* Appends the graph with a title, which must be printable. */
void dot_write(const struct dot *dot, const char *title, struct buf *out);
