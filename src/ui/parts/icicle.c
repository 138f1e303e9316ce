#include "ui/grid.h"

#include "base/mem.h"
#include "base/text.h"

#include <stdlib.h>

enum { NARROWEST = 2 }; /* columns; a narrower block stays blank */
enum { READABLE = 6 };  /* a narrower block has no name */
enum {
	WORDY = 16
}; /* a narrower block shows a sign before its name instead of the growth in percent */
enum { CHANGED = 50 }; /* less than one part in CHANGED is no growth */

/* A block of the current level or of the one above. */
struct block {
	size_t row;
	int x, width;
};
struct level {
	struct block *block;
	size_t count, capacity;
};

/* Places rows side by side from `x` on, with widths proportional to their share of `whole` in
   `width` columns. */
static void lay(struct level *level, const struct rows *rows, size_t first, size_t count,
                uint64_t whole, int x, int width)
{
	uint64_t before = 0;
	for (size_t i = 0; i < count && whole; i++) {
		uint64_t weight = rows_weight(rows, first + i);
		if (weight > whole - before)
			weight = whole - before; /* the parts may exceed the whole */
		int start = (int)((double)before / (double)whole * width);
		before += weight;
		int end = (int)((double)before / (double)whole * width);
		if (end - start < NARROWEST)
			continue;
		MEM_PUSH(level->block, level->count, level->capacity,
		         (struct block){first + i, x + start, end - start});
	}
}

/* Returns the style for the change of a block since the oldest dump, and appends the change as
   text, because the terminal may lack colors. Keeps `style` if the table has no growth column. */
static enum style icicle_growth(const struct rows *rows, size_t row, enum style style, bool wordy,
                                struct buf *text)
{
	const char *column = rows->table->tree->delta;
	int delta_column = table_column(rows->table, column);
	if (delta_column < 0 || rows_column_hidden(rows, delta_column))
		return style;
	struct value delta = rows_number(rows, row, column);
	uint64_t now = rows_weight(rows, row);
	uint64_t before = delta.negative ? now + delta.number : now - delta.number;
	if (delta.kind == VALUE_NONE || !delta.number || (!delta.negative && delta.number > now))
		return STYLE_BLOCK;
	if (!before)
		return buf_add(text, wordy ? "new " : "*"), STYLE_NEW;
	if (delta.number < before / CHANGED)
		return STYLE_BLOCK;
	buf_add(text, delta.negative ? "-" : "+");
	if (wordy) {
		text_add_count(text, (uint64_t)((double)delta.number / (double)before * 100));
		buf_add(text, "% ");
	}
	return delta.negative ? STYLE_SHRANK : STYLE_GREW;
}

static void icicle_draw_block(const struct rows *rows, const struct block *block, enum style style,
                              int name, bool marked, struct canvas *canvas, int y)
{
	SCOPED_BUF text = {0};
	style = icicle_growth(rows, block->row, style, block->width >= WORDY, &text);
	rows_text(rows, block->row, name, &text);
	for (int x = 0; x < block->width; x++)
		canvas_text(canvas, y, block->x + x, 1, style, " ");
	canvas_text(canvas, y, block->x, 1, style, canvas->ascii ? "|" : "▏");
	if (block->width >= READABLE || marked)
		canvas_middle(canvas, y, block->x + 1, block->width - 1, marked ? STYLE_MATCH : style,
		              buf_text(&text));
}

/* Returns the level of children of a level's blocks, without those that take long to open, and
   those of the rest of a long list, which are on its own level already. */
static struct level next_level(struct rows *rows, const struct level *above)
{
	const struct table_tree *tree = rows->table->tree;
	struct level level = {0};
	for (size_t i = 0; i < above->count; i++) {
		const struct block *block = &above->block[i];
		size_t first;
		if (!tree->has_below(rows, block->row) || (tree->is_rest && tree->is_rest(rows, block->row))
		    || rows_take_long(rows, block->row))
			continue;
		size_t count = tree->below(rows, block->row, &first);
		lay(&level, rows, first, count, rows_weight(rows, block->row), block->x, block->width);
	}
	return level;
}

void icicle_draw(struct rows *rows, size_t first, size_t count, size_t marked,
                 struct canvas *canvas, int y, int lines)
{
	struct level level = {0};
	uint64_t whole = 0;
	int name = 0; /* the column without a width names a row */
	for (int i = 0; i < rows->table->column_count; i++)
		name = rows->table->columns[i].width ? name : i;
	for (size_t i = 0; i < count; i++)
		whole += rows_weight(rows, first + i);
	lay(&level, rows, first, count, whole, 1, canvas->width - 2);
	for (int line = 0; line < lines; line++) {
		for (size_t i = 0; i < level.count; i++)
			icicle_draw_block(rows, &level.block[i], i % 2 ? STYLE_BLOCK_NEXT : STYLE_BLOCK, name,
			                  level.block[i].row == marked, canvas, y + line);
		struct level next = next_level(rows, &level);
		free(level.block);
		level = next;
	}
	free(level.block);
}
