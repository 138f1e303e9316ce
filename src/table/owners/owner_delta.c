/* Owners of two dumps are compared by name, without counts; objects below them by address. Groups
   of objects are not compared, because their members may differ. */

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "table/growth/delta.h"
#include "table/owners/owner_tree.h"

#include <stdlib.h>
#include <string.h>

struct owner_delta {
	struct rows *oldest;
	size_t topmost;
	uint32_t *before; /* by topmost row: its row in the oldest dump, UINT32_MAX: none */
};

static void owner_key(const struct rows *rows, size_t row, struct buf *key)
{
	buf_clear(key);
	key->without = DELTA_WITHOUT;
	rows_text(rows, row, table_column(rows->table, "name"), key);
}

static struct map owner_keys(const struct rows *rows)
{
	struct map keys = {0};
	SCOPED_BUF key = {0};
	/* backwards, so that the first of equal keys wins: the largest */
	for (size_t row = rows->count; row-- > 0;) {
		owner_key(rows, row, &key);
		map_put(&keys, hash_bytes(0, key.data, key.len), row);
	}
	return keys;
}

static uint32_t owner_find(const struct map *keys, const struct rows *oldest, const struct buf *key)
{
	SCOPED_BUF other = {0};
	uint64_t row;
	if (!map_get(keys, hash_bytes(0, key->data, key->len), &row))
		return UINT32_MAX;
	owner_key(oldest, row, &other);
	bool same = strcmp(buf_text(&other), buf_text(key)) == 0;
	return same ? (uint32_t)row : UINT32_MAX;
}

bool owner_delta_open(const struct rows *rows, struct owner_delta **delta, struct err *err)
{
	SCOPED_BUF key = {0};
	*delta = NULL;
	const struct analysis *dump = delta_oldest_reached(rows);
	if (!dump)
		return true;
	struct rows *oldest = rows_open_watched(rows->table, dump, NULL, rows->progress, err);
	if (!oldest)
		return false;
	struct map keys = owner_keys(oldest);
	struct owner_delta *made = *delta = mem_alloc(sizeof *made);
	made->oldest = oldest;
	made->topmost = rows->count;
	made->before = mem_alloc((rows->count + 1) * sizeof *made->before);
	for (size_t row = 0; row < rows->count; row++) {
		owner_key(rows, row, &key);
		made->before[row] = owner_find(&keys, oldest, &key);
	}
	map_free(&keys);
	return true;
}

void owner_delta_close(struct owner_delta *delta)
{
	if (!delta)
		return;
	rows_close(delta->oldest);
	free(delta->before);
	free(delta);
}

bool owner_delta_absent(const struct rows *rows)
{
	return !((const struct owner_tree *)rows->data)->delta;
}

/* Stores the bytes that an object below an owner retained. False: unknown. */
static bool owner_object_before(const struct rows *rows, size_t row, uint64_t *bytes)
{
	const struct owner_tree *tree = rows->data;
	const struct analysis *oldest = delta_oldest(rows);
	const struct dominators *d = analysis_dominators(oldest, tree->owners->dominators->retain);
	uint32_t object = rows_object(rows, row);
	if (owner_tree_row(rows, row)->kind != OWNER_ROW_NODE || object == OBJECT_NONE
	    || !delta_is_old(rows->analysis, object))
		return false;
	const struct heap *heap = analysis_heap(oldest);
	*bytes =
		dominators_bytes(d, heap_find(heap, heap_address(analysis_heap(rows->analysis), object)));
	return true;
}

/* Stores what a topmost row had, or all rows of libraries together. False: it is none of these. */
static bool owner_delta_before(const struct rows *rows, size_t row, uint64_t *bytes,
                               uint64_t *objects)
{
	const struct owner_delta *delta = ((const struct owner_tree *)rows->data)->delta;
	bool fold = owner_tree_row(rows, row)->kind == OWNER_ROW_LIBRARIES;
	*bytes = *objects = 0;
	if (!fold && row >= delta->topmost)
		return false;
	for (size_t at = fold ? 0 : row; at < (fold ? delta->topmost : row + 1); at++) {
		if (delta->before[at] == UINT32_MAX || (fold && !owner_tree_is_folded(rows, at)))
			continue;
		const struct owner_row *was = owner_tree_row(delta->oldest, delta->before[at]);
		*bytes += was->bytes;
		*objects += was->objects;
	}
	return true;
}

void owner_delta_retained_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct owner_delta *delta = ((const struct owner_tree *)rows->data)->delta;
	uint64_t now = owner_tree_row(rows, row)->bytes, was = 0, objects;
	if (!delta)
		return;
	if (owner_delta_before(rows, row, &was, &objects) || owner_object_before(rows, row, &was))
		cell_delta(value, VALUE_BYTES, was, now);
}

void owner_delta_count_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct owner_delta *delta = ((const struct owner_tree *)rows->data)->delta;
	uint64_t bytes, was;
	if (delta && owner_delta_before(rows, row, &bytes, &was))
		cell_delta(value, VALUE_COUNT, was, owner_tree_row(rows, row)->objects);
}
