/* What-if: the list of cuts, and the memory that they would free, which a task counts. */
#ifndef UI_WHAT_IF_LIST_H
#define UI_WHAT_IF_LIST_H

#include "base/buf.h"
#include "base/err.h"
#include "table/table.h"

struct explorer;

struct what_if_list {
	struct buf cuts;           /* arguments of the table what-if, separated by blanks */
	size_t kept;               /* number of bytes to keep if the rest is malformed */
	struct explorer *explorer; /* set by the first cut */
	/* Owned by the task until it ends. */
	struct rows *rows; /* rows of that table; NULL: *err says why */
	struct err err;
};

void what_if_list_fini(struct what_if_list *what_if_list); /* its task must have ended */

/* Adds cuts ("0xc000012340>0xc000056780 main.cache"), and reports what they would free. */
bool what_if_list_add(struct explorer *explorer, const char *cuts, struct err *err);
/* Removes the last cut, or all. */
bool what_if_list_undo(struct explorer *explorer, bool all, struct err *err);

#endif
