/* A page: a description of a dump or an object, as a document that a report builds once and others
   render: on the screen (ui/page_view.h), as text, JSON or CSV (main/print/page_print.h). For
   people it has lines, which consist of pieces of text with a style, a position and a command for
   Enter; for programs it has named values. A report adds both side by side, and the page ignores
   what its form does not use. Long lists do not belong on a page: it shows some rows of a table,
   read when they are rendered.

   A page is written until it is built, and read-only afterwards, until the next page_clear. */
#pragma once

#include "analysis/analysis.h"
#include "base/buf.h"
#include "report/style.h"
#include "table/table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PAGE_TEXT_COLUMN = 14 }; /* column of texts on lines with a name in front */

/* The forms of a page; bits, so that a section can be for several. */
enum form {
	FORM_SCREEN = 1,
	FORM_TEXT = 2,
	FORM_JSON = 4,
	FORM_CSV = 8,
	FORM_PEOPLE = FORM_SCREEN | FORM_TEXT,
	FORM_PROGRAMS = FORM_JSON | FORM_CSV,
	FORM_ALL = FORM_PEOPLE | FORM_PROGRAMS
};

/* The position of a piece on its line. */
enum page_place {
	PAGE_NEXT,  /* after the previous piece */
	PAGE_LEFT,  /* from a column on, or after a gap if the previous piece is longer */
	PAGE_RIGHT, /* right-aligned up to a column, or after a gap */
	PAGE_REST,  /* like PAGE_LEFT, but up to the edge, truncated in the middle */
	PAGE_BAR,   /* a bar from a column on, or after a gap */
};

struct page_piece {
	enum page_place place;
	enum style style;
	int column;
	size_t text;  /* in page->text */
	double share; /* PAGE_BAR */
};

/* Returns the column where a piece of so many columns begins; the previous one ends at column x,
   exclusive (0: there is none). */
int page_piece_start(const struct page_piece *piece, int x, int columns);

struct page_line {
	size_t first, count;     /* its pieces */
	size_t link;             /* in page->text; 0: none */
	uint64_t address;        /* the object of the line; 0: none */
	const struct rows *rows; /* not NULL: a row of this table, or its column heads */
	size_t row;              /* SIZE_MAX: the column heads */
	size_t row_count;        /* FORM_TEXT: the number of rows, shown with column heads */
};

/* A value for programs, or the start or end of a group of values. */
struct page_datum {
	enum { DATUM_VALUE, DATUM_OPEN, DATUM_CLOSE, DATUM_ROWS } kind;
	size_t name;             /* in page->text; 0: none, in an array */
	bool array;              /* a group whose values have no names */
	struct value value;      /* its text is in `text`: */
	size_t text;             /* in page->text */
	const struct rows *rows; /* rows of this table, as an array */
	size_t row, row_count;
};

/* A table of which a page shows some rows. */
struct page_list {
	const struct rows *rows;
	size_t link; /* the command that opens it, in page->text */
};
enum { PAGE_LISTS = 8 }; /* an upper bound */

/* Initialized by `struct page page = {0}`, for the screen. */
struct page {
	const struct analysis *analysis;
	enum form form;
	size_t limit; /* maximum rows of a table in forms without links to the whole table */
	size_t spare; /* additional lines for each list, if the screen has room */
	struct page_line *lines;
	size_t count, capacity;
	struct page_piece *pieces;
	size_t piece_count, piece_capacity;
	struct page_datum *data;
	size_t data_count, data_capacity;
	struct page_list lists[PAGE_LISTS];
	size_t list_count;
	uint64_t arrays; /* by open group: 1 for an array; the innermost is the lowest bit */
	struct buf text; /* texts of pieces and links, each with its NUL */
	/* Data of a report (report/report.h). */
	void *own;
	struct buf title, side; /* as of a view */
	uint64_t address;       /* the object of the whole page; 0: none */
	size_t cursor;          /* the initial line of the cursor; 0: the first with a link */
	bool none;              /* the result is empty */
};

void page_clear(struct page *page); /* reuses the memory, and keeps the data of a report */
void page_fini(struct page *page);

/* ---- For people. page_line begins a line. link: the command of Enter, NULL for none. */
void page_line(struct page *page, const char *link);
void page_linef(struct page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
void page_address(struct page *page, uint64_t address); /* sets the object of the current line */
/* Add a complete line for a row or the column heads; `rows` must outlive the page. */
void page_heads(struct page *page, const struct rows *rows);
void page_row(struct page *page, const struct rows *rows, size_t row);

/* Add pieces to the current line. `column` counts from 0; for PAGE_RIGHT it is the end of the
   piece, exclusive; PAGE_NEXT ignores it. */
void page_put(struct page *page, enum page_place place, int column, enum style style,
              const char *text);
void page_putf(struct page *page, enum page_place place, int column, enum style style,
               const char *format, ...) __attribute__((format(printf, 5, 6)));
void page_size(struct page *page, int right, uint64_t bytes);
void page_count(struct page *page, int right, uint64_t count);
void page_share(struct page *page, int right, uint64_t part, uint64_t whole);
void page_bar(struct page *page, int column, uint64_t part, uint64_t whole);

/* Adds rows of a table, the first `shown` of `count` from `from` on: with column heads, and the
   number of rows not shown. `link` opens the whole table. A search covers all rows. */
void page_rows(struct page *page, const struct rows *rows, size_t from, size_t count, size_t shown,
               const char *link);
/* Adds the first `shown` of all rows, with column heads, for the screen; `under` adds a line below
   a row, or nothing and returns false, until there are `most` such lines. */
void page_rows_under(struct page *page, const struct rows *rows, size_t shown, const char *link,
                     bool (*under)(struct page *page, const struct rows *rows, size_t row),
                     size_t most);
/* Adds a line " name   text" with a link. */
void page_entry(struct page *page, const char *link, enum style name_style, const char *name,
                enum style style, const char *text);
/* Adds an empty line and the head of a section; link may be NULL. */
void page_section(struct page *page, const char *name, const char *link);
/* Add a line " name   text". */
void page_field(struct page *page, const char *name, const char *text);
void page_fieldf(struct page *page, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Adds a line that says that a section is not ready yet. */
void page_waiting(struct page *page, const char *name, enum stage stage);
/* Adds a text from a column of the current line on, wrapped into several lines. */
void page_paragraph(struct page *page, int column, enum style style, const char *text);

/* ---- For programs. Names are those of JSON and CSV, and stable; NULL in an array. */
void page_open(struct page *page, const char *name);
void page_open_array(struct page *page, const char *name);
void page_close(struct page *page);
void page_value(struct page *page, const char *name, struct value value);
void page_number(struct page *page, const char *name, uint64_t number);
void page_hex(struct page *page, const char *name, uint64_t address); /* null if 0 */
void page_bool(struct page *page, const char *name, bool value);
void page_null(struct page *page, const char *name);
void page_string(struct page *page, const char *name, const char *text); /* null if NULL */
/* Adds all rows of a table, up to the limit; `rows` must outlive the page. JSON gets a number
   NAME_left_out after them if there are more. */
void page_table(struct page *page, const char *name, const struct rows *rows);
/* Adds a text; null if it is empty. */
void page_text(struct page *page, const char *name, const struct buf *text);
/* Adds a text from the dump, escaped. */
void page_escaped(struct page *page, const char *name, struct text text);
