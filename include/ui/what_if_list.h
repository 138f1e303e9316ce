/* What if some holders went: the list of what is cut, and how much would be freed, which is counted
   beside the screen. */
#ifndef UI_WHAT_IF_LIST_H
#define UI_WHAT_IF_LIST_H

#include "base/buf.h"
#include "base/err.h"
#include "ui/table_loader.h"

struct explorer;

struct what_if_list {
	struct buf cuts;             /* arguments of the table cuts, a blank between */
	size_t kept;                 /* of its bytes, when those after them cannot be understood */
	struct table_loader *loader; /* of that table; NULL: nothing is being counted */
};

void what_if_list_fini(struct what_if_list *what_if_list);

/* Cuts some more ("0xc000012340>0xc000056780 main.cache"), and says what would be freed. */
bool what_if_list_add(struct explorer *explorer, const char *cuts, struct err *err);
/* Takes the last one back, or all. */
bool what_if_list_undo(struct explorer *explorer, bool all, struct err *err);

/* Is something being counted? what_if_list_work() goes on for some milliseconds and says how far it
   is. */
bool what_if_list_busy(const struct what_if_list *what_if_list);
void what_if_list_work(struct explorer *explorer);
void what_if_list_cancel(struct what_if_list *what_if_list);

#endif
