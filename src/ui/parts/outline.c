#include "ui/outline.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void outline_fini(struct outline *outline)
{
	free(outline->at);
	*outline = (struct outline){0};
}

void outline_insert(struct outline *outline, size_t place, size_t first, size_t count,
                    uint32_t depth)
{
	while (outline->capacity < outline->count + count)
		outline->at =
			mem_grow(outline->at, outline->capacity, &outline->capacity, sizeof *outline->at);
	if (!count)
		return;
	memmove(outline->at + place + count, outline->at + place,
	        (outline->count - place) * sizeof *outline->at);
	for (size_t i = 0; i < count; i++)
		outline->at[place + i] = (struct outline_place){.row = first + i, .depth = depth};
	outline->count += count;
}

bool outline_can_open(const struct outline *outline, const struct rows *rows, size_t place)
{
	return !outline->at[place].open && rows->table->tree->has_below(rows, outline->at[place].row);
}

void outline_open(struct outline *outline, struct rows *rows, size_t place)
{
	size_t first, count = rows->table->tree->below(rows, outline->at[place].row, &first);
	outline->at[place].open = true;
	outline_insert(outline, place + 1, first, count, outline->at[place].depth + 1);
}

void outline_close(struct outline *outline, size_t place)
{
	size_t end = place + 1;
	while (end < outline->count && outline->at[end].depth > outline->at[place].depth)
		end++;
	memmove(outline->at + place + 1, outline->at + end,
	        (outline->count - end) * sizeof *outline->at);
	outline->count -= end - place - 1;
	outline->at[place].open = false;
}

size_t outline_above(const struct outline *outline, size_t place)
{
	uint32_t depth = outline->at[place].depth;
	while (depth && outline->at[place].depth >= depth)
		place--;
	return place;
}

size_t outline_place_of(const struct outline *outline, size_t row)
{
	for (size_t place = 0; place < outline->count; place++)
		if (outline->at[place].row == row)
			return place;
	return SIZE_MAX;
}
