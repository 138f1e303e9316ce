#include "report/page.h"

#include "base/mem.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 2 }; /* columns after a piece that is longer than its column is wide */
enum {
	WRAP_COLUMN = 78
}; /* regardless of the screen width, because longer lines are hard to read */

void page_clear(struct page *page)
{
	page->count = 0;
	page->piece_count = 0;
	page->data_count = 0;
	page->list_count = 0;
	buf_clear(&page->text);
}

void page_fini(struct page *page)
{
	free(page->lines);
	free(page->pieces);
	free(page->data);
	buf_free(&page->text);
	buf_free(&page->title);
	buf_free(&page->side);
}

/* Stores a text; returns its offset, never 0. */
static size_t page_keep(struct page *page, const char *text)
{
	if (page->text.len == 0)
		buf_add_char(&page->text, '\0');
	size_t at = page->text.len;
	buf_add_bytes(&page->text, text, strlen(text) + 1);
	return at;
}

/* Returns true if the form has lines: those for programs have none. */
static bool page_has_lines(const struct page *page)
{
	return !(page->form & FORM_PROGRAMS);
}

static struct page_line *page_new_line(struct page *page)
{
	page->lines = mem_grow(page->lines, page->count, &page->capacity, sizeof *page->lines);
	struct page_line *line = &page->lines[page->count++];
	*line = (struct page_line){.first = page->piece_count};
	return line;
}

void page_line(struct page *page, const char *link)
{
	if (!page_has_lines(page))
		return;
	struct page_line *line = page_new_line(page);
	if (link && *link)
		line->link = page_keep(page, link);
}

static char *format_text(const char *format, va_list args)
{
	struct buf text = {0};
	buf_add(&text, "");
	buf_addv(&text, format, args);
	return text.data;
}

void page_linef(struct page *page, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	SCOPED_FREE char *link = format_text(format, args);
	va_end(args);
	page_line(page, link);
}

void page_address(struct page *page, uint64_t address)
{
	if (page_has_lines(page))
		page->lines[page->count - 1].address = address;
}

void page_heads(struct page *page, const struct rows *rows)
{
	if (!page_has_lines(page))
		return;
	struct page_line *line = page_new_line(page);
	line->rows = rows;
	line->row = SIZE_MAX;
}

void page_row(struct page *page, const struct rows *rows, size_t row)
{
	SCOPED_BUF link = {0};
	if (!page_has_lines(page))
		return;
	rows_link(rows, row, &link);
	page_line(page, buf_text(&link));
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

int page_piece_start(const struct page_piece *piece, int x, int columns)
{
	int start = piece->place == PAGE_RIGHT ? piece->column - columns : piece->column;
	if (piece->place == PAGE_NEXT)
		return x;
	return x && start <= x ? x + GAP : start;
}

void page_put(struct page *page, enum page_place place, int column, enum style style,
              const char *text)
{
	if (!page_has_lines(page))
		return;
	struct page_piece *piece = new_piece(page, place, column);
	piece->style = style;
	piece->text = page_keep(page, text);
}

void page_putf(struct page *page, enum page_place place, int column, enum style style,
               const char *format, ...)
{
	va_list args;
	va_start(args, format);
	SCOPED_FREE char *text = format_text(format, args);
	va_end(args);
	page_put(page, place, column, style, text);
}

void page_size(struct page *page, int right, uint64_t bytes)
{
	SCOPED_BUF text = {0};
	text_add_size(&text, bytes);
	page_put(page, PAGE_RIGHT, right, STYLE_PLAIN, buf_text(&text));
}

void page_count(struct page *page, int right, uint64_t count)
{
	SCOPED_BUF text = {0};
	text_add_count(&text, count);
	page_put(page, PAGE_RIGHT, right, STYLE_PLAIN, buf_text(&text));
}

void page_share(struct page *page, int right, uint64_t part, uint64_t whole)
{
	SCOPED_BUF text = {0};
	text_add_share(&text, part, whole);
	page_put(page, PAGE_RIGHT, right, STYLE_PLAIN, buf_text(&text));
}

void page_bar(struct page *page, int column, uint64_t part, uint64_t whole)
{
	if (!page_has_lines(page))
		return;
	struct page_piece *piece = new_piece(page, PAGE_BAR, column);
	piece->share = whole ? (double)part / (double)whole : 0;
}

static void page_add_list(struct page *page, const struct rows *rows, const char *link)
{
	for (size_t i = 0; i < page->list_count; i++)
		if (page->lists[i].rows == rows)
			return;
	if (page->list_count < PAGE_LISTS)
		page->lists[page->list_count++] = (struct page_list){rows, page_keep(page, link)};
}

/* Adds how many rows are not shown. */
static void page_more(struct page *page, size_t count, size_t shown, const char *link)
{
	SCOPED_BUF left = {0};
	if (count <= shown)
		return;
	text_add_count(&left, count - shown);
	page_line(page, link);
	page_putf(page, PAGE_LEFT, 1, STYLE_LINK, "%s more …", buf_text(&left));
}

void page_rows(struct page *page, const struct rows *rows, size_t from, size_t count, size_t shown,
               const char *link)
{
	if (!page_has_lines(page))
		return;
	shown = shown < count ? shown + page->spare : count;
	size_t end = from + (count < shown ? count : shown);
	page_add_list(page, rows, link);
	if (end > from)
		page_heads(page, rows);
	if (page->form == FORM_TEXT && end > from) {
		page->lines[page->count - 1].row = from;
		page->lines[page->count - 1].row_count = end - from;
		from = end;
	}
	for (; from < end; from++)
		page_row(page, rows, from);
	page_more(page, count, shown, link);
}

void page_rows_under(struct page *page, const struct rows *rows, size_t shown, const char *link,
                     bool (*under)(struct page *page, const struct rows *rows, size_t row),
                     size_t most)
{
	page_add_list(page, rows, link);
	if (rows->count && shown)
		page_heads(page, rows);
	for (size_t row = 0; row < rows->count && row < shown; row++) {
		page_row(page, rows, row);
		most -= most && under(page, rows, row);
	}
}

void page_section(struct page *page, const char *name, const char *link)
{
	if (page->count)
		page_line(page, NULL);
	page_line(page, link);
	page_put(page, PAGE_LEFT, 1, STYLE_HEAD, name);
}

void page_entry(struct page *page, const char *link, enum style name_style, const char *name,
                enum style style, const char *text)
{
	page_line(page, link);
	page_put(page, PAGE_LEFT, 1, name_style, name);
	page_put(page, PAGE_REST, PAGE_TEXT_COLUMN, style, text);
}

void page_field(struct page *page, const char *name, const char *text)
{
	page_entry(page, NULL, STYLE_FAINT, name, STYLE_PLAIN, text);
}

void page_fieldf(struct page *page, const char *name, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	SCOPED_FREE char *text = format_text(format, args);
	va_end(args);
	page_field(page, name, text);
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
	bool wrapped = page->form != FORM_TEXT;
	for (bool first = true; *text || first; first = false) {
		size_t len = wrapped ? text_line(text, WRAP_COLUMN - column) : strlen(text);
		if (!first)
			page_line(page, NULL);
		page_putf(page, PAGE_LEFT, column, style, "%.*s", (int)len, text);
		text += len;
		text += strspn(text, " ");
	}
}

static struct page_datum *page_new_datum(struct page *page, const char *name)
{
	page->data = mem_grow(page->data, page->data_count, &page->data_capacity, sizeof *page->data);
	struct page_datum *datum = &page->data[page->data_count++];
	*datum = (struct page_datum){.name = name ? page_keep(page, name) : 0};
	return datum;
}

static void page_open_group(struct page *page, const char *name, bool array)
{
	if (page_has_lines(page))
		return;
	struct page_datum *datum = page_new_datum(page, name);
	datum->kind = DATUM_OPEN;
	datum->array = array;
	page->arrays = page->arrays << 1 | array;
}

void page_open(struct page *page, const char *name)
{
	page_open_group(page, name, false);
}

void page_open_array(struct page *page, const char *name)
{
	page_open_group(page, name, true);
}

void page_close(struct page *page)
{
	if (page_has_lines(page))
		return;
	struct page_datum *datum = page_new_datum(page, NULL);
	datum->kind = DATUM_CLOSE;
	datum->array = page->arrays & 1;
	page->arrays >>= 1;
}

void page_value(struct page *page, const char *name, struct value value)
{
	if (page_has_lines(page))
		return;
	struct page_datum *datum = page_new_datum(page, name);
	datum->value = value;
	if (value.text)
		datum->text = page_keep(page, buf_text(value.text));
}

void page_number(struct page *page, const char *name, uint64_t number)
{
	page_value(page, name, (struct value){.kind = VALUE_ID, .number = number});
}

void page_hex(struct page *page, const char *name, uint64_t address)
{
	enum value_kind kind = address ? VALUE_ADDRESS : VALUE_NONE;
	page_value(page, name, (struct value){.kind = kind, .number = address});
}

void page_bool(struct page *page, const char *name, bool value)
{
	page_value(page, name, (struct value){.kind = VALUE_BOOL, .number = value});
}

void page_null(struct page *page, const char *name)
{
	page_value(page, name, (struct value){.kind = VALUE_NONE});
}

void page_text(struct page *page, const char *name, const struct buf *text)
{
	struct buf copy = *text;
	page_value(page, name, (struct value){.kind = VALUE_TEXT, .text = &copy});
}

void page_escaped(struct page *page, const char *name, struct text text)
{
	SCOPED_BUF visible = {0};
	text_add_escaped(&visible, text.data, text.len, SIZE_MAX);
	page_text(page, name, &visible);
}

void page_string(struct page *page, const char *name, const char *text)
{
	if (!text) {
		page_null(page, name);
		return;
	}
	SCOPED_BUF copy = {0};
	buf_add(&copy, text);
	page_text(page, name, &copy);
}

void page_table(struct page *page, const char *name, const struct rows *rows)
{
	if (page_has_lines(page))
		return;
	struct page_datum *datum = page_new_datum(page, name);
	datum->kind = DATUM_ROWS;
	datum->rows = rows;
	datum->row_count = rows->count < page->limit ? rows->count : page->limit;
	if (datum->row_count == rows->count || page->form != FORM_JSON)
		return;
	SCOPED_BUF rest = {0};
	size_t left = rows->count - datum->row_count;
	buf_addf(&rest, "%s_left_out", name);
	page_number(page, buf_text(&rest), left);
}
