/* A small graph of objects and of what holds them, for graphviz: each node once, a line each. */
#ifndef MAIN_DOT_H
#define MAIN_DOT_H

#include "main/exporter.h"
#include "table/entity.h"

/* Graphviz takes minutes for more, and nobody reads it. */
enum { DOT_NODES = 100, DOT_NODES_MOST = 1000 };

struct dot_node {
	struct entity entity;
	const char *style; /* attributes more: literal */
	struct buf note;   /* what stands below its name; may be empty */
};
struct dot_edge {
	size_t from, to;
	struct buf label;  /* may be empty */
	const char *style; /* literal */
};
struct dot {
	const struct analysis *analysis;
	struct dot_node *node;
	struct dot_edge *edge;
	size_t count, capacity, edges, edge_capacity;
	size_t drawn, limit; /* nodes that are no notes */
};

/* False: *err, as more nodes are asked for than are drawn. dot_fini in any case. */
bool dot_init(struct dot *dot, const struct analysis *analysis,
              const struct export_request *request, struct err *err);
void dot_fini(struct dot *dot);

bool dot_has(const struct dot *dot, struct entity entity);
/* Its place, wherever it comes from; below a new one stand its size and what it retains. */
size_t dot_add(struct dot *dot, struct entity entity, const char *style);
/* A node that is a remark. */
size_t dot_add_note(struct dot *dot, const char *text);
/* The label may be NULL; what is there already is not drawn again. */
void dot_connect(struct dot *dot, size_t from, size_t to, const char *label, const char *style);

/* All of it below a title, of any bytes that are visible. */
void dot_write(const struct dot *dot, const char *title, struct buf *out);

#endif
