/* Cells, their text for display, their sort keys: rows_cell, rows_text of table/table.h. */
#include "table/table.h"

#include "base/number.h"
#include "base/text.h"
#include "go/types/typing.h"
#include "table/cell.h"
#include "table/contents/field_columns.h"
#include "table/growth/delta.h"

#include <string.h>

static void value_add_list(const struct buf *list, struct buf *out)
{
	for (const char *item = buf_text(list); *item;) {
		size_t len = strcspn(item, "\n");
		buf_add_bytes(out, item, len);
		item += len + (item[len] == '\n');
		buf_add(out, *item ? " > " : "");
	}
}

void value_add(const struct value *value, struct buf *out)
{
	if (value->negative)
		buf_add_char(out, '-');
	switch (value->kind) {
	case VALUE_NONE:
		break;
	case VALUE_TEXT:
		buf_add(out, buf_text(value->text));
		break;
	case VALUE_LIST:
		value_add_list(value->text, out);
		break;
	case VALUE_ID:
		number_add(out, value->number);
		break;
	case VALUE_COUNT:
		text_add_count(out, value->number);
		break;
	case VALUE_BYTES:
		text_add_size(out, value->number);
		break;
	case VALUE_ADDRESS:
		number_add_hex(out, value->number);
		break;
	case VALUE_OFFSET:
		buf_add_char(out, '+');
		number_add_hex(out, value->number);
		break;
	case VALUE_BOOL:
		buf_add(out, value->number ? "yes" : "no");
		break;
	case VALUE_TIME:
		text_add_duration(out, value->number);
		break;
	case VALUE_SHARE:
		text_add_share(out, value->number, value->whole);
		break;
	case VALUE_REAL:
		buf_addf(out, "%.6g", value->real);
		break;
	}
}

bool rows_column_hidden(const struct rows *rows, int column)
{
	const struct column *c = &rows->table->columns[column];
	bool (*absent)(const struct rows *) = c->absent;
	if (c->on_request || (rows->analysis && !heap_has(analysis_heap(rows->analysis), c->parts)))
		return true;
	return absent && (rows->data || rows->count) && absent(rows); /* not during opening */
}

bool rows_column_waits(const struct rows *rows, int column)
{
	unsigned stages = rows->table->columns[column].stages;
	return stages && !analysis_has(rows->analysis, stages);
}

/* Returns the number that a field has, if it has one. */
static uint64_t field_number(const struct field_place *place, const char *record)
{
	const void *field = record + place->offset;
	switch ((enum field_type)place->type) {
	case FIELD_U64:
		return *(const uint64_t *)field;
	case FIELD_U32:
	case FIELD_OBJECT_ID:
		return *(const uint32_t *)field;
	case FIELD_U8:
		return *(const uint8_t *)field;
	case FIELD_BOOL:
		return *(const bool *)field;
	case FIELD_TEXT:
	case FIELD_STRING:
		break;
	}
	return 0;
}

static bool field_is_known(const struct field_place *place, const char *record)
{
	return !place->known || *(const bool *)(record + place->known - 1);
}

void cell_field(const struct rows *rows, const void *of, struct value *value)
{
	const struct column *column = &rows->table->columns[value->column];
	const struct field_place *place = &column->field;
	const char *record = of;
	const void *field = record + place->offset;
	if (!field_is_known(place, record))
		return;
	uint64_t number = field_number(place, record);
	if (place->type == FIELD_OBJECT_ID)
		cell_object(value, analysis_heap(rows->analysis), (uint32_t)number);
	else if (place->type == FIELD_TEXT)
		cell_dump_text(value, *(const struct text *)field);
	else if (place->type == FIELD_STRING)
		cell_text(value, *(const char *const *)field ? *(const char *const *)field : "");
	else if (place->before)
		cell_delta(value, column->kind,
		           *(const uint64_t *)(const void *)(record + place->before - 1), number);
	else if (place->words)
		cell_text(value, place->words[number]);
	else if (column->kind == VALUE_OFFSET)
		cell_offset(value, number);
	else if (column->kind == VALUE_SHARE)
		cell_share(value, number, objects_bytes(heap_objects(analysis_heap(rows->analysis))));
	else if (number || !place->unless_zero)
		cell_number(value, column->kind, number);
}

void field_unless_absent_cell(const struct rows *rows, size_t row, struct value *value)
{
	if (!rows->table->columns[value->column].absent(rows))
		cell_field(rows, rows_record(rows, row), value);
}

void rows_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	const struct column *at = &rows->table->columns[column];
	value->column = column;
	if (rows_column_waits(rows, column))
		return;
	uint64_t code = at->coding ? at->coding->of(rows, row) : 0;
	if (code)
		at->coding->cell(rows, code, value);
	else if (at->is_field)
		field_columns_cell(rows, row, at, value);
	else if (at->cell)
		at->cell(rows, row, value);
	else if (!at->coding)
		cell_field(rows, rows_record(rows, row), value);
	if (value->composed && value->kind == VALUE_TEXT && value->text->len == value->number)
		value->kind = VALUE_NONE;
}

uint64_t rows_code(const struct rows *rows, size_t row, int column)
{
	const struct column *at = &rows->table->columns[column];
	if (rows_column_waits(rows, column))
		return 0;
	if (at->coding)
		return at->coding->of(rows, row);
	if (!column_is_coded(at))
		return 0;
	const void *record = rows_record(rows, row);
	return field_is_known(&at->field, record) ? 1 + field_number(&at->field, record) : 0;
}

struct value rows_number(const struct rows *rows, size_t row, const char *column)
{
	struct value value = {0};
	rows_cell(rows, row, table_column(rows->table, column), &value);
	return value;
}

bool rows_take_long(const struct rows *rows, size_t row)
{
	const struct table_tree *tree = rows->table->tree;
	return tree->takes_long && tree->takes_long(rows, row);
}

int rows_weight_column(const struct rows *rows)
{
	const struct table_tree *tree = rows->table->tree;
	int column = table_column(rows->table, tree->weight);
	return tree->weight_else && rows_column_hidden(rows, column)
	           ? table_column(rows->table, tree->weight_else)
	           : column;
}

uint64_t rows_weight(const struct rows *rows, size_t row)
{
	struct value value = rows_number(rows, row, rows->table->tree->weight);
	return value.negative ? 0 : value.number;
}

void rows_text(const struct rows *rows, size_t row, int column, struct buf *out)
{
	SCOPED_BUF text = {.without = out->without};
	struct value value = {.text = &text};
	rows_cell(rows, row, column, &value);
	if (rows_column_waits(rows, column))
		buf_add(out, "not yet");
	buf_add(out, type_mark(value.guess ? KNOWN_GUESS : KNOWN_EXACT));
	value_add(&value, out);
}

/* ---- Order */

/* Returns a key for signed numbers, which fields can have. */
static uint64_t value_signed_key(const struct value *value)
{
	const uint64_t zero = 1ULL << 63;
	uint64_t number = value->number < zero - 1 ? value->number : zero - 1;
	return value->kind == VALUE_NONE ? 0 : value->negative ? zero - number : zero + number;
}

enum { SHARES = 1 << 20 }; /* limit on shares, which a damaged dump can exceed */

uint64_t value_sort_key(const struct value *value, bool is_signed)
{
	if (value->kind == VALUE_REAL) {
		/* The bits of a double are mapped so that they sort like the numbers. */
		const uint64_t sign = 1ULL << 63;
		uint64_t bits;
		memcpy(&bits, &value->real, sizeof bits);
		return bits & sign ? ~bits : bits | sign;
	}
	if (is_signed)
		return value_signed_key(value);
	if (value->kind == VALUE_NONE || value->negative)
		return value->negative;
	if (value->kind == VALUE_SHARE) { /* rows may be parts of different wholes */
		double share = value->whole ? (double)value->number / (double)value->whole : 0;
		return 1 + (uint64_t)((share < SHARES ? share : SHARES) * (1ULL << 40));
	}
	return value->number < UINT64_MAX ? value->number + 1 : UINT64_MAX;
}
