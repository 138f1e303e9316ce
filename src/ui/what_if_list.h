/* What if some holders went: the list of what is cut, and how much would be freed, which a task
   counts. */
#ifndef UI_WHAT_IF_LIST_H
#define UI_WHAT_IF_LIST_H

#include "base/buf.h"
#include "base/err.h"
#include "table/table.h"

struct explorer;

struct what_if_list {
	struct buf cuts;           /* arguments of the table what-if, a blank between */
	size_t kept;               /* of its bytes, when those after them cannot be understood */
	struct explorer *explorer; /* whose it is, once something is cut */
	/* Of the task, until that has ended. */
	struct rows *rows; /* of that table; NULL: *err says why not */
	struct err err;
};

void what_if_list_fini(struct what_if_list *what_if_list); /* its task must have ended */

/* Cuts some more ("0xc000012340>0xc000056780 main.cache"), and says what would be freed. */
bool what_if_list_add(struct explorer *explorer, const char *cuts, struct err *err);
/* Takes the last one back, or all. */
bool what_if_list_undo(struct explorer *explorer, bool all, struct err *err);

#endif
