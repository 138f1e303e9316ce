/* Lines of pages, drawn for any width. */
#include "ui/page_view.h"

#include "base/mem.h"
#include "base/text.h"
#include "ui/grid.h"

#include <stdlib.h>
#include <string.h>

enum { BAR_WIDTH = 30 };
enum { ROWS_SEEN = 20 }; /* rows of a table that determine the widths of its columns */

/* Draws a piece; `x` is the column after the previous one. Returns the column after it. */
static int draw_piece(const struct page *page, const struct page_piece *piece,
                      struct canvas *canvas, int y, int x)
{
	const char *text = page->text.data + piece->text;
	int start = page_piece_start(piece, x, text_columns(text));
	int bar = canvas->width - start - 1 < BAR_WIDTH ? canvas->width - start - 1 : BAR_WIDTH;
	switch (piece->place) {
	case PAGE_REST:
		if (start < canvas->width)
			canvas_middle(canvas, y, start, canvas->width - start, piece->style, text);
		return canvas->width;
	case PAGE_BAR:
		if (bar > 0)
			canvas_bar(canvas, y, start, bar, piece->share);
		return start + bar;
	default:
		return canvas_text(canvas, y, start, -1, piece->style, text);
	}
}

/* Returns true if a line is of a table: one of its rows, or a line below one of them. */
static bool page_is_of(const struct page *page, size_t at, const struct rows *rows)
{
	const struct page_line *line = page->lines + at;
	return at < page->count
	       && (line->rows == rows
	           || (at > 0 && at + 1 < page->count && line[-1].rows == rows && line[1].rows == rows
	               && line[1].row == line[-1].row + 1));
}

/* Returns the layout of the table rows that surround a line. */
static struct grid page_grid(const struct page *page, size_t at, int width)
{
	const struct rows *rows = page->lines[at].rows;
	size_t count = 0, first = 0;
	while (at > 0 && page->lines[at].row != SIZE_MAX && page_is_of(page, at - 1, rows))
		at--;
	for (; page_is_of(page, at, rows) && count < ROWS_SEEN; at++) {
		const struct page_line *line = &page->lines[at];
		if (line->rows == rows && line->row != SIZE_MAX)
			first = count++ ? first : line->row;
	}
	return grid_of(rows, first, count, width);
}

void page_draw(const struct page *page, size_t at, struct canvas *canvas, int y)
{
	const struct page_line *line = &page->lines[at];
	struct grid grid;
	if (line->rows)
		grid = page_grid(page, at, canvas->width);
	if (line->rows && line->row == SIZE_MAX)
		grid_heads(&grid, line->rows, canvas, y, -1, false);
	else if (line->rows)
		grid_row(&grid, line->rows, line->row, canvas, y);
	int x = 0;
	for (size_t i = 0; i < line->count; i++)
		x = draw_piece(page, &page->pieces[line->first + i], canvas, y, x);
}

size_t page_first_link(const struct page *page)
{
	for (size_t i = 0; i < page->count; i++)
		if (page->lines[i].link)
			return i;
	return 0;
}

static const char *line_link(const struct page *page, size_t line)
{
	if (line >= page->count || !page->lines[line].link)
		return "";
	return page->text.data + page->lines[line].link;
}

size_t page_view_rows(const struct view *view)
{
	const struct page *page = view->data;
	return page->count;
}

void page_view_draw(const struct view *view, size_t row, struct canvas *canvas, int y)
{
	page_draw(view->data, row, canvas, y);
}

bool page_view_selectable(const struct view *view, size_t row)
{
	return *line_link(view->data, row) != '\0';
}

void page_view_link(const struct view *view, size_t row, struct buf *command)
{
	buf_add(command, line_link(view->data, row));
}

uint64_t page_view_address(const struct view *view, size_t row)
{
	const struct page *page = view->data;
	return row < page->count ? page->lines[row].address : 0;
}

const struct rows *page_view_table_row(const struct view *view, size_t row, size_t *number)
{
	const struct page *page = view->data;
	if (row >= page->count || page->lines[row].row == SIZE_MAX)
		return NULL;
	*number = page->lines[row].row;
	return page->lines[row].rows;
}

void page_view_rebuild(struct view *view, void (*build)(struct view *view))
{
	const struct page *page = view->data;
	/* A cursor on the first link has not been moved: sections that come above take it. */
	bool first = view->cursor == page_first_link(page);
	SCOPED_FREE char *link = mem_strdup(first ? "" : line_link(page, view->cursor));
	build(view);
	if (!*link || strcmp(line_link(page, view->cursor), link) != 0) {
		size_t line = 0;
		while (*link && line < page->count && strcmp(line_link(page, line), link) != 0)
			line++;
		view->cursor = *link && line < page->count ? line : page_first_link(page);
	}
}
