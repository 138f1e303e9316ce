/* Rows of a table, of which those with the same values are read once, with their number: a multiset
   with multiplicities. Private to src/table/query.

   Rows are compared within a block of consecutive rows, so that their number needs no memory, and
   each stands where the first of its equals is. A row whose values cannot be compared stands for
   itself. */
#pragma once

#include "table/codes.h"

/* Name of the hidden column that has the number of equal rows. A query that reads it gets rows that
   are equal in all of the columns that it reads once, if they are near each other. */
#define EQUAL_ROWS "equal rows"

/* A number times the number of equal rows in a block is below 2^63. */
enum { FOLDED_BLOCK_BITS = 18, FOLDED_NUMBER_BITS = 63 - FOLDED_BLOCK_BITS };

struct sql_folded;

/* Returns true for a column of texts with codes or of numbers: its values can be compared. */
bool sql_folded_has(const struct column *column);

/* `columns`: bit i is column i. Rows with other columns stand for themselves. */
struct sql_folded *sql_folded_new(uint64_t columns);
void sql_folded_free(struct sql_folded *folded);
/* Begins with the rows from `first` up to `end`; `codes` are those of the rows
   (codes_of_column), `order` is the row at each place, NULL: itself. */
void sql_folded_begin(struct sql_folded *folded, const struct rows *rows, struct codes **codes,
                      const size_t *order, size_t first, size_t end);
/* Moves to the next row and stores its place; `end` after the last one. False: cancelled. */
bool sql_folded_next(struct sql_folded *folded, struct progress *progress, size_t *place);
/* Returns the number of rows that the current one stands for. */
uint32_t sql_folded_equal(const struct sql_folded *folded);
