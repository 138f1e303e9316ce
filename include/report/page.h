/* A page: what there is to say of something (a dump, an object), as a document that is put together
   once for whoever asks and rendered elsewhere: on the screen (ui/page_view.h), as text, JSON or
   CSV (main/page_print.h). For people it has lines, which are pieces of text, each with a style and
   a place, and what Enter does on them; for programs it has values with names. Whoever builds one
   says both, one beside the other; what the form of the page has no use for is not kept. Long lists
   are no pages: of a table it has some rows, which are read as they are rendered.

   Written until it has been built, then only read, until the next page_clear. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "base/buf.h"
#include "report/style.h"
#include "table/table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PAGE_TEXT_COLUMN = 14 }; /* where texts begin on lines that have a name in front */

/* What a page is built for; bits, so that a part of it can be for several. */
enum form {
	FORM_SCREEN = 1,
	FORM_TEXT = 2,
	FORM_JSON = 4,
	FORM_CSV = 8,
	FORM_PEOPLE = FORM_SCREEN | FORM_TEXT,
	FORM_PROGRAMS = FORM_JSON | FORM_CSV,
	FORM_ALL = FORM_PEOPLE | FORM_PROGRAMS
};

/* Where a piece is put on its line. */
enum page_place {
	PAGE_NEXT,  /* after the piece before it */
	PAGE_LEFT,  /* from a column on, or a blank after the piece before it when that is longer */
	PAGE_RIGHT, /* up to a column, right-aligned */
	PAGE_REST,  /* as PAGE_LEFT, but to the edge and cut in the middle */
	PAGE_BAR,   /* from a column on, a bar */
};

struct page_piece {
	enum page_place place;
	enum style style;
	int column;
	size_t text;  /* in page->text */
	double share; /* PAGE_BAR */
};

struct page_line {
	size_t first, count;     /* its pieces */
	size_t link;             /* in page->text; 0: none */
	uint64_t address;        /* the object that it is about; 0: none */
	const struct rows *rows; /* not NULL: a row of this table, or its heads */
	size_t row;              /* SIZE_MAX: the heads */
	size_t row_count;        /* FORM_TEXT: that many rows, with their heads */
};

/* A value for programs, or where a group of them begins or ends. */
struct page_datum {
	enum { DATUM_VALUE, DATUM_OPEN, DATUM_CLOSE, DATUM_ROWS } kind;
	size_t name;             /* in page->text; 0: none, in an array */
	bool array;              /* of a group: its values have no names */
	struct value value;      /* its text: */
	size_t text;             /* in page->text */
	const struct rows *rows; /* of this table some rows, in an array */
	size_t row, row_count;
};

/* A table of which a page shows some rows. */
struct page_list {
	const struct rows *rows;
	size_t link; /* the command that opens it, in page->text */
};
enum { PAGE_LISTS = 8 }; /* more than any page has */

/* Start with `struct page page = {0}`, which is one for the screen. */
struct page {
	const struct analysis *analysis;
	enum form form;
	size_t limit; /* rows of a table in a form that has no links to all of them */
	size_t spare; /* lines that each list has beyond its usual ones: there is room for them */
	struct page_line *lines;
	size_t count, capacity;
	struct page_piece *pieces;
	size_t piece_count, piece_capacity;
	struct page_datum *data;
	size_t data_count, data_capacity;
	struct page_list lists[PAGE_LISTS];
	size_t list_count;
	uint64_t arrays; /* of the groups that are open: a bit each, the innermost lowest */
	struct buf text; /* what pieces and links say, each with its NUL */
	/* Of a report (report/report.h). */
	void *own;
	struct buf title, side; /* as of a view */
	uint64_t address;       /* the object that all of it is about; 0: none */
	size_t cursor;          /* the line to begin at; 0: the first with a link */
	bool none;              /* the answer is that there is none */
};

void page_clear(struct page *page); /* keeps the memory, and what is of a report */
void page_fini(struct page *page);

/* ---- For people. Begins a line. link: the command of Enter, NULL for none. */
void page_line(struct page *page, const char *link);
void page_linef(struct page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
void page_address(struct page *page, uint64_t address); /* of the line begun last */
/* Begins and ends a line of a table; `rows` must stay open as long as the page. */
void page_heads(struct page *page, const struct rows *rows);
void page_row(struct page *page, const struct rows *rows, size_t row);

/* Pieces of the line begun last. `column` counts from 0; for PAGE_RIGHT it is the one after the
   piece, to PAGE_NEXT it means nothing. */
void page_put(struct page *page, enum page_place place, int column, enum style style,
              const char *text);
void page_putf(struct page *page, enum page_place place, int column, enum style style,
               const char *format, ...) __attribute__((format(printf, 5, 6)));
void page_size(struct page *page, int right, uint64_t bytes);
void page_count(struct page *page, int right, uint64_t count);
void page_share(struct page *page, int right, uint64_t part, uint64_t whole);
void page_bar(struct page *page, int column, uint64_t part, uint64_t whole);

/* Rows of a table, `count` from a first one on, of which `shown` are: with their heads, and how
   many there are more. `link` opens the whole table. A search goes through all of its rows. */
void page_rows(struct page *page, const struct rows *rows, size_t from, size_t count, size_t shown,
               const char *link);
/* A line " name  text" that is a link. */
void page_entry(struct page *page, const char *link, enum style name_style, const char *name,
                enum style style, const char *text);
/* The head of a section, after an empty line; link may be NULL. */
void page_section(struct page *page, const char *name, const char *link);
/* A line " name  text". */
void page_field(struct page *page, const char *name, const char *text);
/* A line that says that a section is not there yet. */
void page_waiting(struct page *page, const char *name, enum stage stage);
/* A text from a column of the line begun last on, wrapped into as many lines as a screen needs. */
void page_paragraph(struct page *page, int column, enum style style, const char *text);

/* ---- For programs. Names are JSON's and CSV's, and stable; NULL in an array. */
void page_open(struct page *page, const char *name);
void page_open_array(struct page *page, const char *name);
void page_close(struct page *page);
void page_value(struct page *page, const char *name, struct value value);
void page_number(struct page *page, const char *name, uint64_t number);
void page_hex(struct page *page, const char *name, uint64_t address); /* 0: there is none */
void page_bool(struct page *page, const char *name, bool value);
void page_null(struct page *page, const char *name);
void page_string(struct page *page, const char *name, const char *text); /* NULL: there is none */
/* All rows of a table, up to the limit; it must stay open as long as the page. In JSON a number
   NAME_left_out comes behind them where there are more. */
void page_table(struct page *page, const char *name, const struct rows *rows);
/* A text that is empty where there is none. */
void page_text(struct page *page, const char *name, const struct buf *text);

#endif
