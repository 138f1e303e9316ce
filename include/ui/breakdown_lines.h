/* The lines of a heap that is broken down, as a tree that opens and closes: each opens into its
   parts, by call stack or by type. */
#ifndef UI_BREAKDOWN_LINES_H
#define UI_BREAKDOWN_LINES_H

#include "table/choice.h"

struct breakdown_line {
	struct part part;  /* cell CELL_NONE: <other> */
	enum axis axis;    /* along which it is a part */
	enum axis by;      /* along which its own parts are shown */
	int depth;
	bool open, can_open;
};

struct breakdown_lines {
	struct account_set set;
	struct choice choice;
	const struct account *account;
	struct breakdown *breakdown;
	struct breakdown_line *line;
	size_t count, capacity;
};

/* Makes the lines anew: the whole, opened as far as one part is more than half of it. */
void breakdown_lines_start(struct breakdown_lines *lines);
/* Nothing happens where that cannot be done. */
void breakdown_lines_open(struct breakdown_lines *lines, size_t row);
void breakdown_lines_close(struct breakdown_lines *lines, size_t row);
/* Opens a line by the other axis. False: there is nothing more that way. */
bool breakdown_lines_turn(struct breakdown_lines *lines, size_t row, struct err *err);
/* Bytes of the whole. */
uint64_t breakdown_lines_total(const struct breakdown_lines *lines);

#endif
