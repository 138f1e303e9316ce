/* The measures of assertions: part of table/query/assertion.h. */
#include "analysis/what_if.h"
#include "table/cell.h"
#include "table/columns.h"
#include "table/owners/object_owner.h"
#include "table/query/assertion_parts.h"
#include "table/query/path_growth.h"
#include "table/waste/waste.h"

#include <string.h>

static bool measure_is_larger(const struct rows *rows, size_t row, size_t other)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	return strcmp(rows->table->name, "objects") == 0
	       && heap_size(heap, rows_id(rows, row)) > heap_size(heap, rows_id(rows, other));
}

/* Returns true if the row matches the filter. */
static bool measure_takes(struct assertion *assertion, const struct rows *rows, size_t row)
{
	bool taken = !assertion->filter || filter_matches(assertion->filter, rows, row);
	if (taken && (!assertion->matched || measure_is_larger(rows, row, assertion->largest)))
		assertion->largest = row;
	assertion->matched += taken;
	return taken;
}

static bool measure_count_rows(struct assertion *assertion, const struct rows *rows,
                               struct err *err)
{
	(void)err;
	assertion->unknown = rows->unknown;
	for (size_t row = 0; row < rows->count; row++)
		assertion->value += measure_takes(assertion, rows, row);
	return true;
}

static bool measure_add_bytes(struct assertion *assertion, const struct rows *rows, struct err *err)
{
	(void)err;
	for (size_t row = 0; row < rows->count; row++)
		if (measure_takes(assertion, rows, row))
			assertion->value += heap_size(analysis_heap(rows->analysis), rows_id(rows, row));
	return true;
}

static bool measure_count_retained(struct assertion *assertion, const struct rows *rows,
                                   struct err *err)
{
	struct freed freed;
	if (!reach_must_be_known(rows->analysis, err))
		return false;
	if (assertion->path) {
		assertion->matched = 1;
		return path_retained(rows->analysis, assertion->path, &assertion->value, err);
	}
	struct what_if *what_if = what_if_new(analysis_heap(rows->analysis));
	for (size_t row = 0; row < rows->count; row++)
		if (measure_takes(assertion, rows, row))
			what_if_object(what_if, rows_id(rows, row));
	what_if_count(what_if, NULL, &freed);
	what_if_free(what_if);
	assertion->value = freed.bytes;
	return true;
}

static uint64_t measure_whole(double real)
{
	double size = real < 0 ? -real : real;
	return size < 0x1p63 ? (uint64_t)(size + 0.5) : UINT64_MAX;
}

/* Opens the table grouped, which gives the sum as its only group. */
static bool measure_take_sum(struct assertion *assertion, const struct rows *rows, struct err *err)
{
	const struct table *table = table_find("grouped");
	struct rows *groups = rows_open_whole(table, rows->analysis, assertion->summed, err);
	if (!groups)
		return false;
	const struct table *made = groups->table;
	if (groups->count) {
		struct value sum = rows_number(groups, 0, made->columns[made->column_count - 1].name);
		assertion->matched = (size_t)rows_number(groups, 0, "count").number;
		assertion->negative = sum.kind == VALUE_REAL ? sum.real < 0 : sum.negative;
		assertion->value = sum.kind == VALUE_REAL ? measure_whole(sum.real) : sum.number;
	}
	rows_close(groups);
	return true;
}

static bool measure_growth(struct assertion *assertion, const struct rows *rows, struct err *err)
{
	assertion->matched = 1;
	return path_growth(rows->analysis, assertion->path, &assertion->value, &assertion->negative,
	                   err);
}

/* Without types the tables would be empty, but the sum is unknown, not 0. */
static bool measure_wasted(struct assertion *assertion, const struct rows *rows, struct err *err)
{
	bool known = !*assertion->path, done = true;
	assertion->matched = 1;
	if (!analysis_typing(rows->analysis))
		return err_set(err, "What is wasted is not known without the executable of the program");
	for (size_t i = 0; done && i < WASTE_KINDS; i++) {
		struct waste_sum sum = {0};
		struct waste_kind whole = {waste_kinds[i].table, NULL};
		bool named = strcmp(assertion->path, whole.table) == 0;
		if (named || !*assertion->path)
			done = waste_add_up(rows->analysis, named ? &whole : &waste_kinds[i], &sum, NULL, err);
		assertion->value += sum.bytes;
		waste_sum_fini(&sum);
		known |= named;
	}
	return known ? done
	             : err_set(err,
	                       "wasted() takes pinned, slack or duplicates, or nothing for all three");
}

/* Adds up resident memory: of a kernel's core file it is not known. */
static bool measure_resident(struct assertion *assertion, const struct rows *rows, struct err *err)
{
	if (rows_lack_residence(rows))
		return err_set(err, "How much of the memory was resident cannot be told: only snapshots "
		                    "and processes tell it");
	for (size_t row = 0; row < rows->count; row++)
		if (measure_takes(assertion, rows, row))
			assertion->value += rows_number(rows, row, "resident_bytes").number;
	return true;
}

/* A variable that owns nothing has no row; what is no variable is an error. */
static bool measure_owned(struct assertion *assertion, const struct rows *rows, struct err *err)
{
	const struct analysis *analysis = rows->analysis;
	struct operand operand;
	SCOPED_BUF name = {0};
	assertion->matched = 0;
	struct rows *owners = rows_open_whole(table_find("owners"), analysis, NULL, err);
	for (size_t row = 0; owners && row < owners->count; row++) {
		buf_clear(&name);
		rows_text(owners, row, table_column(owners->table, "name"), &name);
		if (owner_name_is(buf_text(&name), assertion->path)) {
			assertion->value += rows_number(owners, row, "owned_bytes").number;
			assertion->matched++;
		}
	}
	bool done = owners
	            && (assertion->matched || path_operand(analysis, assertion->path, &operand, err));
	rows_close(owners);
	return done;
}

/* The measures of objects, paths and the process. measure_rows counts the rows of any table. */
static const struct measure measures[] = {
	{"retained", VALUE_BYTES, STAGE_REACHED, .measure = measure_count_retained,
     .may_be_path = true},
	{"bytes", VALUE_BYTES, STAGE_READ, .measure = measure_add_bytes},
	{"sum", VALUE_COUNT, STAGE_READ, .measure = measure_take_sum},
	{"growth", VALUE_BYTES, STAGE_TYPED | STAGE_DOMINATED, measure_growth, .of_path = true},
	{"wasted", VALUE_BYTES, STAGE_TYPED | STAGE_DOMINATED, measure_wasted, .of_path = true},
	{"owned", VALUE_BYTES, STAGE_TYPED | STAGE_OWNED, measure_owned, .of_path = true},
	{"memory", VALUE_BYTES, STAGE_READ, measure_resident, .table = "memory"},
	{"rss", VALUE_BYTES, STAGE_READ, measure_resident, .table = "memory"},
};
const struct measure measure_rows = {"", VALUE_COUNT, STAGE_READ, .measure = measure_count_rows};

const struct measure *measure_find(const char *name)
{
	for (size_t i = 0; i < sizeof measures / sizeof *measures; i++)
		if (strcmp(measures[i].name, name) == 0)
			return &measures[i];
	return NULL;
}
