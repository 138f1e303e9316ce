#include "table/query/sql_folded.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/progress.h"

#include <stdlib.h>

enum { BLOCK = 1 << FOLDED_BLOCK_BITS, SLOT_BITS = FOLDED_BLOCK_BITS + 1, COLUMNS_MOST = 8 };

struct folded_row {
	size_t place;
	uint32_t equal;
	uint32_t slot; /* in `slots`; UINT32_MAX: none, it has no equals */
	uint64_t value[COLUMNS_MOST];
};

struct sql_folded {
	int column[COLUMNS_MOST], columns;
	bool each; /* no rows are equal */
	struct codes *codes[COLUMNS_MOST];
	const struct rows *rows;
	const size_t *order;
	size_t next, end; /* the rows after the block */
	struct folded_row *row;
	size_t at, count, capacity; /* of the block */
	uint32_t *slots;            /* 1 + index in `row`, 0: free */
	struct buf text;
};

static bool folded_is_number(enum value_kind kind)
{
	return kind == VALUE_ID || kind == VALUE_COUNT || kind == VALUE_BYTES || kind == VALUE_BOOL
	       || kind == VALUE_TIME || kind == VALUE_OFFSET;
}

bool sql_folded_has(const struct column *column)
{
	return column_is_coded(column) || (folded_is_number(column->kind) && !column->any_kind);
}

struct sql_folded *sql_folded_new(uint64_t columns)
{
	struct sql_folded *folded = mem_alloc(sizeof *folded);
	for (int i = 0; columns >> i; i++) {
		if (!(columns >> i & 1))
			continue;
		folded->each |= folded->columns == COLUMNS_MOST;
		if (!folded->each)
			folded->column[folded->columns++] = i;
	}
	folded->slots = mem_alloc(sizeof *folded->slots << SLOT_BITS);
	return folded;
}

void sql_folded_free(struct sql_folded *folded)
{
	if (!folded)
		return;
	free(folded->row);
	free(folded->slots);
	buf_free(&folded->text);
	free(folded);
}

void sql_folded_begin(struct sql_folded *folded, const struct rows *rows, struct codes **codes,
                      const size_t *order, size_t first, size_t end)
{
	folded->rows = rows;
	for (int i = 0; i < folded->columns; i++)
		folded->codes[i] = codes_of_column(codes, rows, folded->column[i]);
	folded->order = order;
	folded->next = first;
	folded->end = end;
	folded->at = folded->count = 0;
}

/* Stores what equal cells have in common, 0 for empty ones. False: it cannot be told. */
static bool folded_value(struct sql_folded *folded, size_t row, int i, uint64_t *common)
{
	uint32_t code = folded->codes[i] ? codes_at(folded->codes[i], row) : CODE_NONE;
	if (code != CODE_NONE) {
		*common = code;
		return true;
	}
	struct value value = {.text = &folded->text};
	buf_clear(&folded->text);
	rows_cell(folded->rows, row, folded->column[i], &value);
	*common = value.kind == VALUE_NONE ? 0 : value.number + 1;
	return value.kind == VALUE_NONE
	       || (folded_is_number(value.kind) && !value.negative
	           && !(value.number >> FOLDED_NUMBER_BITS));
}

static bool folded_values(struct sql_folded *folded, size_t row, uint64_t *value)
{
	for (int i = 0; i < folded->columns; i++)
		if (!folded_value(folded, row, i, &value[i]))
			return false;
	return !folded->each;
}

static bool folded_equal(const struct sql_folded *folded, uint32_t number, const uint64_t *value)
{
	const uint64_t *other = folded->row[number - 1].value;
	for (int i = 0; i < folded->columns; i++)
		if (other[i] != value[i])
			return false;
	return true;
}

/* Returns the slot of the row of the block with these values, or a free one. */
static uint32_t folded_find(const struct sql_folded *folded, const uint64_t *value)
{
	uint64_t multiplier = hash_multiplier(), hash = 0;
	for (int i = 0; i < folded->columns; i++)
		hash = hash_mix(hash, value[i], multiplier);
	uint32_t slot = (uint32_t)hash_place(hash, multiplier, SLOT_BITS);
	while (folded->slots[slot] && !folded_equal(folded, folded->slots[slot], value))
		slot = (slot + 1) & ((1U << SLOT_BITS) - 1);
	return slot;
}

static void folded_add(struct sql_folded *folded, const struct folded_row *row)
{
	MEM_PUSH(folded->row, folded->count, folded->capacity, *row);
	if (row->slot != UINT32_MAX)
		folded->slots[row->slot] = (uint32_t)folded->count;
}

static void folded_clear(struct sql_folded *folded)
{
	for (size_t i = 0; i < folded->count; i++)
		if (folded->row[i].slot != UINT32_MAX)
			folded->slots[folded->row[i].slot] = 0;
	folded->count = 0;
}

static void folded_read_block(struct sql_folded *folded)
{
	size_t end = folded->end - folded->next < BLOCK ? folded->end : folded->next + BLOCK;
	uint32_t last = 0; /* 1 + the row that the previous one is equal to */
	struct folded_row row = {.equal = 1};
	for (folded_clear(folded); folded->next < end; folded->next++) {
		row.place = folded->next;
		row.slot = UINT32_MAX;
		if (!folded_values(folded, folded->order ? folded->order[row.place] : row.place,
		                   row.value)) {
			folded_add(folded, &row);
			continue;
		}
		if (!last || !folded_equal(folded, last, row.value)) {
			row.slot = folded_find(folded, row.value);
			last = folded->slots[row.slot];
		}
		if (last) {
			folded->row[last - 1].equal++;
		} else {
			folded_add(folded, &row);
			last = (uint32_t)folded->count;
		}
	}
}

bool sql_folded_next(struct sql_folded *folded, struct progress *progress, size_t *place)
{
	if (++folded->at >= folded->count) {
		if (!progress_step(progress, folded->next))
			return false;
		folded_read_block(folded);
		folded->at = 0;
	}
	*place = folded->count ? folded->row[folded->at].place : folded->end;
	return true;
}

uint32_t sql_folded_equal(const struct sql_folded *folded)
{
	return folded->row[folded->at].equal;
}
