/* Filters on a table of the test: matches, errors with their position, limits. */
#include "cmocka_all.h"

#include "base/progress.h"
#include "table/query/filter.h"

#include <stdlib.h>
#include <string.h>

enum { NAME, ID, COUNT, SIZE, ADDRESS, OFFSET, REACHABLE, WAIT, SHARE, KNOWN, COLUMNS };

/* Row 0 has a value in every column, row 1 in none. */
static const struct value cells[COLUMNS] = {
	[ID] = {VALUE_ID, 17},
	[COUNT] = {VALUE_COUNT, 12345},
	[SIZE] = {VALUE_BYTES, 1536},
	[ADDRESS] = {VALUE_ADDRESS, 0xc000012340},
	[OFFSET] = {VALUE_OFFSET, 0x18},
	[REACHABLE] = {VALUE_BOOL, 1},
	[WAIT] = {VALUE_TIME, 90000000000},
	[SHARE] = {VALUE_SHARE, 1, 8},
};
static const char name[] = "main.Session (\"x\")";

static unsigned looked_at[COLUMNS];

static void cell_of(int column, size_t row, struct value *value)
{
	looked_at[column]++;
	struct buf *text = value->text;
	if (row == 0)
		*value = cells[column];
	value->text = text;
	if (column == KNOWN || (column == NAME && row == 0)) {
		value->kind = VALUE_TEXT;
		buf_add(text, column == KNOWN ? (row ? "none" : "exact") : name);
	}
}

#define CELL(name, column)                                                     \
	static void name(const struct rows *rows, size_t row, struct value *value) \
	{                                                                          \
		(void)rows;                                                            \
		cell_of(column, row, value);                                           \
	}
CELL(cell_name, NAME)
CELL(cell_id, ID)
CELL(cell_count, COUNT)
CELL(cell_size, SIZE)
CELL(cell_address, ADDRESS)
CELL(cell_offset, OFFSET)
CELL(cell_reachable, REACHABLE)
CELL(cell_wait, WAIT)
CELL(cell_share, SHARE)
CELL(cell_known, KNOWN)

static const struct column columns[] = {
	[NAME] = {"name", "name", "A text", VALUE_TEXT, 0, 0, .cell = cell_name},
	[ID] = {"id", "id", "A number that is a name", VALUE_ID, 8, 0, .cell = cell_id},
	[COUNT] = {"count", "count", "A number", VALUE_COUNT, 8, 0, .cell = cell_count},
	[SIZE] = {"size", "size", "A size", VALUE_BYTES, 8, 0, .cell = cell_size},
	[ADDRESS] = {"address", "address", "An address", VALUE_ADDRESS, 8, 0, .cell = cell_address},
	[OFFSET] = {"offset", "offset", "An offset", VALUE_OFFSET, 8, 0, .cell = cell_offset},
	[REACHABLE] = {"reachable", "reachable", "A bool", VALUE_BOOL, 8, 0, .cell = cell_reachable},
	[WAIT] = {"wait", "wait", "A time", VALUE_TIME, 8, 0, .cell = cell_wait},
	[SHARE] = {"share", "share", "A share", VALUE_SHARE, 8, 0, .cell = cell_share},
	[KNOWN] = {"known", "known", "A word that may be none", VALUE_TEXT, 8, 0, .cell = cell_known},
};

static const struct table table = {
	.name = "test",
	.columns = columns,
	.column_count = COLUMNS,
};
static const struct rows two = {.table = &table, .count = 2};

static void check(const char *text, bool first, bool second)
{
	struct err err = {0};
	struct filter *filter = filter_new(&table, text, &err);
	if (!filter)
		fail_msg("%s: %s", text, err.text);
	if (filter_matches(filter, &two, 0) != first || filter_matches(filter, &two, 1) != second)
		fail_msg("%s: row %d", text, filter_matches(filter, &two, 0) == first);
	filter_free(filter);
}

/* Each filter matches the first row of `two`, whose second row has no values. */
static const char *const hold[] = {
	"count = 12345",
	"count == 12,345",
	"count>12k",
	"count < 12.346k",
	"count != 1",
	"count > 12.34499k",
	"count >= 12.345k",
	"count <= 12.345k",
	"count < 12.3451k",
	"count < 18446744073709551615",
	"id = 17",
	"id < 18",
	"size = 1.5k",
	"size = 1.5KB",
	"size = 1.5 kib",
	"size = 1536",
	"size = 1536 B",
	"size = 0x600",
	"size < 1M",
	"size > 0.0014M",
	"size < 1T",
	"address = 0xc000012340",
	"address > 0xC000000000",
	"address ~ 0xc0000",
	"offset = 0x18",
	"offset = +0x18",
	"offset = 24",
	"reachable",
	"reachable = yes",
	"reachable != no",
	"reachable = true",
	"wait > 1 min",
	"wait = 90s",
	"wait = 1.5 min",
	"wait < 1h",
	"wait > 89999 ms",
	"wait > 0",
	"wait < 1day",
	"share = 12.5%",
	"share > 12.4",
	"share < 12.50001 %",
	"name = 'main.Session (\"x\")'",
	"name = \"main.Session (\"\"x\"\")\"",
	"name > main",
	"name ~ Session",
	"name ~ ^main\\.",
	"name ~ '(x|y)'",
	"name ~ 'S.*n '",
	"name !~ Peter",
	"name ~ 'ss{1,2}i'",
	"name !~ '\\+*x+y'",
	"name ~ '^([[:alpha:].]+) [](\"x]*[^]]$'",
	"wait ~ '90 s'",
	"share ~ 12.5%",
	"session",
	"\"(\"",
	"12,345",
	"'1.5 KB' and 90",
	"known = exact",
};

TEST(values_are_compared)
{
	for (size_t i = 0; i < sizeof hold / sizeof *hold; i++) {
		struct buf not = {0};
		bool negative = strstr(hold[i], "!=") || strstr(hold[i], "!~");
		check(hold[i], true, negative);
		buf_addf(&not, "not (%s)", hold[i]);
		check(buf_text(&not ), false, !negative);
		buf_free(&not );
	}
}

TEST(none_is_no_value)
{
	for (int i = 0; i < COLUMNS; i++) {
		SCOPED_BUF text = {0};
		buf_addf(&text, "%s = none", columns[i].name);
		check(buf_text(&text), false, true);
		buf_clear(&text);
		buf_addf(&text, "%s != none", columns[i].name);
		check(buf_text(&text), true, false);
	}
	check("count < 1", false, false);
	check("count >= 0", true, false);
	check("name = \"none\"", false, false);
	check("known = \"none\"", false, true);
	check("not reachable", false, true);
	check("reachable = no", false, false);
}

TEST(operators_bind_as_in_go)
{
	check("id = 1 and id = 2 or id = 17", true, false);
	check("id = 17 or id = 1 and id = 2", true, false);
	check("(id = 17 or id = 1) and id = 2", false, false);
	check("not id = 1 and id = 17", true, false);
	check("not (id = 1 and id = 17)", true, true);
	check("NOT NOT id = 17 AND ((((reachable))))", true, false);
	check("not (not (id = 17 or id = none)) and not id = 17", false, true);
}

/* Every expression of three leaves and any operators, compared with its value in C. */
TEST(all_small_expressions_are_right)
{
	static const char *const leaf[] = {"id = 1", "id = 17"}, *const operator[] = {"and", "or"},
							 *const maybe[] = {"", "not "};
	for (unsigned bits = 0; bits < 1 << 10; bits++) {
		bool a = bits & 1, b = bits >> 1 & 1, c = bits >> 2 & 1, first = bits >> 3 & 1;
		bool second = bits >> 4 & 1, na = bits >> 5 & 1, nb = bits >> 6 & 1, nc = bits >> 7 & 1;
		bool group = bits >> 8 & 1, ngroup = bits >> 9 & 1;
		SCOPED_BUF text = {0};
		buf_addf(&text, "%s%s %s %s%s%s%s %s %s%s%s", maybe[na], leaf[a], operator[first],
		         maybe[ngroup && group], group ? "(" : "", maybe[nb], leaf[b], operator[second],
		         maybe[nc], leaf[c], group ? ")" : "");
		bool x = a != na, y = b != nb, z = c != nc, right;
		bool grouped = (second ? y || z : y && z) != ngroup;
		if (group)
			right = first ? x || grouped : x && grouped;
		else if (first)
			right = second ? x || y || z : x || (y && z);
		else
			right = second ? (x && y) || z : x && y && z;
		struct filter *filter = filter_new(&table, buf_text(&text), NULL);
		assert_non_null(filter);
		if (filter_matches(filter, &two, 0) != right)
			fail_msg("%s", buf_text(&text));
		filter_free(filter);
	}
}

TEST(errors_say_where)
{
	static const struct {
		const char *text;
		int column;
		const char *says;
	} cases[] = {
		{"", 1, "a column"},
		{"count", 6, "a comparison"},
		{"count >", 8, "a value"},
		{"count > and", 9, "a value"},
		{"count > \"12", 9, "quote"},
		{"count > x", 9, "a number such as"},
		{"count > 1x", 9, "a number such as"},
		{"count > 99999999999999999999", 9, "a number such as"},
		{"count > 99999999999G", 9, "a number such as"},
		{"size > -x", 8, "a size such as"},
		{"size > 1 ms", 10, "and, or"},
		{"wait > 5", 8, "a time such as"},
		{"address = 12", 11, "an address such as"},
		{"address = 0x10000000000000000", 11, "an address such as"},
		{"share = 0x10", 9, "a share such as"},
		{"reachable = 2", 13, "yes, no"},
		{"reachable < yes", 11, "= or !="},
		{"count > none", 7, "= or !="},
		{"(count = 1", 1, "not closed"},
		{"count = 1)", 10, "no ) without"},
		{"count = 1 count = 2", 11, "and, or"},
		{"chan receive", 6, "needs quotes"},
		{"nothing = 1", 1, "there is no column \"nothing\", only name, id, count"},
		{"\"count\" = 1", 1, "without quotes"},
		{"name ~ \"a(\"", 8, "a pattern was expected"},
		{"name ~ a{5000}", 8, "repeats less"},
		{"name ~ '(a{50}){50}'", 8, "repeats less"},
		{"name ~ a++", 8, "repeats each part once"},
		{"name ~ a*{2}", 8, "repeats each part once"},
		{"name ~ a{2}{2}", 8, "repeats each part once"},
		{"name ~ '((((((((((((a+)+)+)+)+)+)+)+)+)+)+)+'", 8, "repeats less"},
		{"name ~ '([[:alpha:](]{99}){99}'", 8, "repeats less"},
		{"name ~ 'a{99999999999999999999}'", 8, "repeats less"},
		{"name ~ '(a)\\1'", 8, "references"},
		{"name = \xc3\xa4\xc3\xa4 x", 11, "and, or"},
		{"count ! 3", 7, "a comparison"},
		{"not", 4, "a column"},
		{"\x1b[2J = 1", 1, "there is no column \"\\x1b[2J\""},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct err err = {0};
		SCOPED_BUF right = {0};
		struct filter *filter = filter_new(&table, cases[i].text, &err);
		buf_addf(&right, "In the filter, at column %d: ", cases[i].column);
		if (filter || strncmp(err.text, buf_text(&right), right.len) != 0
		    || !strstr(err.text, cases[i].says))
			fail_msg("%s: %s", cases[i].text, err.text);
	}
}

TEST(depth_is_limited)
{
	static const char *const openings[] = {"(", "not ", "id = 1 or id = 2 and ("};
	for (size_t i = 0; i < sizeof openings / sizeof *openings; i++) {
		struct err err = {0};
		SCOPED_BUF text = {0};
		for (int n = 0; n < 100000; n++)
			buf_add(&text, openings[i]);
		assert_null(filter_new(&table, buf_text(&text), &err));
		assert_non_null(strstr(err.text, "less nesting was expected"));
	}
	struct buf chain = {0}; /* there is no limit without nesting */
	for (int n = 0; n < 10000; n++)
		buf_addf(&chain, "id = 17 %s ", n % 3 ? "and" : "or");
	buf_add(&chain, "(id = 17)");
	check(buf_text(&chain), true, false);
	buf_free(&chain);
}

TEST(only_what_decides_is_looked_at)
{
	memset(looked_at, 0, sizeof looked_at);
	check("size > 100G and name ~ x or id = 17", true, false);
	assert_int_equal(looked_at[SIZE], 2);
	assert_int_equal(looked_at[ID], 2);
	assert_int_equal(looked_at[NAME], 0);
	assert_int_equal(looked_at[ADDRESS], 0);
}

enum { MANY = 10000 };

static void count_cell(const struct rows *rows, size_t row, struct value *value)
{
	(void)rows;
	value->kind = VALUE_COUNT;
	value->number = row * 7 % MANY;
}

TEST(rows_are_selected_in_their_order)
{
	const struct column column = {.name = "count", .kind = VALUE_COUNT, .cell = count_cell};
	const struct table numbers = {.columns = &column, .column_count = 1};
	const struct rows rows = {.table = &numbers, .count = MANY};
	struct filter *filter = filter_new(&numbers, "count < 100 or count = 9999", NULL);
	size_t count;
	uint32_t *row = rows_filtered(&rows, filter, SIZE_MAX, &count, NULL);
	assert_int_equal(count, 101);
	for (size_t i = 0; i < count; i++) {
		uint64_t number = row[i] * 7ULL % MANY;
		assert_true(number < 100 || number == 9999);
		assert_true(i == 0 || row[i - 1] < row[i]);
	}
	assert_true(rows_sort(&rows, row, count, 0, true, NULL));
	assert_int_equal(row[0] * 7ULL % MANY, 9999);
	for (size_t i = 1; i < count; i++)
		assert_int_equal(row[i] * 7ULL % MANY, 100 - i);
	free(row);
	row = rows_filtered(&rows, filter, 3, &count, NULL);
	assert_int_equal(count, 3);
	free(row);
	struct progress progress = {NULL};
	atomic_store(&progress.cancel, true);
	assert_null(rows_filtered(&rows, filter, SIZE_MAX, &count, &progress));
	filter_free(filter);
}
