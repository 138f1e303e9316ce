/* Any bytes as a filter over a table that has columns of every kind. The first two bytes are what
   the cells hold. */
#include "fuzz.h"

#include "table/query/filter.h"

#include <string.h>

static uint8_t seed[2];

/* The first row has values, the second has none. */
static void cell_of(enum value_kind kind, size_t row, struct value *value)
{
	if (row)
		return;
	value->kind = kind;
	value->number = (uint64_t)seed[0] << seed[1] % 57;
	value->whole = seed[1];
	for (unsigned i = 0; value->kind == VALUE_TEXT && i < seed[0] % 32; i++)
		buf_add_char(value->text, "main.Session []()"[(seed[1] + i) % 17]);
}

#define CELL(name, kind)                                                       \
	static void name(const struct rows *rows, size_t row, struct value *value) \
	{                                                                          \
		(void)rows;                                                            \
		cell_of(kind, row, value);                                             \
	}
CELL(cell_text, VALUE_TEXT)
CELL(cell_id, VALUE_ID)
CELL(cell_count, VALUE_COUNT)
CELL(cell_size, VALUE_BYTES)
CELL(cell_address, VALUE_ADDRESS)
CELL(cell_offset, VALUE_OFFSET)
CELL(cell_bool, VALUE_BOOL)
CELL(cell_time, VALUE_TIME)
CELL(cell_share, VALUE_SHARE)

static const struct column columns[] = {
	{"text", "text", "A text", VALUE_TEXT, 0, 0, .cell = cell_text},
	{"id", "id", "A number", VALUE_ID, 8, 0, .cell = cell_id},
	{"count", "count", "A number", VALUE_COUNT, 8, 0, .cell = cell_count},
	{"size", "size", "A size", VALUE_BYTES, 8, 0, .cell = cell_size},
	{"address", "address", "An address", VALUE_ADDRESS, 8, 0, .cell = cell_address},
	{"offset", "offset", "An offset", VALUE_OFFSET, 8, 0, .cell = cell_offset},
	{"bool", "bool", "A bool", VALUE_BOOL, 8, 0, .cell = cell_bool},
	{"time", "time", "A time", VALUE_TIME, 8, 0, .cell = cell_time},
	{"share", "share", "A share", VALUE_SHARE, 8, 0, .cell = cell_share},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static const struct table table = {
	.name = "fuzz",
	.columns = columns,
	.column_count = COLUMNS,
};

/* What the other one excludes; too much nesting is no finding. */
static void check_opposite(struct filter *filter, const char *text, const struct rows *rows)
{
	SCOPED_BUF opposite = {0};
	buf_addf(&opposite, "not (%s)", text);
	struct filter *other = filter_new(&table, buf_text(&opposite), NULL);
	for (size_t row = 0; other && row < rows->count; row++)
		fuzz_check(filter_matches(filter, rows, row) != filter_matches(other, rows, row));
	filter_free(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct rows rows = {.table = &table, .count = 2};
	SCOPED_BUF text = {0};
	struct err err = {0};
	if (size < sizeof seed)
		return 0;
	memcpy(seed, data, sizeof seed);
	buf_add_bytes(&text, data + sizeof seed, size - sizeof seed);
	struct filter *filter = filter_new(&table, buf_text(&text), &err);
	fuzz_check((filter != NULL) != err.set);
	fuzz_check_visible(err.text);
	if (filter)
		check_opposite(filter, buf_text(&text), &rows);
	filter_free(filter);
	return 0;
}
