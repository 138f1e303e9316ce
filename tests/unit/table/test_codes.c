/* Codes of a column: each text once, no value, guesses, limits, widths, cancel. */
#include "cmocka_all.h"

#include "base/progress.h"
#include "table/codes.h"

#include <stdio.h>
#include <string.h>

enum { NUMBERED, HALVES, WORDS };

static size_t cells; /* that were made */

/* Rows have their number as text, those of multiples of 10 nothing; odd ones are a guess. */
static void numbered_cell(const struct rows *rows, size_t row, struct value *value)
{
	(void)rows;
	cells++;
	if (row % 10 == 0)
		return;
	value->kind = VALUE_TEXT;
	value->guess = row & 1;
	buf_addf(value->text, "%zu", row / 2);
}

/* Texts follow from halves of the number; but those of rows from 1000 on from the row. */
static uint64_t halves_code(const struct rows *rows, size_t row)
{
	(void)rows;
	return row < 1000 ? 1 + row / 2 : 0;
}

static void halves_cell(const struct rows *rows, uint64_t code, struct value *value)
{
	(void)rows;
	cells++;
	value->kind = VALUE_TEXT;
	buf_addf(value->text, "%u", (unsigned)(code - 1) % 3);
}

static const char *const words[] = {"red", "green", "blue"};
struct record {
	uint8_t word;
	bool known;
};
static const struct record records[] = {{2, true}, {0, true}, {0, false}, {2, true}};

static const void *record_of(const struct rows *rows, size_t row)
{
	(void)rows;
	return &records[row];
}

static const struct coding halves = {halves_code, halves_cell};
static const struct column columns[] = {
	{.name = "numbered", .kind = VALUE_TEXT, .cell = numbered_cell},
	{.name = "halves", .kind = VALUE_TEXT, .cell = numbered_cell, .coding = &halves},
	{.name = "words",
     .kind = VALUE_TEXT,
     .field = {FIELD_PLACE(struct record, word), .known = ROW_MEMBER(struct record, known, bool),
               .words = words}},
};
static const struct table table = {
	.name = "test", .columns = columns, .column_count = 3, .record = record_of};
static const struct rows rows = {.table = &table, .count = 100000};

TEST(equal_texts_have_one_code)
{
	struct codes codes = {.rows = &rows, .column = NUMBERED};
	uint32_t two = codes_at(&codes, 2);
	assert_int_equal(two, 1);
	assert_int_equal(codes_at(&codes, 3), two);
	assert_int_equal(codes_at(&codes, 4), 2);
	assert_int_equal(codes_at(&codes, 10), 0);
	assert_string_equal(codes_text(&codes, two), "1");
	assert_string_equal(codes_text(&codes, 0), "");
	codes_fini(&codes);
}

TEST(guesses_have_codes_of_their_own_if_asked_for)
{
	struct codes codes = {.rows = &rows, .column = NUMBERED, .marked = true};
	uint32_t sure = codes_at(&codes, 2), guess = codes_at(&codes, 3);
	assert_int_not_equal(sure, guess);
	assert_int_equal(codes_at(&codes, 2), sure);
	codes_fini(&codes);
}

TEST(text_is_made_once_per_code)
{
	static const char *const thirds[] = {"0", "1", "2"};
	struct codes codes = {.rows = &rows, .column = HALVES};
	cells = 0;
	for (int again = 0; again < 3; again++)
		for (size_t row = 0; row < 1000; row++)
			assert_string_equal(codes_text(&codes, codes_at(&codes, row)), thirds[row / 2 % 3]);
	assert_int_equal(cells, 500);
	assert_int_equal(codes.texts.count, 3);
	assert_int_equal(codes_at(&codes, 1001), 4); /* by its text, "500" */
	codes.coded_only = true;
	assert_int_equal(codes_at(&codes, 1001), CODE_NONE);
	codes_fini(&codes);
}

TEST(numbers_of_words_are_codes)
{
	struct codes codes = {.rows = &rows, .column = WORDS, .coded_only = true};
	assert_string_equal(codes_text(&codes, codes_at(&codes, 0)), "blue");
	assert_string_equal(codes_text(&codes, codes_at(&codes, 1)), "red");
	assert_int_equal(codes_at(&codes, 3), codes_at(&codes, 0));
	assert_int_equal(codes_at(&codes, 2), CODE_NONE); /* without a value, and so without a number */
	codes_fini(&codes);
}

TEST(too_many_texts_have_no_codes)
{
	struct codes codes = {.rows = &rows, .column = HALVES, .most = 2};
	assert_int_equal(codes_at(&codes, 0), 1);
	assert_int_equal(codes_at(&codes, 2), 2);
	assert_int_equal(codes_at(&codes, 4), CODE_NONE);
	assert_int_equal(codes_at(&codes, 1), 1);
	struct row_codes of;
	assert_false(row_codes_init(&of, &codes, NULL, 1000, NULL));
	assert_null(of.code);
	codes_fini(&codes);
}

TEST(notes_belong_to_codes)
{
	struct codes codes = {.rows = &rows, .column = NUMBERED};
	*codes_note(&codes, 5) = 7;
	assert_int_equal(*codes_note(&codes, 0), 0);
	assert_int_equal(*codes_note(&codes, 5000), 0);
	assert_int_equal(*codes_note(&codes, 5), 7);
	codes_fini(&codes);
}

/* 200, 600 and 150,000 rows have some 100, 300 and 75,000 texts. */
TEST(elements_are_as_wide_as_needed)
{
	static const struct {
		size_t count;
		unsigned bytes;
	} some[] = {{200, 1}, {600, 2}, {150000, 4}, {0, 1}};
	for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
		struct codes codes = {.rows = &rows, .column = NUMBERED};
		struct row_codes of;
		assert_true(row_codes_init(&of, &codes, NULL, some[i].count, NULL));
		assert_int_equal(of.bytes, some[i].bytes);
		for (size_t row = 0; row < some[i].count; row++) {
			char text[32] = "";
			if (row % 10)
				snprintf(text, sizeof text, "%zu", row / 2);
			assert_string_equal(codes_text(&codes, row_codes_at(&of, row)), text);
		}
		row_codes_fini(&of);
		codes_fini(&codes);
	}
}

TEST(codes_of_some_rows)
{
	static const uint32_t some[] = {1004, 2, 1005, 20};
	struct codes codes = {.rows = &rows, .column = NUMBERED};
	struct row_codes of;
	assert_true(row_codes_init(&of, &codes, some, 4, NULL));
	assert_int_equal(row_codes_at(&of, 0), row_codes_at(&of, 2));
	assert_string_equal(codes_text(&codes, row_codes_at(&of, 1)), "1");
	assert_int_equal(row_codes_at(&of, 3), 0);
	row_codes_fini(&of);
	codes_fini(&codes);
}

TEST(making_codes_can_be_cancelled)
{
	struct progress progress = {.cancel = false};
	struct codes codes = {.rows = &rows, .column = NUMBERED};
	struct row_codes of;
	atomic_store(&progress.cancel, true);
	assert_false(row_codes_init(&of, &codes, NULL, rows.count, &progress));
	assert_true(codes.texts.count < rows.count / 2);
	codes_fini(&codes);
}
