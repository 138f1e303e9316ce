/* Tables of one long object: rows are found from marks, in any order of requests. */
#include "analysis/analysis.h"
#include "cmocka_all.h"

#include "format/dump_writer.h"
#include "table/table.h"

#include <stdlib.h>
#include <unistd.h>

enum { WORDS = 30000, TARGETS = 16 };
#define OBJECT UINT64_C(0xc000000000)
#define TARGET UINT64_C(0xc001000000)

struct fixture {
	struct dump_writer writer;
	struct analysis *analysis;
	struct dump_field field[WORDS];
	size_t fields;
	uint64_t references[WORDS]; /* offsets of pointers to objects */
	size_t reference_count;
};

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005 + 1442695040888963407;
	return *state >> 33;
}

/* Makes pointers in runs and gaps of many lengths: to objects, nil, and outside of the heap. */
static void make_fields(struct fixture *f)
{
	uint64_t random = 7;
	for (uint64_t word = 0; word < WORDS;) {
		uint64_t run = 1 + next_random(&random) % 3000, kind = next_random(&random) % 4;
		for (; run && word < WORDS; run--, word++) {
			uint64_t target = TARGET + 8 * (next_random(&random) % (2 * TARGETS));
			if (kind == 0)
				continue;
			f->field[f->fields++] = (struct dump_field){8 * word, kind == 1   ? 0
			                                                      : kind == 2 ? 1
			                                                                  : target};
			if (kind == 3)
				f->references[f->reference_count++] = 8 * word;
		}
	}
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);
	struct err err = {0};
	make_fields(f);
	dump_start(&f->writer, 8, false, "go1.19.8");
	dump_object(&f->writer, OBJECT, 8 * WORDS, f->field, f->fields);
	for (uint64_t i = 0; i < TARGETS; i++)
		dump_object(&f->writer, TARGET + 16 * i, 16, NULL, 0);
	dump_end(&f->writer);
	char path[] = "/tmp/goheapx-test-XXXXXX";
	int fd = mkstemp(path);
	assert_int_equal(write(fd, f->writer.out.data, f->writer.out.len), f->writer.out.len);
	close(fd);
	f->analysis = analysis_new(path, NULL);
	*state = f;
	bool done = analysis_run(f->analysis, STAGE_LINKED, &err);
	unlink(path); /* the reader has it mapped */
	return done ? 0 : -1;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	analysis_free(f->analysis);
	buf_free(&f->writer.out);
	free(f);
	return 0;
}

static struct rows *open_rows(const struct fixture *f, const char *name)
{
	struct err err = {0};
	struct rows *rows = rows_open(table_find(name), f->analysis, "c000000000", &err);
	assert_non_null(rows);
	return rows;
}

static void check_field(struct fixture *f, const struct rows *rows, uint64_t word)
{
	SCOPED_BUF text = {0};
	size_t at = 0;
	while (at < f->fields && f->field[at].offset < 8 * word)
		at++;
	const char *right = "word";
	if (at < f->fields && f->field[at].offset == 8 * word)
		right = f->field[at].value == 0 ? "nil" : f->field[at].value == 1 ? "outside" : "pointer";
	rows_text(rows, word, table_column(rows->table, "kind"), &text);
	assert_string_equal(buf_text(&text), right);
}

TEST(fields_are_found_in_any_order)
{
	struct fixture *f = *state;
	struct rows *rows = open_rows(f, "fields");
	uint64_t random = 1;
	assert_int_equal(rows->count, WORDS);
	check_field(f, rows, WORDS - 1);
	for (int i = 0; i < 2000; i++)
		check_field(f, rows, next_random(&random) % WORDS);
	for (uint64_t word = 0; word < WORDS; word += 7)
		check_field(f, rows, word);
	for (uint64_t word = WORDS; word-- > WORDS - 3000;)
		check_field(f, rows, word);
	rows_close(rows);
}

static void check_reference(struct fixture *f, const struct rows *rows, size_t row)
{
	struct value value = rows_number(rows, row, "offset");
	assert_true(value.kind == VALUE_OFFSET && value.number == f->references[row]);
}

TEST(references_are_found_in_any_order)
{
	struct fixture *f = *state;
	struct rows *rows = open_rows(f, "references");
	uint64_t random = 1;
	size_t count = f->reference_count;
	assert_int_equal(rows->count, count);
	check_reference(f, rows, count / 2);
	check_reference(f, rows, count - 1);
	for (int i = 0; i < 2000; i++)
		check_reference(f, rows, next_random(&random) % count);
	for (size_t row = 0; row < count; row++)
		check_reference(f, rows, row);
	for (size_t row = count; row-- > 0;)
		check_reference(f, rows, row);
	rows_close(rows);
}

TEST(what_is_not_there_is_absent)
{
	struct fixture *f = *state;
	struct err err = {0};
	assert_null(rows_open(table_find("fields"), f->analysis, "0x1", &err));
	assert_true(err.set && err.absent);
	err_clear(&err);
	assert_null(rows_open(table_find("fields"), f->analysis, "here", &err));
	assert_true(err.set && !err.absent);
	err_clear(&err);
	assert_null(rows_open(table_find("fields"), f->analysis, "", &err));
	assert_true(err.set && !err.absent);
	err_clear(&err);
	assert_null(rows_open(table_find("packages"), f->analysis, "x", &err));
	assert_true(err.set && !err.absent);
}

TESTS_WITH(setup, teardown);
