/* The table of the heap by path: every reachable byte has one place, that of its shortest path from
   the strongest root. */
#include "analysis/retained_of_class.h"
#include "base/mem.h"
#include "format/runtime.h"
#include "table/cell.h"
#include "table/growth/delta.h"
#include "table/growth/places.h"
#include "table/paths/merged_rows.h"

#include <stdlib.h>

/* ---- Retained bytes of each row, computed once */

static void *where_retained_make(const struct analysis *analysis, enum retain retain,
                                 struct progress *progress)
{
	const struct path_tree *tree = analysis_kept(analysis, &path_tree_whole, retain, progress);
	const struct merged_paths *paths = tree ? tree->merged_paths : NULL;
	if (!paths)
		return NULL;
	uint32_t *place_of = runs_column(&paths->node_of);
	struct retained_of_class *retained = retained_of_class_new(
		analysis_dominators(analysis, retain), analysis_children(analysis, retain, progress),
		place_of, (uint32_t)paths->count, progress);
	mem_column_free(place_of, paths->objects * sizeof *place_of);
	return retained;
}

DEFINE_PLUGIN(kept_kinds, struct kept_kind, where_retained) = {
	.name = "where-retained",
	.needs = STAGE_TYPED | STAGE_OWNED,
	.by_retain = true,
	.make = where_retained_make,
	.free = retained_of_class_free,
	.size = sizeof(struct retained_of_class),
	.index = retained_of_class_index,
};

static bool where_compare(struct rows *rows, struct err *err)
{
	struct merged_rows *data = rows->data;
	const struct analysis *oldest = delta_oldest_reached(rows);
	if (!oldest)
		return true;
	data->oldest = rows_open_watched(rows->table, oldest, NULL, rows->progress, err);
	if (data->oldest)
		data->before = places_before(rows, data->oldest);
	return data->oldest;
}

/* Returns by row its topmost row. */
static uint32_t *where_tops(const struct merged_paths *paths)
{
	uint32_t *top = mem_alloc((paths->count + 1) * sizeof *top);
	for (uint32_t at = 0; at < paths->count; at++) { /* parents come before their children */
		uint32_t parent = paths->node[at].parent;
		top[at] = parent == OBJECT_NONE ? at : top[parent];
	}
	return top;
}

static bool where_open(struct rows *rows, const char *argument, struct err *err)
{
	const struct analysis *analysis = rows->analysis;
	(void)argument;
	rows->data = mem_alloc(sizeof(struct merged_rows));
	buf_add(&rows->title, "the heap by path");
	if (!reach_must_be_known(analysis, err) || !merged_rows_open(rows, NULL, 0, err))
		return false;
	/* Indexed by the paths that count; two of them are equal if no root is weak. */
	const struct retained_of_class *retained = analysis_kept(
		analysis, &where_retained, analysis_retained(analysis)->retain, rows->progress);
	if (!retained)
		return err_set(err, "Adding up retained sizes was cancelled");
	struct merged_rows *data = rows->data;
	data->retained = retained->bytes;
	data->top = where_tops(data->merged_paths);
	data->libraries = libraries_of(analysis, rows->progress);
	if (!data->libraries)
		return err_set(err, "Finding the variables of libraries was cancelled");
	return where_compare(rows, err);
}

static void where_retained_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct merged_rows *data = rows->data;
	if (!merged_rows_is_fold(rows, row))
		cell_number(value, VALUE_BYTES, data->retained[row]);
}

/* Returns the root that the path of a row begins at; UINT32_MAX for the row of libraries. */
static uint32_t where_root(const struct rows *rows, size_t row)
{
	const struct merged_rows *data = rows->data;
	const struct merge_node *node = data->node;
	if (merged_rows_is_fold(rows, row))
		return UINT32_MAX;
	return reach_before(analysis_reach(rows->analysis), node[data->top[row]].example)
	       - data->merged_paths->objects;
}

static void where_package_cell(const struct rows *rows, size_t row, struct value *value)
{
	libraries_add_package(rows->analysis, where_root(rows, row), cell_begin(value));
}

static void where_library_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct merged_rows *data = rows->data;
	bool is_one = merged_rows_is_fold(rows, row) || data->libraries->is_one[data->top[row]];
	cell_number(value, VALUE_BOOL, is_one);
}

static bool where_delta_absent(const struct rows *rows)
{
	return !((const struct merged_rows *)rows->data)->oldest;
}

/* Returns the same place in the oldest dump; an empty one if it did not exist. */
static const struct merge_node *where_node_before(const struct rows *rows, size_t row)
{
	static const struct merge_node nothing;
	const struct merged_rows *data = rows->data;
	if (merged_rows_is_fold(rows, row))
		return &data->fold_before;
	uint32_t before = data->before[row];
	return before == UINT32_MAX ? &nothing : merged_rows_node(data->oldest, before);
}

/* Shows how much more the field of the column is than before. */
static void where_delta_cell(const struct rows *rows, size_t row, struct value *value)
{
	struct value before = *value;
	if (where_delta_absent(rows))
		return;
	cell_field(rows, where_node_before(rows, row), &before);
	cell_field(rows, merged_rows_node(rows, row), value);
	cell_delta(value, value->kind, before.number, value->number);
}

static void where_retained_delta_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct merged_rows *data = rows->data;
	if (where_delta_absent(rows) || merged_rows_is_fold(rows, row))
		return;
	const uint64_t *was = ((const struct merged_rows *)data->oldest->data)->retained;
	uint32_t before = data->before[row];
	cell_delta(value, VALUE_BYTES, before == UINT32_MAX ? 0 : was[before], data->retained[row]);
}

static const struct column columns[] = {
	{"name", "where",
     "The root, or the step from the row above; similar steps are one row; elements that no slice "
     "of their array has are apart, at [*] outside",
     VALUE_TEXT, 0, 0, .cell = merged_rows_step_cell},
	{"type", "type", "Type of the objects there, or their shape if it is not known", VALUE_TEXT, 26,
     0, .cell = merged_rows_type_cell},
	{"count", "count", "Number of objects at this place", VALUE_COUNT, 9, 0,
     FIELD(struct merge_node, members)},
	{"bytes", "bytes", "Bytes of these objects and of all objects below them", VALUE_BYTES, 8, 0,
     FIELD(struct merge_node, bytes)},
	{"share", "share", "Share of all reachable bytes", VALUE_SHARE, 6, 1,
     .cell = merged_rows_share_cell},
	{"own_bytes", "here", "Bytes of these objects alone", VALUE_BYTES, 8, 2,
     FIELD(struct merge_node, own_bytes)},
	{"retained_bytes", "only here", "Bytes that would be freed without these objects", VALUE_BYTES,
     9, 1, .cell = where_retained_cell},
	{"objects", "below", "Number of objects at or below this place", VALUE_COUNT, 10, 3,
     FIELD(struct merge_node, objects)},
	{"example", "such as", "The first of these objects", VALUE_ADDRESS, 14, 2,
     .cell = object_address_cell},
	{LIBRARY_PACKAGE, .width = 20, .rank = 5, .cell = where_package_cell},
	{LIBRARY_IS_ONE, .width = 8, .rank = 5, .cell = where_library_cell},
	{"depth", "depth", "Depth of the row below the root", VALUE_ID, 5, 4,
     FIELD(struct merge_node, depth)},
	{"expression", "expression",
     "The path to the first of these objects, as every command accepts it", VALUE_TEXT, 40, 4,
     .cell = object_expression_cell},
	{COUNT_DELTA(where_delta_absent), .width = 9, .rank = 2, .cell = where_delta_cell,
     FIELD(struct merge_node, members)},
	{BYTES_DELTA(where_delta_absent), .width = 10, .cell = where_delta_cell,
     FIELD(struct merge_node, bytes)},
	{RETAINED_DELTA(where_delta_absent), .width = 10, .rank = 2, .cell = where_retained_delta_cell},
};

DEFINE_PLUGIN(tables, struct table, table_where) = {
	.rank = 5,
	.name = "where",
	.from = DAMAGE_ROOTS,
	.help =
		"The heap as one tree of shortest paths from the roots: each byte has exactly one place, "
		"below the variable or " THREAD_WORD " that its shortest path begins at",
	.needs = STAGE_TYPED | STAGE_OWNED | STAGE_REVERSED, /* the strongest paths may be the only ones
                                                            that count */
	COLUMNS(columns),
	.open = where_open,
	.none = "No object is reachable from any root in the dump.",
	MERGED_ROWS,
};
