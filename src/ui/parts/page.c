/* Pages of lines: built once, drawn for any width. */
#include "ui/page.h"

#include "base/mem.h"
#include "base/text.h"
#include "ui/grid.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct page_piece {
	enum page_place place;
	enum style style;
	int column;
	size_t text;  /* in page->text */
	double share; /* PAGE_BAR */
};

enum {
	BAR_WIDTH = 30,
	WRAP_COLUMN = 78 /* whatever the width of the screen: longer lines are hard to read */
};

void page_clear(struct page *page)
{
	page->count = 0;
	page->piece_count = 0;
	buf_clear(&page->text);
}

void page_fini(struct page *page)
{
	free(page->lines);
	free(page->pieces);
	buf_free(&page->text);
}

/* Keeps a text; where it is, never 0. */
static size_t page_keep(struct page *page, const char *text)
{
	if (page->text.len == 0)
		buf_add_char(&page->text, '\0');
	size_t at = page->text.len;
	buf_add_bytes(&page->text, text, strlen(text) + 1);
	return at;
}

static struct page_line *new_line(struct page *page)
{
	page->lines = mem_grow(page->lines, page->count, &page->capacity, sizeof *page->lines);
	struct page_line *line = &page->lines[page->count++];
	*line = (struct page_line){.first = page->piece_count};
	return line;
}

void page_line(struct page *page, const char *link)
{
	struct page_line *line = new_line(page);
	if (link && *link)
		line->link = page_keep(page, link);
}

static char *format_text(const char *format, va_list args)
{
	char *text;
	if (vasprintf(&text, format, args) < 0)
		text = mem_strdup("");
	return text;
}

void page_linef(struct page *page, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *link = format_text(format, args);
	va_end(args);
	page_line(page, link);
	free(link);
}

void page_address(struct page *page, uint64_t address)
{
	page->lines[page->count - 1].address = address;
}

void page_heads(struct page *page, const struct rows *rows)
{
	struct page_line *line = new_line(page);
	line->rows = rows;
	line->row = SIZE_MAX;
}

void page_row(struct page *page, const struct rows *rows, size_t row)
{
	struct buf link = {0};
	rows_link(rows, row, &link);
	page_line(page, buf_text(&link));
	buf_free(&link);
	struct page_line *line = &page->lines[page->count - 1];
	line->rows = rows;
	line->row = row;
	line->address = rows_address(rows, row);
}

static struct page_piece *new_piece(struct page *page, enum page_place place, int column)
{
	page->pieces =
		mem_grow(page->pieces, page->piece_count, &page->piece_capacity, sizeof *page->pieces);
	page->lines[page->count - 1].count++;
	struct page_piece *piece = &page->pieces[page->piece_count++];
	*piece = (struct page_piece){.place = place, .column = column};
	return piece;
}

void page_put(struct page *page, enum page_place place, int column, enum style style,
              const char *text)
{
	struct page_piece *piece = new_piece(page, place, column);
	piece->style = style;
	piece->text = page_keep(page, text);
}

void page_putf(struct page *page, enum page_place place, int column, enum style style,
               const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *text = format_text(format, args);
	va_end(args);
	page_put(page, place, column, style, text);
	free(text);
}

void page_size(struct page *page, int right, uint64_t bytes)
{
	struct buf text = {0};
	text_add_size(&text, bytes);
	page_put(page, PAGE_RIGHT, right, STYLE_PLAIN, buf_text(&text));
	buf_free(&text);
}

void page_count(struct page *page, int right, uint64_t count)
{
	struct buf text = {0};
	text_add_count(&text, count);
	page_put(page, PAGE_RIGHT, right, STYLE_PLAIN, buf_text(&text));
	buf_free(&text);
}

void page_share(struct page *page, int right, uint64_t part, uint64_t whole)
{
	struct buf text = {0};
	text_add_share(&text, part, whole);
	page_put(page, PAGE_RIGHT, right, STYLE_PLAIN, buf_text(&text));
	buf_free(&text);
}

void page_bar(struct page *page, int column, uint64_t part, uint64_t whole)
{
	struct page_piece *piece = new_piece(page, PAGE_BAR, column);
	piece->share = whole ? (double)part / (double)whole : 0;
}

void page_section(struct page *page, const char *name, const char *link)
{
	if (page->count)
		page_line(page, NULL);
	page_line(page, link);
	page_put(page, PAGE_LEFT, 1, STYLE_HEAD, name);
}

void page_field(struct page *page, const char *name, const char *text)
{
	page_line(page, NULL);
	page_put(page, PAGE_LEFT, 1, STYLE_FAINT, name);
	page_put(page, PAGE_REST, PAGE_TEXT_COLUMN, STYLE_PLAIN, text);
}

void page_waiting(struct page *page, const char *name, enum stage stage)
{
	page_line(page, NULL);
	page_put(page, PAGE_LEFT, 1, STYLE_HEAD, name);
	page_putf(page, PAGE_LEFT, PAGE_TEXT_COLUMN, STYLE_FAINT, "waits for the %s",
	          stage_name(stage));
}

void page_paragraph(struct page *page, int column, enum style style, const char *text)
{
	for (bool first = true; *text || first; first = false) {
		size_t len = canvas_line(text, WRAP_COLUMN - column);
		if (!first)
			page_line(page, NULL);
		page_putf(page, PAGE_LEFT, column, style, "%.*s", (int)len, text);
		text += len;
		text += strspn(text, " ");
	}
}

/* Draws a piece; `x` is the column after the one before it. Returns the column after this one. */
static int draw_piece(const struct page *page, const struct page_piece *piece,
                      struct canvas *canvas, int y, int x)
{
	const char *text = page->text.data + piece->text;
	int columns, start = x && x >= piece->column ? x + 1 : piece->column;
	switch (piece->place) {
	case PAGE_LEFT:
		return canvas_text(canvas, y, start, -1, piece->style, text);
	case PAGE_RIGHT:
		columns = canvas_columns(text);
		start = piece->column - columns > x ? piece->column - columns : x;
		return canvas_text(canvas, y, start, -1, piece->style, text);
	case PAGE_REST:
		if (start < canvas->width)
			canvas_middle(canvas, y, start, canvas->width - start, piece->style, text);
		return canvas->width;
	case PAGE_BAR:
		columns = canvas->width - start - 1 < BAR_WIDTH ? canvas->width - start - 1 : BAR_WIDTH;
		if (columns > 0)
			canvas_bar(canvas, y, start, columns, piece->share);
		return start + columns;
	case PAGE_NEXT:
		break;
	}
	return canvas_text(canvas, y, x, -1, piece->style, text);
}

void page_draw(const struct page *page, size_t at, struct canvas *canvas, int y)
{
	const struct page_line *line = &page->lines[at];
	if (line->rows && line->row == SIZE_MAX)
		grid_heads(line->rows, canvas, y, -1, false);
	else if (line->rows)
		grid_row(line->rows, line->row, canvas, y);
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

/* The line with this link; the first with any when there is none. */
static size_t page_find_link(const struct page *page, const char *link)
{
	for (size_t i = 0; i < page->count && *link; i++)
		if (strcmp(line_link(page, i), link) == 0)
			return i;
	return page_first_link(page);
}

void page_view_rebuild(struct view *view, void (*build)(struct view *view))
{
	const struct page *page = view->data;
	char *link = mem_strdup(line_link(page, view->cursor));
	build(view);
	if (!*link || strcmp(line_link(page, view->cursor), link) != 0)
		view->cursor = page_find_link(page, link);
	free(link);
}
