/* Columns of addresses: a column that only repeats another, row after row, is hidden. Names of
   rows: columns that can go make room for them. */
#include "cmocka_all.h"

#include "base/text.h"
#include "table/naming/shorten.h"
#include "ui/grid.h"

enum { ROWS = 3, COLUMNS = 3, WIDTH = 80, NONE = 0 };

/* Two columns of addresses, and one of texts that look like the first. */
struct twins {
	int rank[COLUMNS - 1]; /* of the columns of addresses */
	uint64_t cell[ROWS][COLUMNS - 1];
	size_t rows;
};

static void cell_address(const struct rows *rows, size_t row, struct value *value, int column)
{
	const struct twins *twins = rows->data;
	value->number = twins->cell[row][column];
	value->kind = value->number == NONE ? VALUE_NONE : VALUE_ADDRESS;
}

static void cell_first(const struct rows *rows, size_t row, struct value *value)
{
	cell_address(rows, row, value, 0);
}

static void cell_second(const struct rows *rows, size_t row, struct value *value)
{
	cell_address(rows, row, value, 1);
}

static void cell_alike(const struct rows *rows, size_t row, struct value *value)
{
	const struct twins *twins = rows->data;
	value->kind = VALUE_TEXT;
	buf_addf(value->text, "0x%x", (unsigned)twins->cell[row][0]);
}

static bool grid_shows(const struct grid *grid, int column)
{
	for (int i = 0; i < grid->count; i++)
		if (grid->at[i].column == column)
			return true;
	return false;
}

/* Shows the rows, the first one `again` times, and checks which columns are visible. */
static void check_twins(const struct twins *twins, int again, bool first, bool second)
{
	const struct column columns[COLUMNS] = {
		{.name = "first",
	     .title = "first",
	     .kind = VALUE_ADDRESS,
	     .width = 12,
	     .rank = twins->rank[0],
	     .cell = cell_first},
		{.name = "second",
	     .title = "second",
	     .kind = VALUE_ADDRESS,
	     .width = 12,
	     .rank = twins->rank[1],
	     .cell = cell_second},
		{.name = "alike", .title = "alike", .kind = VALUE_TEXT, .rank = 1, .cell = cell_alike},
	};
	const struct table table = {.name = "twins", .columns = columns, .column_count = COLUMNS};
	struct twins data = *twins;
	const struct rows rows = {.table = &table, .count = twins->rows, .data = &data};
	struct grid grid = {0};
	for (int i = 1; i < again; i++)
		grid_see(&grid, &rows, 0, 0, WIDTH);
	for (size_t row = 0; row < rows.count; row++)
		grid_see(&grid, &rows, row, 0, WIDTH);
	grid_fit(&grid, &rows, WIDTH, 0);
	assert_int_equal(grid_shows(&grid, 0), first);
	assert_int_equal(grid_shows(&grid, 1), second);
	assert_true(grid_shows(&grid, 2)); /* a text never counts as a repetition */
}

TEST(a_column_that_repeats_another_is_left_out)
{
	const struct twins twins = {{0, 1}, {{16, 16}, {32, 32}, {48, 48}}, ROWS};
	const struct twins two = {{0, 1}, {{16, 16}, {32, 32}}, 2};
	const struct twins equals = {{1, 1}, {{16, 16}, {32, 32}}, 2};
	check_twins(&twins, 1, true, false);
	check_twins(&two, 1, true, false);
	check_twins(&equals, 1, true, false);
}

TEST(one_row_may_be_alike_by_chance)
{
	const struct twins one = {{0, 1}, {{16, 16}}, 1};
	check_twins(&one, 1, true, true);
	check_twins(&one, 3, true, true);
}

TEST(any_row_tells_columns_apart)
{
	const struct twins first = {{0, 1}, {{16, 17}, {32, 32}, {48, 48}}, ROWS};
	const struct twins middle = {{0, 1}, {{16, 16}, {32, 33}, {48, 48}}, ROWS};
	const struct twins last = {{0, 1}, {{16, 16}, {32, 32}, {48, 49}}, ROWS};
	const struct twins blank = {{0, 1}, {{16, 16}, {32, NONE}}, 2};
	check_twins(&first, 1, true, true);
	check_twins(&middle, 1, true, true);
	check_twins(&last, 1, true, true);
	check_twins(&blank, 1, true, true);
}

TEST(what_is_always_shown_or_blank_is_no_twin)
{
	const struct twins always = {{0, 0}, {{16, 16}, {32, 32}}, 2};
	const struct twins higher = {{2, 1}, {{16, 16}, {32, 32}}, 2}; /* the column with the higher
	                                                                  rank is hidden */
	const struct twins blank = {{0, 1}, {{NONE, NONE}, {NONE, NONE}}, 2};
	check_twins(&always, 1, true, true);
	check_twins(&higher, 1, true, true);
	check_twins(&blank, 1, true, true);
}

static void cell_name(const struct rows *rows, size_t row, struct value *value)
{
	const char *const *name = rows->data;
	value->kind = VALUE_TEXT;
	buf_add(value->text, name[row]);
}

static void cell_bytes(const struct rows *rows, size_t row, struct value *value)
{
	(void)rows, (void)row;
	value->kind = VALUE_BYTES;
	value->number = 1;
}

/* Lays out rows with such names, of which the column `rank` can go, and returns the width of the
   names; *both says whether it has gone. The numbers of the last column have a wide title, or a
   narrow one. */
static int name_width(const char *name, int rank, bool wide, bool *both)
{
	const struct column columns[] = {
		{.name = "what", .title = "what", .kind = VALUE_TEXT, .cell = cell_name},
		{.name = "share",
	     .title = "share of all there is",
	     .kind = VALUE_BYTES,
	     .width = 20,
	     .rank = rank,
	     .cell = cell_bytes},
		{.name = "where",
	     .title = wide ? "what a column of 26 is for" : "where",
	     .kind = VALUE_BYTES,
	     .width = 26,
	     .cell = cell_bytes},
	};
	const struct table table = {.name = "names", .columns = columns, .column_count = 3};
	const struct rows rows = {.table = &table, .count = 1, .data = &name};
	struct grid grid = grid_of(&rows, 0, 1, WIDTH);
	*both = grid_shows(&grid, 1);
	return grid.at[0].width;
}

TEST(a_column_goes_before_a_name_is_cut)
{
	static const char cut[] = "30,000 x prometheus.metricWithLabelValuesOf";
	bool both;
	/* 1 + 28 + 2 + 20 + 2 + 26 = 79: one is left */
	assert_true(name_width("main.cluster.Nodes[*].FSM.Watchers.Data[*]", 1, true, &both) >= 28);
	assert_true(both); /* whole parts fit */
	assert_true(name_width(cut, 1, true, &both) >= shorten_least(cut, 40));
	assert_false(both);
	assert_true(name_width(cut, 0, true, &both) < shorten_least(cut, 40));
	assert_true(both); /* it must stay */
}

TEST(numbers_leave_to_names_what_they_do_not_need)
{
	static const char cut[] = "30,000 x prometheus.metricWithLabelValuesOf";
	bool both;
	assert_true(name_width(cut, 1, false, &both) >= shorten_least(cut, 40));
	assert_true(both);
}

static void cell_none(const struct rows *rows, size_t row, struct value *value)
{
	(void)rows, (void)row, (void)value;
}

TEST(an_empty_column_takes_no_more_than_its_title)
{
	static const char name[] = "mysg  *runtime.sudog of 36 columns..";
	const char *const names[] = {name};
	const struct column columns[] = {
		{.name = "frame", .title = "frame", .kind = VALUE_TEXT, .width = 24, .cell = cell_name},
		{.name = "target", .title = "target", .kind = VALUE_BYTES, .width = 20, .cell = cell_bytes},
		{.name = "text", .title = "text", .kind = VALUE_TEXT, .cell = cell_none},
	};
	const struct table table = {.name = "slots", .columns = columns, .column_count = 3};
	const struct rows rows = {.table = &table, .count = 1, .data = (void *)(uintptr_t)names};
	struct grid grid = grid_of(&rows, 0, 1, WIDTH);
	/* 1 + 36 + 2 + 20 + 2 leave 19 for "text" */
	assert_int_equal(grid.count, 3);
	assert_int_equal(grid.at[0].width, text_columns(name));
	assert_true(grid.at[2].width >= 4);
}
