/* What if some holders went: the list of what is cut, and how much would be freed, which is counted
   beside the screen. */
#ifndef UI_CUTTING_H
#define UI_CUTTING_H

#include "base/buf.h"
#include "base/err.h"
#include "ui/opening.h"

struct explorer;

struct cutting {
	struct buf cuts;         /* arguments of the table cuts, a blank between */
	size_t kept;             /* of its bytes, when those after them cannot be understood */
	struct opening *opening; /* of that table; NULL: nothing is being counted */
};

void cutting_fini(struct cutting *cutting);

/* Cuts some more ("0xc000012340>0xc000056780 main.cache"), and says what would be freed. */
bool cutting_add(struct explorer *explorer, const char *cuts, struct err *err);
/* Takes the last one back, or all. */
bool cutting_undo(struct explorer *explorer, bool all, struct err *err);

/* Is something being counted? cutting_work() goes on for some milliseconds and says how far it
   is. */
bool cutting_busy(const struct cutting *cutting);
void cutting_work(struct explorer *explorer);
void cutting_cancel(struct cutting *cutting);

#endif
