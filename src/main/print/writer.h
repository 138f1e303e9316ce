/* Output of rows as aligned text, JSON, JSON lines or CSV, one row at a time. */
#pragma once

#include "main/options/selection.h"
#include "main/print/columns.h"
#include "ui/explorer.h"

struct writing {
	const struct rows *rows;
	const struct selection *selection;
	size_t first, count; /* the first row that is printed, and the one after the last */
	size_t at;           /* the current row */
	const struct columns *columns;
	struct buf *out, cell;
	int width[COLUMNS_MOST]; /* of text: by place */
};

/* `begin` and `end` may be NULL. */
struct writer {
	void (*begin)(struct writing *writing);
	void (*row)(struct writing *writing, size_t row);
	void (*end)(struct writing *writing);
};
extern const struct writer writer_text, writer_json, writer_csv, writer_jsonl;

/* Prints rows in an order (NULL: the table's), up to `limit`, with some columns (NULL: all). False:
   the output has failed. */
bool writer_print(enum output output, const struct rows *rows, const struct columns *columns,
                  const struct selection *selection, size_t limit, struct buf *out);
/* Appends rows, by number, to a buffer that holds all of them. */
void writer_collect(enum list_form form, const struct rows *rows, uint32_t *row, size_t count,
                    struct buf *out);
/* Returns true if cells of the column are right-aligned. */
bool column_is_right(const struct column *column);
/* Returns true if the depth of rows is a column of the output: not if the table has one. */
bool writing_tells_depth(const struct writing *writing);
/* Returns the number of the row at a place. */
size_t writing_row(const struct writing *writing, size_t place);

/* Appends a CSV cell, quoted if necessary. */
void csv_text(struct buf *out, const char *text);
/* Appends a quoted CSV cell without other changes. */
void csv_quoted(struct buf *out, const char *text);
void csv_value(struct buf *out, const struct value *value);
/* Appends the cells of a row and the end of the line. */
void csv_row(struct buf *out, const struct rows *rows, size_t row, const struct columns *columns);
