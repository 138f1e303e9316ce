/* Changes since the earlier dumps of the same process (analysis/series.h). */
#pragma once

#include "analysis/series.h"
#include "heap/name_part.h"
#include "table/cell.h"

/* Returns true if there are no earlier dumps; columns that compare are then empty. */
bool delta_absent(const struct rows *rows);
/* Returns the oldest dump; NULL: there are no earlier ones. */
const struct analysis *delta_oldest(const struct rows *rows);
/* Returns the same for tables of what is reachable; NULL also if the oldest dump has no roots. */
const struct analysis *delta_oldest_reached(const struct rows *rows);
/* Makes a column show how much more another column of the table has than in the row of the oldest
   earlier dump that is equal in the key columns (KEY, IDENTIFIES), if there is one. */
#define DELTA(column)                                                         \
	.of = {CLASS_DELTA, (column)}, .cell = delta_cell, .prepare = delta_open, \
	.absent = delta_absent, .is_signed = true
#define COUNT_DELTA_OF(column)                                   \
	.name = "count_delta", .title = "more", .kind = VALUE_COUNT, \
	.help = "How many more there are than in the oldest earlier dump", DELTA(column)
#define BYTES_DELTA_OF(column)                                         \
	.name = "bytes_delta", .title = "more bytes", .kind = VALUE_BYTES, \
	.help = "How many bytes more they take than in the oldest earlier dump", DELTA(column)
/* Opens the rows of the oldest dump for such columns; for struct rows. */
void delta_open(struct rows *rows, const char *argument);
/* The same for a table that compares by itself; `progress` may be NULL. With an error in *err,
   nothing is there; another one is what the oldest dump says. Sets rows->before. */
void delta_begin(struct rows *rows, const char *argument, struct progress *progress,
                 struct err *err);
/* Returns the row of rows->before that a row is compared with; SIZE_MAX: there is none. */
size_t delta_row(const struct rows *rows, size_t row);
void delta_cell(const struct rows *rows, size_t row, struct value *value);
/* The difference now - before, which may be negative. */
void cell_delta(struct value *value, enum value_kind kind, uint64_t before, uint64_t now);
/* The number of the first dump since which an object, or a thread, has existed; 1 is the
   oldest. */
void cell_born(struct value *value, const struct analysis *analysis, uint32_t object);
/* Returns true if the object has existed since the oldest dump. */
bool delta_is_old(const struct analysis *analysis, uint32_t object);
void cell_born_thread(struct value *value, const struct analysis *analysis, uint32_t thread);
/* The first dump since which a thread has waited for the same thing; empty: it did not wait for
   it in the dump before this one. */
void cell_stuck_since(struct value *value, const struct analysis *analysis, uint32_t thread);

/* The parts of names that differ between two dumps of a process: names without them compare. */
enum { DELTA_WITHOUT = NAME_COUNT | NAME_ADDRESS };

/* `function` tells where they are absent: delta_absent, or another one. */
#define COUNT_DELTA(function)                                    \
	.name = "count_delta", .title = "more", .kind = VALUE_COUNT, \
	.help = "How many more there are than in the oldest earlier dump", .absent = function
#define BYTES_DELTA(function)                                          \
	.name = "bytes_delta", .title = "more bytes", .kind = VALUE_BYTES, \
	.help = "How many bytes more they take than in the oldest earlier dump", .absent = function
#define RETAINED_DELTA(function)                                         \
	.name = "retained_delta", .title = "more held", .kind = VALUE_BYTES, \
	.help = "How many bytes more they retain than in the oldest earlier dump", .absent = function
#define BORN_HELP "The first of the dumps, 1 for the oldest, since which it has been there"

#define STUCK_SINCE                                                                                \
	.name = "stuck_since", .title = "stuck since", .kind = VALUE_COUNT, .absent = delta_absent,    \
	.help = "The first of the dumps, 1 for the oldest, since which it has waited for the same at " \
			"the same place, and has not run as far as collections have noted; none: not in the "  \
			"last dump before this one"
