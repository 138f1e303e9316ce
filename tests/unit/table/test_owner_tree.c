/* Rows in the tree of owners with more children than are shown at once, and with slow ones. */
#include "cmocka_all.h"

#include "format/dump_writer.h"
#include "table/owners/owner_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MEMBERS = 2500, SLICE = 1000, MANY = 100200 };
#define LIST   UINT64_C(0xc000000000)
#define MEMBER UINT64_C(0xc100000000)
#define CROWD  UINT64_C(0xc200000000)
#define ONE    UINT64_C(0xc300000000)

struct fixture {
	struct dump_writer writer;
	struct analysis *analysis;
	struct dump_field *field;
};

/* Every member has a tail, of one of three sizes. */
static void write_list(struct fixture *f)
{
	for (uint64_t i = 0; i < MEMBERS; i++)
		f->field[i] = (struct dump_field){8 * i, MEMBER + 8192 * i, 0};
	dump_object(&f->writer, LIST, 8 * MEMBERS, f->field, MEMBERS);
	for (uint64_t i = 0; i < MEMBERS; i++) {
		struct dump_field tail = {0, MEMBER + 8192 * i + 4096, 0};
		dump_object(&f->writer, MEMBER + 8192 * i, 64, &tail, 1);
		dump_object(&f->writer, MEMBER + 8192 * i + 4096, 512ULL << i % 3, NULL, 0);
	}
}

static void write_crowd(struct fixture *f)
{
	for (uint64_t i = 0; i < MANY; i++)
		f->field[i] = (struct dump_field){8 * i, ONE + 16 * i, 0};
	dump_object(&f->writer, CROWD, 8 * MANY, f->field, MANY);
	for (uint64_t i = 0; i < MANY; i++)
		dump_object(&f->writer, ONE + 16 * i, 16, NULL, 0);
}

static bool read_back(struct fixture *f)
{
	char path[] = P_tmpdir "/goheapx-test-XXXXXX";
	struct err err = {0};
	int fd = mkstemp(path);
	bool done = fd >= 0
	            && write(fd, f->writer.out.data, f->writer.out.len) == (ssize_t)f->writer.out.len;
	f->analysis = analysis_new(path, NULL);
	done = done && analysis_run(f->analysis, STAGE_ALL, &err);
	close(fd);
	unlink(path);
	return done;
}

static int setup(void **state)
{
	static const struct dump_field globals[] = {{0, LIST, 0}, {8, CROWD, 0}};
	struct fixture *f = *state = calloc(1, sizeof *f);
	f->field = calloc(MANY, sizeof *f->field);
	dump_start(&f->writer, 8, false, "go1.19.8");
	write_list(f);
	write_crowd(f);
	dump_segment(&f->writer, true, 0x6000, 64, globals, 2);
	dump_end(&f->writer);
	return read_back(f) ? 0 : -1;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	analysis_free(f->analysis);
	dump_free(&f->writer);
	free(f->field);
	free(f);
	return 0;
}

static struct rows *open_rows(const struct fixture *f, const char *argument)
{
	struct err err = {0};
	struct rows *rows = rows_open(table_find("dominated"), f->analysis, argument, &err);
	assert_non_null(rows);
	return rows;
}

static uint64_t cell(const struct rows *rows, size_t row, const char *name)
{
	return rows_number(rows, row, name).number;
}

/* Checks the start of a name. Names of fields without a type are left to the tests of labels. */
static void check_name(const struct rows *rows, size_t row, const char *begin)
{
	SCOPED_BUF text = {0};
	rows_text(rows, row, table_column(rows->table, "name"), &text);
	assert_memory_equal(buf_text(&text), begin, strlen(begin));
}

/* Opens the rest of a group until there is none; adds up the retained bytes of its members. */
static size_t walk_slices(struct rows *rows, size_t row, uint64_t *bytes)
{
	uint64_t last_bytes = UINT64_MAX, last_address = 0;
	size_t members = 0;
	for (bool more = true; more;) {
		size_t first, count = rows->table->tree->below(rows, row, &first);
		assert_true(count <= SLICE + 1);
		more = false;
		for (row = first; row < first + count && !more; row++) {
			more = owner_tree_row(rows, row)->kind == OWNER_ROW_REST;
			if (more)
				break;
			uint64_t now = cell(rows, row, "retained_bytes"), at = cell(rows, row, "address");
			assert_true(now < last_bytes || (now == last_bytes && at > last_address));
			last_bytes = now;
			last_address = at;
			*bytes += now;
			members++;
		}
	}
	return members;
}

TEST_WITH(equals_are_shown_in_slices, setup, teardown)
{
	struct rows *rows = open_rows(*state, "c000000000");
	uint64_t bytes = 0;
	assert_int_equal(rows->count, 1);
	check_name(rows, 0, "2,500 × obj[64] ");
	assert_int_equal(cell(rows, 0, "retained_objects"), 2 * MEMBERS);
	assert_int_equal(walk_slices(rows, 0, &bytes), MEMBERS);
	assert_int_equal(bytes, cell(rows, 0, "retained_bytes"));
	rows_close(rows);
}

TEST_WITH(the_rest_is_a_row, setup, teardown)
{
	struct rows *rows = open_rows(*state, "c000000000");
	size_t first, count = rows->table->tree->below(rows, 0, &first);
	assert_int_equal(count, SLICE + 1);
	check_name(rows, first + SLICE, "1,500 more");
	uint64_t sum = 0;
	for (size_t row = first; row < first + count; row++)
		sum += cell(rows, row, "retained_bytes");
	assert_int_equal(sum, cell(rows, 0, "retained_bytes"));
	assert_int_equal(rows->table->tree->below(rows, 0, &first), count); /* they are made once */
	rows_close(rows);
}

/* The rows are the same whether prepared in advance or not. */
TEST_WITH(what_takes_long_can_be_prepared, setup, teardown)
{
	struct rows *rows = open_rows(*state, "@1");
	size_t crowd = 0, first, count;
	while (cell(rows, crowd, "retained_objects") != MANY + 1)
		crowd++;
	size_t next, below = rows->table->tree->below(rows, crowd, &next);
	assert_int_equal(below, 1);
	assert_true(rows->table->tree->takes_long(rows, next));
	assert_false(rows->table->tree->takes_long(rows, crowd));
	assert_true(rows->table->tree->prepare(rows, next, NULL));
	count = rows->table->tree->below(rows, next, &first);
	assert_false(rows->table->tree->takes_long(rows, next));
	assert_int_equal(count, 1);
	check_name(rows, first, "100,200 × obj[16] ");
	assert_int_equal(cell(rows, first, "retained_bytes"), 16 * MANY);
	rows_close(rows);
}
