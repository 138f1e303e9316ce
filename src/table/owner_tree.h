/* Rows of the tables that go down a tree of dominators: shared sets, nodes, and nodes that are
   alike as one row. What is below a row is made when it is asked for. */
#ifndef TABLE_OWNER_TREE_H
#define TABLE_OWNER_TREE_H

#include "table/node_group.h"
#include "table/owner_place.h"
#include "table/table.h"

enum owner_row_kind {
	OWNER_ROW_HOLDING,  /* id: of owners->shared_set */
	OWNER_ROW_TOGETHER, /* says when a shared set of several owners goes; id: the shared set */
	OWNER_ROW_OWNER,    /* one of these; id: of owners->owner */
	OWNER_ROW_OTHERS,   /* those of them that are not shown yet; id: the shared set */
	OWNER_ROW_NODE,     /* id: a node */
	OWNER_ROW_GROUP,    /* nodes that are alike; id: one of them */
	OWNER_ROW_REST      /* those that are not shown yet */
};

struct owner_row {
	uint8_t kind;
	bool made;          /* is what is below it there? */
	uint32_t id, count; /* count: nodes */
	uint32_t objects;
	uint64_t bytes;            /* what the nodes retain */
	struct ids nodes;          /* of a group, and of the rest of one */
	uint32_t above;            /* 1 + the node that it is below; 0: of none */
	uint32_t source;           /* of a group, a rest, or a shared set: where it is from; 0: none */
	size_t first_below, below; /* rows */
	size_t shown;              /* of a rest: groups before it, or SIZE_MAX: nodes, up to `id` */
};

/* What groups are from: the nodes below one, or those of a shared set. */
struct group_source {
	struct node_groups groups;
	bool shared;               /* the groups are of the joint ones, which others have, too */
	uint32_t node, shared_set; /* one of them, the other is OBJECT_NONE */
	struct owner_place place;  /* of a shared set; OBJECT_NONE: it has none that tells */
};

struct owner_tree {
	const struct analysis *analysis;
	const struct owners *owners;
	const struct dominator_children *children; /* in their tree */
	struct owner_row *owner_row;               /* by row */
	size_t capacity;
	struct group_source *source; /* 0 is nothing */
	size_t sources, source_capacity;
	struct node_groups prepared; /* of the row prepared_row - 1; 0: of none */
	size_t prepared_row;
	/* Of what several hold, of all objects, and of these until the screen takes them */
	const struct path_tree *joint, *places; /* NULL: none, or not yet */
	struct owner_delta *delta; /* of the table owners: since the oldest dump; NULL: there is none */
};

/* By shared set: those of it that are alike and where most of them hangs; made once, while types
   are there and parts are not shown (analysis/kept.h). Those that are one node have none. */
struct joint_groups {
	struct group_source *source;
	size_t count;
};
extern const struct kept_kind joint_groups_kept;
bool joint_group_is_node(const struct owners *owners, uint32_t shared_set);
/* The same of one shared set, made for whoever asks. False: cancelled. */
bool joint_group_make(const struct analysis *analysis, const struct owners *owners,
                      const struct path_tree *joint, uint32_t shared_set, struct progress *progress,
                      struct group_source *source);

/* They make the topmost rows, all of them, and fill rows->data and count: of all owners, of what
   goes with a node, of some nodes themselves, ascending. False: *err. */
bool owner_tree_open_owners(struct rows *rows, struct err *err);
bool owner_tree_open_node(struct rows *rows, uint32_t node, struct err *err);
bool owner_tree_open_nodes(struct rows *rows, struct ids nodes, struct err *err);
void owner_tree_close(struct rows *rows);

/* What these are made with: a row; that of a node; a source, whose number is returned; all the rows
   of a source. */
void owner_tree_add_row(struct rows *rows, struct owner_row owner_row);
struct owner_row owner_tree_row_of_node(const struct owner_tree *e, uint32_t node);
uint32_t owner_tree_keep_source(struct owner_tree *e, struct group_source source);
uint32_t owner_tree_keep(struct owner_tree *e, struct node_groups groups, uint32_t node);
void owner_tree_add_source(struct rows *rows, uint32_t source);

const struct owners *owner_tree_owners(const struct rows *rows);
const struct owner_row *owner_tree_row(const struct rows *rows, size_t row);
/* Of a group: what it is from. */
const struct group_source *owner_tree_source(const struct rows *rows,
                                             const struct owner_row *owner_row);
/* The alike nodes that a shared set is made of; NULL for one that is a single node. */
const struct node_groups *owner_tree_groups(const struct rows *rows,
                                            const struct owner_row *owner_row);

/* What leads to all of a group from the row above: "[*].Bytes". False: that is not known. */
bool owner_tree_add_place(const struct rows *rows, const struct owner_row *owner_row,
                          struct buf *out);

/* What a node dominates; a map with all its parts, unless these are rows of their own. No more than
   `most` of them, ascending. free() it. */
uint32_t *owner_tree_children(const struct owner_tree *e, uint32_t node, size_t most,
                              size_t *count);
/* The same, those that are alike together. False: cancelled. */
bool owner_tree_group(const struct owner_tree *e, uint32_t node, struct progress *progress,
                      struct node_groups *groups);

extern const struct table_tree owner_tree_tree;

#endif
