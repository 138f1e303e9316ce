#include "table/query/grouping.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Limits on distinct values and on bytes of their texts; all values after these share a group. */
enum { VALUES_MOST = 1 << 20, TEXT_MOST = 1 << 28, POLL_EVERY = 1 << 12 };

static const char others[] = "(all other values)";

/* ---- Lookup of groups */

static uint64_t grouping_hash(const struct value *value)
{
	uint64_t multiplier = hash_multiplier();
	uint64_t hash = hash_mix((uint64_t)value->kind, value->number, multiplier);
	hash = hash_mix(hash, value->whole ^ (value->negative ? ~0ULL : 0), multiplier);
	return hash_bytes(hash, value->text->data, value->text->len);
}

static bool grouping_is(const struct grouping *grouping, const struct group_row *group,
                        const struct value *value)
{
	return group->kind == value->kind && group->number == value->number
	       && group->whole == value->whole && group->negative == value->negative && !group->others
	       && strcmp(grouping->text.data + group->text, buf_text(value->text)) == 0;
}

static struct group_row *grouping_add(struct grouping *grouping, const struct value *value)
{
	grouping->group =
		mem_grow(grouping->group, grouping->count, &grouping->capacity, sizeof *grouping->group);
	struct group_row *group = &grouping->group[grouping->count++];
	*group = (struct group_row){
		.kind = value->kind,
		.number = value->number,
		.whole = value->whole,
		.negative = value->negative,
		.text = grouping->text.len,
	};
	buf_add(&grouping->text, buf_text(value->text));
	buf_add_char(&grouping->text, 0);
	return group;
}

/* Returns the last group, which is for all other values. */
static struct group_row *grouping_others(struct grouping *grouping)
{
	if (grouping->count && grouping->group[grouping->count - 1].others)
		return &grouping->group[grouping->count - 1];
	SCOPED_BUF text = {0};
	buf_add(&text, others);
	struct value value = {.kind = VALUE_TEXT, .text = &text};
	struct group_row *group = grouping_add(grouping, &value);
	group->others = true;
	return group;
}

static struct group_row *grouping_find(struct grouping *grouping, const struct value *value)
{
	uint64_t hash = grouping_hash(value), place;
	for (; map_get(&grouping->places, hash, &place); hash++)
		if (grouping_is(grouping, &grouping->group[place], value))
			return &grouping->group[place];
	if (grouping->count >= VALUES_MOST || grouping->text.len >= TEXT_MOST)
		return grouping_others(grouping);
	map_put(&grouping->places, hash, grouping->count);
	return grouping_add(grouping, value);
}

/* ---- Sums */

static uint64_t grouping_plus(uint64_t sum, uint64_t number)
{
	return number < UINT64_MAX - sum ? sum + number : UINT64_MAX;
}

static bool grouping_is_number(enum value_kind kind)
{
	return kind == VALUE_ID || kind == VALUE_COUNT || kind == VALUE_BYTES || kind == VALUE_TIME
	       || kind == VALUE_OFFSET || kind == VALUE_BOOL;
}

/* Parses a number with a fraction, which is a text in a field. */
static bool grouping_real(const struct value *value, double *real)
{
	char *end;
	const char *text = buf_text(value->text);
	if (value->kind != VALUE_TEXT || !*text || strspn(text, "0123456789.e+-") != strlen(text))
		return false;
	*real = strtod(text, &end);
	return !*end && isfinite(*real);
}

static void grouping_add_number(struct grouping *grouping, struct group_row *group, int i,
                                const struct value *value)
{
	uint64_t *sum = value->negative ? &group->sum[i].minus : &group->sum[i].plus;
	double real;
	if (grouping_is_number(value->kind)) {
		*sum = grouping_plus(*sum, value->number);
	} else if (grouping_real(value, &real)) {
		group->sum[i].real += real;
		grouping->real[i] = true;
	} else {
		grouping->no_number += value->kind != VALUE_NONE;
	}
}

static void grouping_add_row(struct grouping *grouping, struct group_row *group, size_t row,
                             struct buf *text)
{
	uint64_t bytes;
	group->count++;
	if (rows_bytes(grouping->rows, row, &bytes)) {
		grouping->objects = true;
		group->bytes += bytes;
	}
	for (int i = 0; i < grouping->sums; i++) {
		struct value value = {.text = text};
		buf_clear(text);
		rows_cell(grouping->rows, row, grouping->sum[i], &value);
		grouping_add_number(grouping, group, i, &value);
	}
}

/* Returns the group of a row; NULL: it has none. A text that many rows share is made once. */
static struct group_row *grouping_of(struct grouping *grouping, size_t row, struct buf *text)
{
	const struct rows *rows = grouping->rows;
	struct value value = {.text = text};
	uint64_t key = grouping->key >= 0 ? rows_key(rows, row, grouping->key) : 0, place;
	if (key && map_get(&grouping->by_key, key, &place))
		return &grouping->group[place];
	buf_clear(text);
	if (grouping->key >= 0)
		rows_cell(rows, row, grouping->key, &value);
	if (value.kind == VALUE_NONE && grouping->key >= 0
	    && rows->table->columns[grouping->key].is_field)
		return NULL;
	struct group_row *group = grouping_find(grouping, &value);
	if (key && !group->others)
		map_put(&grouping->by_key, key, (uint64_t)(group - grouping->group));
	return group;
}

bool grouping_make(struct grouping *grouping, const uint32_t *row, size_t count,
                   struct progress *progress)
{
	SCOPED_BUF text = {0};
	bool on = true;
	progress_begin(progress, "grouping", count);
	for (size_t i = 0; i < count && on; i++) {
		size_t number = row ? row[i] : i;
		struct group_row *group = grouping_of(grouping, number, &text);
		if (group)
			grouping_add_row(grouping, group, number, &text);
		else
			grouping->left_out++;
		on = i % POLL_EVERY || progress_step(progress, i);
	}
	return on;
}

void grouping_fini(struct grouping *grouping)
{
	free(grouping->group);
	buf_free(&grouping->text);
	map_free(&grouping->places);
	map_free(&grouping->by_key);
}

void grouping_value(const struct grouping *grouping, size_t group, struct value *value)
{
	const struct group_row *row = &grouping->group[group];
	value->kind = row->kind;
	value->number = row->number;
	value->whole = row->whole;
	value->negative = row->negative;
	buf_add(value->text, grouping->text.data + row->text);
}

void grouping_sum(const struct grouping *grouping, size_t group, int sum, struct value *value)
{
	uint64_t plus = grouping->group[group].sum[sum].plus;
	uint64_t minus = grouping->group[group].sum[sum].minus;
	enum value_kind kind = grouping->rows->table->columns[grouping->sum[sum]].kind;
	value->kind = kind == VALUE_BYTES || kind == VALUE_TIME ? kind : VALUE_COUNT;
	value->negative = minus > plus;
	value->number = value->negative ? minus - plus : plus - minus;
	if (!grouping->real[sum])
		return;
	value->kind = VALUE_REAL;
	value->negative = false;
	value->real = (double)plus - (double)minus + grouping->group[group].sum[sum].real;
}
