/* Rows of the tables that show a dominator tree: shared sets, nodes, and groups of similar nodes.
   Child rows are created on demand. */
#pragma once

#include "analysis/what_if.h"
#include "table/columns.h"
#include "table/owners/node_group.h"
#include "table/owners/owner_libraries.h"
#include "table/owners/owner_place.h"
#include "table/paths/path_steps.h"

enum owner_row_kind {
	OWNER_ROW_HOLDING,  /* a shared set; id: index in owners->shared_set */
	OWNER_ROW_TOGETHER, /* says when a set of several owners is freed; id: the shared set */
	OWNER_ROW_OWNER,    /* one of these owners; id: index in owners->owner */
	OWNER_ROW_OTHERS,   /* the owners that are not shown yet; id: the shared set */
	OWNER_ROW_NODE,     /* id: a node */
	OWNER_ROW_GROUP,    /* similar nodes; id: one of them */
	OWNER_ROW_REST,     /* the nodes that are not shown yet */
	OWNER_ROW_LIBRARIES /* the variables of libraries, on a screen */
};

struct owner_row {
	uint8_t kind;
	bool made;          /* the child rows exist */
	bool part;          /* it has a size; false: it is about the owners of a shared set */
	uint32_t id, count; /* count: nodes */
	uint32_t objects;
	uint64_t bytes;            /* retained bytes of the nodes */
	struct ids nodes;          /* of a group, and of the rest of one */
	uint32_t above;            /* 1 + the node of the parent row; 0: none */
	uint32_t source;           /* of a group, a rest, or a shared set: its source; 0: none */
	size_t first_below, below; /* child rows */
	size_t shown; /* of a rest: number of groups before it, or SIZE_MAX: nodes, up to `id` */
};

/* The origin of groups: the nodes below a node, or those of a shared set. */
struct group_source {
	struct node_groups groups;
	bool borrowed;             /* the groups belong to the cached shared_groups */
	uint32_t node, shared_set; /* one of them is set, the other is OBJECT_NONE */
	struct owner_place place;  /* of a shared set; OBJECT_NONE: it has no significant one */
};

struct owner_tree {
	const struct analysis *analysis;
	const struct owners *owners;
	struct owner_row *owner_row; /* by row */
	size_t capacity;
	struct group_source *source; /* source[0] is unused */
	size_t sources, source_capacity;
	struct node_groups prepared; /* groups for row prepared_row - 1; prepared_row 0: none */
	size_t prepared_row;
	/* The places of nodes with several owners, and of all objects */
	const struct path_tree *shared_places, *places; /* NULL: none, or not yet */
	struct owner_delta *delta; /* of the table owners: changes since the oldest dump; NULL: none */
	struct freed together;     /* what the nodes of the only topmost row retain, with stacks */
	bool knows_together;
	const struct owner_libraries *libraries; /* of the table owners; NULL: none, or not yet */
};

/* For each shared set, its groups of similar nodes and the place of most of them; computed once, if
   types are ready and parts are not shown (analysis/kept.h). Sets that are one node have none. */
struct shared_groups {
	struct group_source *source;
	size_t count;
};
extern const struct kept_kind shared_groups_kept;
bool shared_group_is_node(const struct owners *owners, uint32_t shared_set);
/* Computes the groups and place of one shared set. False: cancelled. */
bool shared_group_make(const struct analysis *analysis, const struct owners *owners,
                       const struct path_tree *shared_places, uint32_t shared_set,
                       struct progress *progress, struct group_source *source);

/* Create all topmost rows, and fill rows->data and count: of all owners; of the nodes that a node
   dominates; of given nodes, ascending. False: *err. */
bool owner_tree_open_owners(struct rows *rows, struct err *err);
bool owner_tree_open_node(struct rows *rows, uint32_t node, struct err *err);
bool owner_tree_open_nodes(struct rows *rows, struct ids nodes, struct err *err);
/* Shows what the nodes of the only topmost row retain together. */
void owner_tree_retain_together(struct rows *rows, const struct freed *freed);
void owner_tree_close(struct rows *rows);

/* Helpers to create rows: append a row; make the row of a node; add a source and return its number;
   append all rows of a source. */
void owner_tree_add_row(struct rows *rows, struct owner_row owner_row);
struct owner_row owner_tree_row_of_node(const struct owner_tree *e, uint32_t node);
uint32_t owner_tree_keep_source(struct owner_tree *e, struct group_source source);
uint32_t owner_tree_keep(struct owner_tree *e, struct node_groups groups, uint32_t node);
void owner_tree_add_source(struct rows *rows, uint32_t source);

const struct owners *owner_tree_owners(const struct rows *rows);
const struct owner_row *owner_tree_row(const struct rows *rows, size_t row);
/* Returns true for a topmost row of variables of libraries. */
bool owner_tree_is_folded(const struct rows *rows, size_t row);
/* Returns the source of a group. */
const struct group_source *owner_tree_source(const struct rows *rows,
                                             const struct owner_row *owner_row);
/* Returns the groups of similar nodes in a shared set; NULL for a row that is a single node. */
const struct node_groups *owner_tree_groups(const struct rows *rows,
                                            const struct owner_row *owner_row);

/* Appends the steps from the parent row to all of a group: "[*].Bytes". False: unknown. */
bool owner_tree_add_place(const struct rows *rows, const struct owner_row *owner_row,
                          struct buf *out);

/* Returns the children of a node, ascending, at most `most`; parts of a map are skipped in favor of
   their children, unless parts are shown. The caller frees the result. */
uint32_t *owner_tree_children(struct path_arrays *arrays, const struct owner_tree *e, uint32_t node,
                              size_t most, size_t *count);
/* Groups the children of a node by similarity. False: cancelled. */
bool owner_tree_group(const struct owner_tree *e, uint32_t node, struct progress *progress,
                      struct node_groups *groups);

extern const struct table_tree owner_tree_tree;

/* ---- Columns and cells */

enum { OWNER_TREE_COLUMNS = 17, TOP_COLUMNS = 9 };
extern const struct column owner_tree_columns[OWNER_TREE_COLUMNS];
extern const struct column top_columns[TOP_COLUMNS]; /* fewer, for the shell */

/* Links groups to a list of their members, and nodes to their pages. */
void owner_tree_link(const struct rows *rows, size_t row, struct buf *command);
enum row_style owner_tree_style(const struct rows *rows, size_t row);
struct entity owner_tree_entity(const struct rows *rows, size_t row);

/* ---- Owners, and names of rows */

struct entity entity_of_owner(const struct owner *owner);
/* Stores the owners of a shared set, at most OWNERS_MOST, in `out`, the most significant first:
   named variables of the program, threads (the largest group first), then the rest. */
void owner_tree_order_owners(const struct analysis *analysis, const struct owners *owners,
                             struct ids set, uint32_t *out);
/* Appends "main.cache", or how many alike there are and their name. */
void owner_tree_add_owner(const struct analysis *analysis, const struct owner *owner,
                          struct buf *out);
/* Appends the owners of a shared set, the most significant first: "main.cache", "main.gCache and
   main.gCacheLast", "main.a and 7 more", "more than 64 owners". */
void owner_tree_add_owners(const struct analysis *analysis, const struct owners *owners,
                           struct ids set, struct buf *out);
/* Appends the name of a row, with shortened package paths. The name of an owner is not shortened,
   because it serves as an argument. */
void owner_tree_add_name(const struct rows *rows, const struct owner_row *owner_row,
                         struct buf *out);

/* ---- Retained sizes in the oldest earlier dump of the process */

struct owner_delta;

/* Computes the sizes for the topmost rows of a table of owners, right after opening. *delta is NULL
   without an earlier dump. False: *err. */
bool owner_delta_open(const struct rows *rows, struct owner_delta **delta, struct err *err);
void owner_delta_close(struct owner_delta *delta);

bool owner_delta_absent(const struct rows *rows); /* for struct column */
column_cell owner_delta_count_cell, owner_delta_retained_cell;
