/* The forms in which rows are printed: aligned text, JSON, lines of JSON, CSV. Rows are written one
 * by one. */
#ifndef MAIN_WRITER_H
#define MAIN_WRITER_H

#include "main/columns.h"
#include "main/selection.h"
#include "ui/explorer.h"

struct writing {
	const struct rows *rows;
	const struct selection *selection;
	size_t count; /* how many are printed */
	size_t at;    /* the one that is */
	const struct columns *columns;
	struct buf *out, cell;
	int width[COLUMNS_MOST]; /* of text: by place */
};

struct writer {
	void (*begin)(struct writing *writing);
	void (*row)(struct writing *writing, size_t row);
	void (*end)(struct writing *writing);
};
extern const struct writer writer_text, writer_json, writer_csv, writer_jsonl;

/* Prints rows in an order (NULL: as they are), at most `limit` of them, and of these some columns
 * (NULL: all). False: the output has failed. */
bool writer_print(enum output output, const struct rows *rows, const struct columns *columns,
                  const struct selection *selection, size_t limit, struct buf *out);
/* The same into a buffer that keeps all: rows by their numbers. */
void writer_collect(enum list_form form, const struct rows *rows, uint32_t *row, size_t count,
                    struct buf *out);
/* Do its cells end at their column's right edge? */
bool column_is_right(const struct column *column);
/* Is the depth of rows a column of its own? Not where the table has one. */
bool writing_tells_depth(const struct writing *writing);
/* The number of the row that is printed at a place. */
size_t writing_row(const struct writing *writing, size_t place);

/* A CSV cell: quoted where it must be. */
void csv_text(struct buf *out, const char *text);
/* One that is quoted, and nothing else is done to it. */
void csv_quoted(struct buf *out, const char *text);
void csv_value(struct buf *out, const struct value *value);
/* The cells of a row, and the end of the line. */
void csv_row(struct buf *out, const struct rows *rows, size_t row, const struct columns *columns);

#endif
