/* The table of what has grown since an earlier dump of the process. */
#include "table/growth/growth.h"

#include "analysis/series.h"
#include "base/text.h"
#include "format/format.h"
#include "heap/heap.h"
#include "table/growth/delta.h"

static const struct growth *growth_of(const struct rows *rows)
{
	return rows->data;
}

/* Says where what has grown may have been there before. */
static void growth_add_doubt(struct rows *rows)
{
	SCOPED_BUF cause = {0};
	for (size_t i = 0; i + 1 < growth_of(rows)->dumps; i++)
		if (damage_cause(analysis_heap(series_older(rows->analysis, i)), DAMAGE_ROOTS, &cause)) {
			buf_addf(&rows->note,
			         "What has grown may have been there before: of an earlier dump, %s.",
			         buf_text(&cause));
			return;
		}
}

static bool growth_open(struct rows *rows, const char *argument, struct err *err)
{
	(void)argument;
	if (!reach_must_be_known(rows->analysis, err))
		return false;
	buf_add(&rows->title, "places that have grown");
	if (delta_absent(rows)) {
		buf_add(&rows->note, "There is no earlier dump to compare with: give one with --since.");
		return true;
	}
	struct growth *growth = rows->data = growth_new(rows->analysis, rows->progress, err);
	if (!growth)
		return false;
	rows->count = growth->count;
	if (!rows->count)
		buf_add(&rows->note, "No place has grown since the oldest dump.");
	else
		growth_add_doubt(rows);
	return true;
}

static void growth_close(struct rows *rows)
{
	growth_free(rows->data);
	rows->data = NULL;
}

static const struct merge_node *growth_node(const struct rows *rows, size_t row)
{
	const struct growth *growth = growth_of(rows);
	return merged_rows_node(growth->places[growth->dumps - 1].rows, growth->row[row].place);
}

static void growth_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	growth_add_name(growth_of(rows), rows_record(rows, row), cell_begin(value));
}

static void growth_type_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct growth *growth = growth_of(rows);
	merged_rows_type_cell(growth->places[growth->dumps - 1].rows, growth->row[row].place, value);
}

static void growth_counts_cell(const struct rows *rows, size_t row, struct value *value)
{
	struct buf *out = cell_begin(value);
	for (size_t dump = 0; dump < growth_of(rows)->dumps; dump++) {
		buf_add(out, dump ? " > " : "");
		text_add_count(out, growth_then(growth_of(rows), rows_record(rows, row), dump).count);
	}
}

static struct entity growth_entity(const struct rows *rows, size_t row)
{
	return entity_of_object(growth_node(rows, row)->example);
}

static const struct column columns[] = {
	{"name", "what grew",
     "The path to the place, as every command accepts it; for several similar places their common "
     "steps, [*] for any index or key",
     VALUE_TEXT, 0, 0, .cell = growth_name_cell},
	{"type", "type", "Type of the place, or its shape if that is not known", VALUE_TEXT, 22, 1,
     .cell = growth_type_cell},
	{"count", "holds",
     "Number of entries of a map, elements of a slice or channel, or nodes of a list or tree",
     VALUE_COUNT, 9, 0, FIELD(struct growth_row, now.count)},
	{"count_delta", "more", "Change in that number since the oldest earlier dump", VALUE_COUNT, 8,
     0, FIELD_DELTA(struct growth_row, was.count, now.count)},
	{"retained_bytes", "retained",
     "Bytes that would be freed without it: its own, and those of all objects that only it keeps "
     "alive",
     VALUE_BYTES, 9, 0, FIELD(struct growth_row, now.retained)},
	{"bytes_delta", "more bytes",
     "Change in bytes at and below this place since the oldest earlier dump, counted as in the "
     "table where",
     VALUE_BYTES, 10, 0, FIELD_DELTA(struct growth_row, was.bytes, now.bytes)},
	{"retained_delta", "only here", "Change in its retained size since the oldest earlier dump",
     VALUE_BYTES, 10, 3, FIELD_DELTA(struct growth_row, was.retained, now.retained)},
	{"counts", "in each dump", "That number in each of the dumps, the oldest first", VALUE_TEXT, 22,
     2, .cell = growth_counts_cell},
	{"steady", "steady", "Did it grow from each dump to the next?", VALUE_BOOL, 6, 3,
     FIELD(struct growth_row, steady)},
	{"pool", "pool", "Is it in a sync.Pool, which collections empty?", VALUE_BOOL, 6, 4,
     FIELD(struct growth_row, pool)},
	{"example", "such as", "The first of these objects", VALUE_ADDRESS, 14, 4,
     .cell = object_address_cell},
};

static bool growth_has_rows(const struct analysis *analysis)
{
	return analysis_series(analysis);
}

DEFINE_PLUGIN(tables, struct table, table_growth) = {
	.rank = 4,
	.name = "growth",
	.from = DAMAGE_ROOTS,
	.help =
		"With --since, or several dumps of one process: the variables, maps, slices, channels, "
		"lists and trees that have grown, most bytes first. Contents that were replaced without "
		"growth are left out, and so are places that have grown only because there are more of "
		"their containers; with three dumps, steady growth comes before a single jump. Variables "
		"of the runtime come after those of the program, and the contents of pools last",
	.needs = STAGE_TYPED | STAGE_DOMINATED,
	.parts = PART_OBJECTS,
	.has_rows = growth_has_rows,
	COLUMNS(columns),
	.open = growth_open,
	RECORDS(struct growth, row),
	.entity = growth_entity,
	.close = growth_close,
};
