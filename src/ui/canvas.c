/* The grid of cells: writes arbitrary text, clipped. */
#include "ui/canvas.h"

#include "base/mem.h"
#include "base/text.h"
#include "table/naming/shorten.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPLACEMENT = 0xfffd, ELLIPSIS = 0x2026, LINE = 0x2500 };

struct canvas_cut {
	int y, x, columns;
	enum style style;
	char *text, *shown;
};

void canvas_init(struct canvas *canvas, int width, int height)
{
	*canvas = (struct canvas){0};
	canvas_resize(canvas, width, height);
}

/* Forgets the texts that were cut in a row; -1: in all. */
static void canvas_forget_cuts(struct canvas *canvas, int y)
{
	size_t kept = 0;
	for (size_t i = 0; i < canvas->cuts; i++) {
		if (y >= 0 && canvas->cut[i].y != y) {
			canvas->cut[kept++] = canvas->cut[i];
			continue;
		}
		free(canvas->cut[i].text);
		free(canvas->cut[i].shown);
	}
	canvas->cuts = kept;
}

void canvas_resize(struct canvas *canvas, int width, int height)
{
	canvas->width = width > 1 ? width : 1;
	canvas->height = height > 1 ? height : 1;
	size_t cells = (size_t)canvas->width * (size_t)canvas->height;
	canvas->cells = mem_resize(canvas->cells, cells * sizeof *canvas->cells);
	canvas_clear(canvas);
}

void canvas_fini(struct canvas *canvas)
{
	canvas_forget_cuts(canvas, -1);
	free(canvas->cut);
	free(canvas->cells);
	*canvas = (struct canvas){0};
}

void canvas_clear(struct canvas *canvas)
{
	size_t cells = (size_t)canvas->width * (size_t)canvas->height;
	for (size_t i = 0; i < cells; i++)
		canvas->cells[i] = (struct cell){.codepoint = ' '};
	canvas_forget_cuts(canvas, -1);
}

static struct cell *cell_at(struct canvas *canvas, int y, int x)
{
	return &canvas->cells[(size_t)y * (size_t)canvas->width + (size_t)x];
}

void canvas_clear_line(struct canvas *canvas, int y)
{
	if (y < 0 || y >= canvas->height)
		return;
	for (int x = 0; x < canvas->width; x++)
		*cell_at(canvas, y, x) = (struct cell){.codepoint = ' '};
	canvas_forget_cuts(canvas, y);
}

/* Returns the ASCII replacement of a character. */
static uint32_t to_ascii(uint32_t c)
{
	static const struct {
		uint32_t first, last;
		char ascii;
	} stands[] = {
		{0, 0x7f, 0},          {ELLIPSIS, ELLIPSIS, '~'}, {0x2500, 0x2501, '-'},
		{0x2502, 0x2503, '|'}, {0x2504, 0x257f, '+'},     {0x2580, 0x2587, '.'},
		{0x2588, 0x258c, '#'}, {0x258d, 0x258f, ' '},     {0x2590, 0x259f, '#'},
		{0xb7, 0xb7, '.'},     {0xd7, 0xd7, 'x'},         {0x2010, 0x2015, '-'},
		{0x2039, 0x2039, '<'}, {0x203a, 0x203a, '>'},     {0x2018, 0x2019, '\''},
		{0x201c, 0x201d, '"'}, {0x2022, 0x2022, '*'},     {0x2190, 0x2190, '<'},
		{0x2191, 0x2191, '^'}, {0x2192, 0x2192, '>'},     {0x2193, 0x2193, 'v'},
		{0x25b6, 0x25b8, '>'}, {0x25cf, 0x25cf, '*'},     {0x25cb, 0x25cb, 'o'},
		{0xa0, 0xa0, ' '},
	};
	for (size_t i = 0; i < sizeof stands / sizeof *stands; i++)
		if (c >= stands[i].first && c <= stands[i].last)
			return stands[i].ascii ? (uint32_t)stands[i].ascii : c;
	return '?';
}

/* Draws one character if it fits before column `end`; returns the column after it. */
static int put_character(struct canvas *canvas, int y, int x, int end, enum style style, uint32_t c)
{
	if (!text_is_plain(c))
		c = REPLACEMENT;
	int wide = text_width(c);
	if (canvas->ascii)
		c = to_ascii(c);
	if (wide == 0) {
		/* A combining character belongs to the previous cell. */
		if (canvas->ascii || x < 1 || x > canvas->width)
			return x;
		struct cell *cell = cell_at(canvas, y, x - 1);
		if (cell->codepoint == 0 && x > 1)
			cell--;
		cell->mark = c;
		return x;
	}
	if (x + wide > end)
		return end;
	for (int i = 0; i < wide; i++)
		if (x + i >= 0) {
			struct cell *cell = cell_at(canvas, y, x + i);
			/* The other half of a wide character that is overwritten in part goes. */
			if (cell->codepoint == 0 && x + i > 0)
				cell[-1].codepoint = ' ';
			if (x + i + 1 < canvas->width && cell[1].codepoint == 0)
				cell[1].codepoint = ' ';
			cell->codepoint = i == 0 || canvas->ascii || x < 0 ? c : 0;
			cell->mark = 0;
			cell->style = (uint8_t)style;
		}
	return x + wide;
}

static int clip(const struct canvas *canvas, int x, int width)
{
	return width < 0 || width > canvas->width - x ? canvas->width : x + width;
}

/* Draws `len` bytes from column x on; returns the column after them. */
static int put_text(struct canvas *canvas, int y, int x, int end, enum style style,
                    const char *text, size_t len)
{
	for (size_t i = 0; i < len && x < end;) {
		uint32_t c;
		i += text_decode(text + i, len - i, &c);
		x = put_character(canvas, y, x, end, style, c);
	}
	return x;
}

int canvas_text(struct canvas *canvas, int y, int x, int width, enum style style, const char *text)
{
	if (y < 0 || y >= canvas->height || x >= canvas->width)
		return x;
	return put_text(canvas, y, x, clip(canvas, x, width), style, text, strlen(text));
}

int canvas_textf(struct canvas *canvas, int y, int x, int width, enum style style,
                 const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	char text[1024];
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	return canvas_text(canvas, y, x, width, style, text);
}

/* Draws a text that was cut anew, over what was drawn of it. */
static void canvas_show_cut(struct canvas *canvas, struct canvas_cut *cut, const struct buf *shown)
{
	int end = cut->x + cut->columns;
	int x = put_text(canvas, cut->y, cut->x, end, cut->style, buf_text(shown), shown->len);
	for (int was = cut->x + text_columns(cut->shown); x < was; x++)
		put_character(canvas, cut->y, x, end, cut->style, ' ');
	free(cut->shown);
	cut->shown = mem_strdup(buf_text(shown));
}

/* Draws two texts of which the same was left so that they differ. */
static void canvas_tell_apart(struct canvas *canvas, struct canvas_cut *above,
                              struct canvas_cut *cut)
{
	SCOPED_BUF one = {0}, other = {0};
	shorten_apart(above->text, cut->text, above->columns, &one);
	shorten_apart(cut->text, above->text, cut->columns, &other);
	canvas_show_cut(canvas, above, &one);
	canvas_show_cut(canvas, cut, &other);
}

/* Notes a text that has been cut, and tells it apart from those above and below it. */
static void canvas_note_cut(struct canvas *canvas, struct canvas_cut cut)
{
	MEM_PUSH(canvas->cut, canvas->cuts, canvas->cut_capacity, cut);
	struct canvas_cut *last = &canvas->cut[canvas->cuts - 1];
	for (struct canvas_cut *at = canvas->cut; at < last; at++)
		if (at->x == last->x && at->columns == last->columns && strcmp(at->text, last->text) == 0) {
			SCOPED_BUF shown = {0};
			buf_add(&shown, at->shown);
			canvas_show_cut(canvas, last, &shown);
			return;
		}
	for (struct canvas_cut *at = canvas->cut; at < last; at++)
		if (at->x == last->x && at->y != last->y && strcmp(at->shown, last->shown) == 0
		    && strcmp(at->text, last->text) != 0)
			canvas_tell_apart(canvas, at, last);
}

void canvas_middle(struct canvas *canvas, int y, int x, int width, enum style style,
                   const char *text)
{
	if (y < 0 || y >= canvas->height || x >= canvas->width)
		return;
	int end = clip(canvas, x, width), room = end - x;
	SCOPED_BUF shorter = {0}, cut = {0};
	if (room < 1)
		return;
	shorten_to(text, room, &shorter);
	shorten_cut(buf_text(&shorter), room, &cut);
	put_text(canvas, y, x, end, style, buf_text(&cut), cut.len);
	if (strcmp(buf_text(&cut), buf_text(&shorter)) != 0)
		canvas_note_cut(canvas,
		                (struct canvas_cut){y, x, room, style, mem_strdup(buf_text(&shorter)),
		                                    mem_strdup(buf_text(&cut))});
}

void canvas_begin(struct canvas *canvas, int y, int x, int width, enum style style,
                  const char *text)
{
	if (y < 0 || y >= canvas->height || x >= canvas->width)
		return;
	int end = clip(canvas, x, width);
	SCOPED_BUF shorter = {0};
	bool cut = text_columns(text) > end - x;
	if (cut) {
		shorten_paths(text, &shorter);
		text = buf_text(&shorter);
		cut = text_columns(text) > end - x;
	}
	put_text(canvas, y, x, cut ? end - 1 : end, style, text, strlen(text));
	if (cut)
		put_character(canvas, y, end - 1, end, style, ELLIPSIS);
}

void canvas_right(struct canvas *canvas, int y, int x, int width, enum style style,
                  const char *text)
{
	int columns = text_columns(text);
	if (columns < width) {
		x += width - columns;
		width = columns;
	}
	canvas_middle(canvas, y, x, width, style, text);
}

void canvas_rule(struct canvas *canvas, int y)
{
	if (y < 0 || y >= canvas->height)
		return;
	for (int x = 0; x < canvas->width; x++)
		put_character(canvas, y, x, canvas->width, STYLE_FAINT, LINE);
}

void canvas_bar(struct canvas *canvas, int y, int x, int width, double share)
{
	if (y < 0 || y >= canvas->height || x < 0)
		return;
	share = share > 0 ? share < 1 ? share : 1 : 0;
	int end = clip(canvas, x, width);
	int eighths = (int)(share * width * 8 + 0.5);
	if (eighths == 0 && share > 0)
		eighths = 1;
	for (; eighths > 0 && x < end; eighths -= 8, x++) {
		uint32_t missing = eighths >= 8 ? 0 : (uint32_t)(8 - eighths);
		put_character(canvas, y, x, end, STYLE_BAR, 0x2588 + missing); /* █ ▉ ... ▏ */
	}
}

void canvas_shade(struct canvas *canvas, int y, int x, int width, double share)
{
	if (y < 0 || y >= canvas->height || x < 0)
		return;
	int end = clip(canvas, x, (int)((share < 1 ? share : 1) * width + 0.5));
	for (; x < end; x++)
		cell_at(canvas, y, x)->style = STYLE_BLOCK;
}

void canvas_paste(struct canvas *canvas, int x, const struct canvas *part, int first, int end)
{
	for (int y = first; y < end && y < canvas->height && y < part->height; y++)
		for (int i = 0; i < part->width && x + i < canvas->width; i++)
			*cell_at(canvas, y, x + i) = part->cells[(size_t)y * (size_t)part->width + (size_t)i];
}

void canvas_cursor_line(struct canvas *canvas, int y)
{
	if (y < 0 || y >= canvas->height)
		return;
	for (int x = 0; x < canvas->width; x++)
		cell_at(canvas, y, x)->cursor = true;
}
