#include "ui/icicle.h"

#include "base/mem.h"

#include <stdlib.h>

enum { NARROWEST = 2 }; /* columns; what is narrower is left blank */
enum { READABLE = 6 };  /* what is narrower has no name in it */

/* A block of the level that is being drawn, or of the one above. */
struct block {
	size_t row;
	int x, width;
};
struct level {
	struct block *block;
	size_t count, capacity;
};

/* Lays rows side by side from `x` on, as wide as their part of `whole` in `width` columns. */
static void lay(struct level *level, const struct rows *rows, size_t first, size_t count,
                uint64_t whole, int x, int width)
{
	uint64_t before = 0;
	for (size_t i = 0; i < count && whole; i++) {
		uint64_t weight = rows_weight(rows, first + i);
		if (weight > whole - before)
			weight = whole - before; /* parts that are more than the whole */
		int start = (int)((double)before / (double)whole * width);
		before += weight;
		int end = (int)((double)before / (double)whole * width);
		if (end - start < NARROWEST)
			continue;
		level->block = mem_grow(level->block, level->count, &level->capacity, sizeof *level->block);
		level->block[level->count++] = (struct block){first + i, x + start, end - start};
	}
}

static void icicle_do_draw(const struct rows *rows, const struct level *level, int name,
                           size_t marked, struct canvas *canvas, int y)
{
	struct buf text = {0};
	for (size_t i = 0; i < level->count; i++) {
		const struct block *block = &level->block[i];
		enum style style = i % 2 ? STYLE_BLOCK_NEXT : STYLE_BLOCK;
		buf_clear(&text);
		rows_text(rows, block->row, name, &text);
		for (int x = 0; x < block->width; x++)
			canvas_text(canvas, y, block->x + x, 1, style, " ");
		canvas_text(canvas, y, block->x, 1, style, canvas->ascii ? "|" : "▏");
		if (block->width < READABLE && block->row != marked)
			continue;
		canvas_middle(canvas, y, block->x + 1, block->width - 1,
		              block->row == marked ? STYLE_MATCH : style, buf_text(&text));
	}
	buf_free(&text);
}

/* What takes long to open is left as it is; the rest of too many is on its own level already. */
static bool can_look_below(const struct rows *rows, size_t row)
{
	const struct table_tree *tree = rows->table->tree;
	return tree->has_below(rows, row) && !(tree->is_rest && tree->is_rest(rows, row))
	       && !rows_take_long(rows, row);
}

/* What is below the blocks of a level. */
static struct level next_level(struct rows *rows, const struct level *above)
{
	struct level level = {0};
	for (size_t i = 0; i < above->count; i++) {
		const struct block *block = &above->block[i];
		size_t first;
		if (!can_look_below(rows, block->row))
			continue;
		size_t count = rows->table->tree->below(rows, block->row, &first);
		lay(&level, rows, first, count, rows_weight(rows, block->row), block->x, block->width);
	}
	return level;
}

/* The column without a width is what a row is called by. */
static int name_column(const struct table *table)
{
	int name = 0;
	for (int i = 0; i < table->column_count; i++)
		if (!table->columns[i].width)
			name = i;
	return name;
}

void icicle_draw(struct rows *rows, size_t first, size_t count, size_t marked,
                 struct canvas *canvas, int y, int lines)
{
	struct level level = {0};
	uint64_t whole = 0;
	for (size_t i = 0; i < count; i++)
		whole += rows_weight(rows, first + i);
	lay(&level, rows, first, count, whole, 1, canvas->width - 2);
	for (int line = 0; line < lines; line++) {
		icicle_do_draw(rows, &level, name_column(rows->table), marked, canvas, y + line);
		struct level next = next_level(rows, &level);
		free(level.block);
		level = next;
	}
	free(level.block);
}
