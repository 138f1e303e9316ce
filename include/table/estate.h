/* Rows of the tables that go down a tree of dominators: holdings, nodes, and nodes that are alike
   as one row. What is below a row is made when it is asked for. */
#ifndef TABLE_ESTATE_H
#define TABLE_ESTATE_H

#include "table/kin.h"
#include "table/table.h"

enum branch_kind {
	BRANCH_HOLDING,  /* id: of owners->holding */
	BRANCH_TOGETHER, /* says when a holding of several owners goes; id: the holding */
	BRANCH_OWNER,    /* one of these; id: of owners->owner */
	BRANCH_OTHERS,   /* those of them that are not shown yet; id: the holding */
	BRANCH_NODE,     /* id: a node */
	BRANCH_GROUP,    /* nodes that are alike; id: one of them */
	BRANCH_REST      /* those that are not shown yet */
};

struct branch {
	uint8_t kind;
	bool made;                   /* is what is below it there? */
	uint32_t id, count;          /* count: nodes */
	uint32_t objects;
	uint64_t bytes;              /* what the nodes retain */
	struct ids nodes;            /* of a group, and of the rest of one */
	uint32_t stock;              /* of a group, a rest, or a holding: where it is from; 0: none */
	size_t first_below, below;   /* rows */
	size_t shown;                /* of a rest: kins before it, or UINT32_MAX: nodes, up to `id` */
};

/* What groups are from: the nodes below one, or those of a holding. */
struct stock {
	struct kins kins;
	uint32_t node, holding; /* one of them, the other is OBJECT_NONE */
};

struct estate {
	const struct analysis *analysis;
	const struct owners *owners;
	struct branch *branch; /* by row */
	size_t capacity;
	struct stock *stock;   /* 0 is nothing */
	size_t stocks, stock_capacity;
	struct kins prepared;  /* of the row prepared_row - 1; 0: of none */
	size_t prepared_row;
};

/* They make the topmost rows, all of them, and fill rows->data and count: of all owners, of what goes
   with a node, of some nodes themselves, ascending. False: *err. */
bool estate_open_owners(struct rows *rows, struct err *err);
bool estate_open_node(struct rows *rows, uint32_t node, struct err *err);
bool estate_open_nodes(struct rows *rows, struct ids nodes, struct err *err);
void estate_close(struct rows *rows);

const struct branch *estate_branch(const struct rows *rows, size_t row);
/* Of a group: what it is from. */
const struct stock *estate_stock(const struct rows *rows, const struct branch *branch);
/* The alike nodes that a holding is made of; NULL for one that is a single node. */
const struct kins *estate_kins(const struct rows *rows, const struct branch *branch);

extern const struct table_tree estate_tree;

#endif
