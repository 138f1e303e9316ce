/* A canvas as text, with marks for styles; search for a text on it. */
#include "ui/canvas.h"

#include "base/text.h"

#include <string.h>

const char *const style_names[STYLE_COUNT] = {
	[STYLE_PLAIN] = "plain", [STYLE_FAINT] = "faint",           [STYLE_HEAD] = "head",
	[STYLE_LINK] = "link",   [STYLE_WARNING] = "warning",       [STYLE_GUESS] = "guess",
	[STYLE_BAR] = "bar",     [STYLE_MATCH] = "match",           [STYLE_ADDRESS] = "address",
	[STYLE_BLOCK] = "block", [STYLE_BLOCK_NEXT] = "block-next", [STYLE_GREW] = "grew",
	[STYLE_NEW] = "new",     [STYLE_SHRANK] = "shrank",         [STYLE_WASTE] = "waste",
};

static const struct cell *canvas_print_row_of(const struct canvas *canvas, int y)
{
	return canvas->cells + (size_t)y * (size_t)canvas->width;
}

void canvas_row(const struct canvas *canvas, int y, struct buf *out)
{
	const struct cell *row = canvas_print_row_of(canvas, y);
	int width = canvas->width;
	while (width > 0 && row[width - 1].codepoint == ' ')
		width--;
	for (int x = 0; x < width; x++) {
		if (row[x].codepoint)
			text_add_character(out, row[x].codepoint);
		if (row[x].mark)
			text_add_character(out, row[x].mark);
	}
}

/* Appends "^ 2-14 link, cursor" with a newline; nothing for a plain row. */
static void print_marks(const struct canvas *canvas, int y, struct buf *out)
{
	const struct cell *row = canvas_print_row_of(canvas, y);
	const char *before = "^ ";
	for (int x = 0, first; x < canvas->width; x++) {
		first = x;
		while (x + 1 < canvas->width && row[x + 1].style == row[first].style)
			x++;
		if (row[first].style == STYLE_PLAIN)
			continue;
		buf_addf(out, "%s%d-%d %s", before, first, x, style_names[row[first].style]);
		before = ", ";
	}
	if (row->cursor) {
		buf_addf(out, "%scursor", before);
		before = ", ";
	}
	if (*before == ',')
		buf_add_char(out, '\n');
}

void canvas_print(const struct canvas *canvas, bool marks, struct buf *out)
{
	for (int y = 0; y < canvas->height; y++) {
		canvas_row(canvas, y, out);
		buf_add_char(out, '\n');
		if (marks)
			print_marks(canvas, y, out);
	}
}

static uint32_t canvas_print_lower(uint32_t c)
{
	return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

/* Returns the number of columns of the needle at this cell, 0 if it does not match. */
static int match_at(const struct cell *cell, int width, const char *needle, bool exact)
{
	int x = 0;
	size_t len = strlen(needle);
	for (size_t i = 0; i < len;) {
		uint32_t c;
		i += text_decode(needle + i, len - i, &c);
		while (x < width && cell[x].codepoint == 0)
			x++;
		if (x >= width)
			return 0;
		uint32_t there = cell[x].codepoint;
		if (there != c && (exact || canvas_print_lower(there) != canvas_print_lower(c)))
			return 0;
		x++;
	}
	return x;
}

bool canvas_match(struct canvas *canvas, int y, const char *needle)
{
	if (y < 0 || y >= canvas->height || !*needle)
		return false;
	struct cell *row = canvas->cells + (size_t)y * (size_t)canvas->width;
	bool exact = strpbrk(needle, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != NULL, found = false;
	for (int x = 0; x < canvas->width;) {
		int columns = match_at(row + x, canvas->width - x, needle, exact);
		for (int i = 0; i < columns; i++)
			row[x + i].style = STYLE_MATCH;
		found |= columns > 0;
		x += columns > 0 ? columns : 1;
	}
	return found;
}
