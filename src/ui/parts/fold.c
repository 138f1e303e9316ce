#include "ui/fold.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void fold_fini(struct fold *fold)
{
	free(fold->at);
	*fold = (struct fold){0};
}

void fold_insert(struct fold *fold, size_t place, size_t first, size_t count, uint32_t depth)
{
	while (fold->capacity < fold->count + count)
		fold->at = mem_grow(fold->at, fold->capacity, &fold->capacity, sizeof *fold->at);
	if (!count)
		return;
	memmove(fold->at + place + count, fold->at + place, (fold->count - place) * sizeof *fold->at);
	for (size_t i = 0; i < count; i++)
		fold->at[place + i] = (struct fold_place){.row = first + i, .depth = depth};
	fold->count += count;
}

bool fold_can_open(const struct fold *fold, const struct rows *rows, size_t place)
{
	return !fold->at[place].open && rows->table->tree->has_below(rows, fold->at[place].row);
}

void fold_open(struct fold *fold, struct rows *rows, size_t place)
{
	size_t first, count = rows->table->tree->below(rows, fold->at[place].row, &first);
	fold->at[place].open = true;
	fold_insert(fold, place + 1, first, count, fold->at[place].depth + 1);
}

void fold_close(struct fold *fold, size_t place)
{
	size_t end = place + 1;
	while (end < fold->count && fold->at[end].depth > fold->at[place].depth)
		end++;
	memmove(fold->at + place + 1, fold->at + end, (fold->count - end) * sizeof *fold->at);
	fold->count -= end - place - 1;
	fold->at[place].open = false;
}

size_t fold_above(const struct fold *fold, size_t place)
{
	uint32_t depth = fold->at[place].depth;
	while (depth && fold->at[place].depth >= depth)
		place--;
	return place;
}
