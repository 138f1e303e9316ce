/* A page: a short list of lines that a view puts together beforehand (an overview, one object). A
   line is pieces of text, each with a style and a place, and what Enter does on it. Long lists are
   no pages: see ui/grid.h. */
#ifndef UI_PAGE_H
#define UI_PAGE_H

#include "base/buf.h"
#include "table/table.h"
#include "ui/canvas.h"
#include "ui/view.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PAGE_TEXT_COLUMN = 14 }; /* where texts begin on lines that have a name in front */

/* Where a piece is put on its line. */
enum page_place {
	PAGE_NEXT,  /* after the piece before it */
	PAGE_LEFT,  /* from a column on, or a blank after the piece before it when that is longer */
	PAGE_RIGHT, /* up to a column, right-aligned */
	PAGE_REST,  /* as PAGE_LEFT, but to the edge and cut in the middle */
	PAGE_BAR,   /* from a column on, a bar */
};

struct page_piece;

struct page_line {
	size_t first, count;     /* its pieces */
	size_t link;             /* in page->text; 0: none */
	uint64_t address;        /* the object that it is about; 0: none */
	const struct rows *rows; /* not NULL: a row of this table, or its heads */
	size_t row;              /* SIZE_MAX: the heads */
};

/* Start with `struct page page = {0}`. */
struct page {
	struct page_line *lines;
	size_t count, capacity;
	struct page_piece *pieces;
	size_t piece_count, piece_capacity;
	struct buf text; /* what pieces and links say, each with its NUL */
};

void page_clear(struct page *page); /* keeps the memory */
void page_fini(struct page *page);

/* Begins a line. link: the command of Enter, NULL for none. */
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

/* The head of a section, after an empty line; link may be NULL. */
void page_section(struct page *page, const char *name, const char *link);
/* A line " name  text". */
void page_field(struct page *page, const char *name, const char *text);
/* A line that says that a section is not there yet. */
void page_waiting(struct page *page, const char *name, enum stage stage);
/* A text from a column of the line begun last on, wrapped into as many lines as it needs. */
void page_paragraph(struct page *page, int column, enum style style, const char *text);

void page_draw(const struct page *page, size_t line, struct canvas *canvas, int y);
size_t page_first_link(const struct page *page); /* the first line with a link, else 0 */

/* Operations for views whose data begins with a struct page, whose lines are the rows. */
size_t page_view_rows(const struct view *view);
void page_view_draw(const struct view *view, size_t row, struct canvas *canvas, int y);
bool page_view_selectable(const struct view *view, size_t row);
void page_view_link(const struct view *view, size_t row, struct buf *command);
uint64_t page_view_address(const struct view *view, size_t row);
/* Lets `build` fill the page anew; the cursor stays on its line, wherever that has gone. */
void page_view_rebuild(struct view *view, void (*build)(struct view *view));

#endif
