/* rows_sorted on a table of the test: order, ties, cells without a value, texts, cancel. */
#include "cmocka_all.h"

#include "base/progress.h"
#include "table/table.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBER, TEXT, SHARED };

static const struct row {
	bool none;
	uint64_t number;
	const char *text;
} * data;

static void number_cell(const struct rows *rows, size_t row, struct value *value)
{
	(void)rows;
	if (!data[row].none)
		*value = (struct value){VALUE_COUNT, data[row].number, .text = value->text};
}

static void text_cell(const struct rows *rows, size_t row, struct value *value)
{
	(void)rows;
	if (!data[row].text)
		return;
	value->kind = VALUE_TEXT;
	buf_add(value->text, data[row].text);
}

/* Rows with texts of one length and first letter share a code; others have none. */
static uint64_t text_code(const struct rows *rows, size_t row)
{
	(void)rows;
	const char *text = data[row].text;
	return text && data[row].number != 7 ? 1 + (uint8_t)*text + (strlen(text) << 8) : 0;
}

static void coded_cell(const struct rows *rows, uint64_t code, struct value *value)
{
	size_t row = 0;
	while (text_code(rows, row) != code)
		row++;
	text_cell(rows, row, value);
}

static const struct coding coding = {text_code, coded_cell};

static const struct column columns[] = {
	{"number", "number", "A number", VALUE_COUNT, 8, 0, .cell = number_cell},
	{"text", "text", "A text", VALUE_TEXT, 8, 0, .cell = text_cell},
	{"shared", "shared", "A text", VALUE_TEXT, 8, 0, .cell = text_cell, .coding = &coding},
};

static const struct table table = {
	.name = "test",
	.columns = columns,
	.column_count = 3,
};

static void check(const struct row *rows_data, size_t count, int column, bool descending,
                  const uint32_t *right)
{
	struct rows rows = {.table = &table, .count = count};
	data = rows_data;
	uint32_t *order = rows_sorted(&rows, column, descending, NULL);
	assert_non_null(order);
	assert_memory_equal(order, right, count * sizeof *right);
	free(order);
}

static const struct row few[] = {
	{false, 7, "b"},
	{true, 0, NULL},
	{false, 0, "aa"},
	{false, 7, "a"},
	{false, 300, ""},
	{true, 0, "b"},
	{false, UINT64_MAX, "\xff"},
	{false, 1ULL << 40, "a"},
};

TEST(numbers_are_sorted_ties_stay)
{
	check(few, 8, NUMBER, false, (const uint32_t[]){1, 5, 2, 0, 3, 4, 7, 6});
	check(few, 8, NUMBER, true, (const uint32_t[]){6, 7, 4, 0, 3, 2, 1, 5});
}

TEST(texts_are_sorted_ties_stay)
{
	for (int column = TEXT; column <= SHARED; column++) {
		check(few, 8, column, false, (const uint32_t[]){1, 4, 3, 7, 2, 0, 5, 6});
		check(few, 8, column, true, (const uint32_t[]){6, 0, 5, 2, 3, 7, 1, 4});
	}
}

TEST(nothing_and_one_are_sorted)
{
	check(few, 0, NUMBER, false, (const uint32_t[]){0});
	check(few, 1, NUMBER, true, (const uint32_t[]){0});
	check(few, 1, TEXT, false, (const uint32_t[]){0});
}

enum { MANY = 100000 };

/* Random keys with many ties: neighbors are in order, and equal ones keep their row order. */
TEST(many_rows_are_in_order)
{
	struct row *many = calloc(MANY, sizeof *many);
	uint64_t random = 1;
	for (size_t i = 0; i < MANY; i++) {
		random = random * 6364136223846793005 + 1442695040888963407;
		many[i].number = (random >> 40) % 1000 << (random >> 60) * 3;
	}
	struct rows rows = {.table = &table, .count = MANY};
	data = many;
	uint32_t *order = rows_sorted(&rows, NUMBER, false, NULL);
	for (size_t i = 1; i < MANY; i++) {
		const struct row *before = &many[order[i - 1]], *here = &many[order[i]];
		assert_true(before->number < here->number
		            || (before->number == here->number && order[i - 1] < order[i]));
	}
	free(order);
	free(many);
}

/* The partial sort gives what the full one begins with, also of equal keys. */
TEST(the_first_rows_are_those_of_the_whole_order)
{
	const size_t first[] = {0, 1, 2, 63, 1000, MANY / 16, MANY};
	static const char *const texts[7] = {"b", "", "aa", "a", "\xff", "abc", "ba"};
	struct row *many = calloc(MANY, sizeof *many);
	struct rows rows = {.table = &table, .count = MANY};
	data = many;
	for (uint64_t kinds = 1; kinds <= MANY; kinds *= 100) {
		for (size_t i = 0; i < MANY; i++)
			many[i] = (struct row){i % 97 == 5, (i * 7919 + i / 3) % kinds,
			                       i % 97 == 5 ? NULL : texts[(i * 7919 + i / 3) % kinds % 7]};
		for (int order_by = 0; order_by < 6; order_by++) {
			int column = order_by / 2, descending = order_by % 2;
			uint32_t *whole = rows_sorted(&rows, column, descending, NULL);
			for (size_t n = 0; n < sizeof first / sizeof *first; n++) {
				uint32_t *order = rows_sorted_first(&rows, column, descending, first[n], NULL);
				assert_memory_equal(order, whole, first[n] * sizeof *order);
				free(order);
			}
			free(whole);
		}
	}
	free(many);
}

TEST(a_cancelled_sort_gives_nothing)
{
	struct row *many = calloc(MANY, sizeof *many);
	struct rows rows = {.table = &table, .count = MANY};
	struct progress progress = {.cancel = false};
	data = many;
	atomic_store(&progress.cancel, true);
	assert_null(rows_sorted(&rows, NUMBER, false, &progress));
	assert_null(rows_sorted_first(&rows, NUMBER, false, 9, &progress));
	assert_null(rows_sorted(&rows, TEXT, true, &progress));
	assert_null(rows_sorted(&rows, SHARED, true, &progress));
	free(many);
}
