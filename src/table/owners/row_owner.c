/* Adds up the bytes of each row by owner. Shared sets of the same name are one owner. */
#include "table/owners/row_owner.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/string_set.h"
#include "table/cell.h"
#include "table/owners/object_owner.h"
#include "table/owners/owner_tree.h"

#include <stdlib.h>
#include <string.h>

struct row_owner {
	uint32_t set;         /* the first shared set with its name; UINT32_MAX: none */
	uint64_t part, whole; /* bytes that it owns, and all of the row */
};

static void row_owner_add_name(const struct analysis *analysis, const struct owners *owners,
                               uint32_t set, struct buf *out)
{
	buf_clear(out);
	owner_tree_add_owners(analysis, owners, owners_of_shared_set(owners, set), out);
}

/* Returns for each shared set the first one with the same name. The caller frees the result. */
static uint32_t *row_owner_same_names(const struct analysis *analysis, const struct owners *owners)
{
	uint32_t *first = mem_alloc((owners->shared_sets + 1ULL) * sizeof *first);
	SCOPED_FREE uint32_t *with_name = mem_alloc((owners->shared_sets + 1ULL) * sizeof *with_name);
	struct string_set names = {0};
	SCOPED_BUF name = {0};
	for (uint32_t set = 0; set < owners->shared_sets; set++) {
		bool is_new;
		row_owner_add_name(analysis, owners, set, &name);
		uint32_t number = string_set_number(&names, buf_text(&name), &is_new);
		if (is_new)
			with_name[number] = set;
		first[set] = with_name[number];
	}
	string_set_free(&names);
	return first;
}

static void row_owner_choose(struct row_owner *row, uint32_t set, uint64_t bytes)
{
	if (bytes > row->part || (bytes == row->part && set < row->set)) {
		row->set = set;
		row->part = bytes;
	}
}

/* Adds the bytes of all objects to their rows. `sets` NULL: nothing is owned. */
static void row_owners_add(const struct rows *rows, const uint32_t *sets, const uint32_t *first,
                           struct row_owner *row)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	uint32_t objects = heap_object_count(heap);
	size_t size = objects * sizeof(uint32_t);
	uint32_t *row_of = mem_column(size);
	struct map sums = {0}; /* row and set -> bytes */
	memset(row_of, 0xff, size);
	rows->table->members(rows, row_of);
	for (uint32_t id = 0; id < objects; id++) {
		if (row_of[id] == UINT32_MAX)
			continue;
		uint64_t bytes = heap_size(heap, id), sum = 0;
		row[row_of[id]].whole += bytes;
		if (!sets || sets[id] == UINT32_MAX)
			continue;
		uint64_t key = (uint64_t)row_of[id] << 32 | first[sets[id]];
		map_get(&sums, key, &sum);
		map_put(&sums, key, sum += bytes);
		row_owner_choose(&row[row_of[id]], first[sets[id]], sum);
	}
	map_free(&sums);
	mem_column_free(row_of, size);
}

static struct row_owner *row_owners_make(const struct rows *rows)
{
	const struct analysis *analysis = rows->analysis;
	const uint32_t *sets = object_owner_sets(analysis, NULL);
	rows->owners->owners = sets ? analysis_owners(analysis, analysis_owner_retain(analysis), NULL)
	                            : NULL;
	uint32_t *first = sets ? row_owner_same_names(analysis, rows->owners->owners) : NULL;
	struct row_owner *row = mem_alloc((rows->count + 1) * sizeof *row);
	for (size_t i = 0; i < rows->count; i++)
		row[i].set = UINT32_MAX;
	row_owners_add(rows, sets, first, row);
	free(first);
	return row;
}

static struct row_owner row_owner(const struct rows *rows, size_t row)
{
	pthread_mutex_lock(&rows->owners->lock);
	if (!rows->owners->row)
		rows->owners->row = row_owners_make(rows);
	pthread_mutex_unlock(&rows->owners->lock);
	return rows->owners->row[row];
}

static uint64_t row_owner_code(const struct rows *rows, size_t row)
{
	return (uint32_t)(row_owner(rows, row).set + 1);
}

static void row_owner_cell(const struct rows *rows, uint64_t code, struct value *value)
{
	row_owner_add_name(rows->analysis, rows->owners->owners, (uint32_t)(code - 1),
	                   cell_begin(value));
}

const struct coding row_owner_coding = {row_owner_code, row_owner_cell};

void row_owner_share_cell(const struct rows *rows, size_t row, struct value *value)
{
	struct row_owner owner = row_owner(rows, row);
	if (owner.set != UINT32_MAX)
		cell_share(value, owner.part, owner.whole);
}
