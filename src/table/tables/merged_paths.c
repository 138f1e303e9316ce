/* The table of the shortest paths to many objects, merged into one tree from the roots down. */
#include "table/cell.h"
#include "table/contents/object_set.h"
#include "table/contents/span.h"
#include "table/naming/argument.h"
#include "table/paths/merged_rows.h"

#include "base/mem.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { PREFIX = 5 }; /* length of "type=" and "span=" */

/* Parses "ADDR ADDR ...". The caller frees the result. NULL: *err. */
static uint32_t *select_addresses(const struct analysis *analysis, const char *argument,
                                  size_t *count, struct err *err)
{
	uint32_t *ids = NULL;
	size_t capacity = 0;
	*count = 0;
	while (*argument) {
		uint32_t id;
		if (!argument_next_object(analysis, &argument, &id, err)) {
			free(ids);
			return NULL;
		}
		MEM_PUSH(ids, *count, capacity, id);
	}
	return ids;
}

/* Selects objects by an argument. *ids is NULL with *count > 0 for all objects. False: *err. */
static bool select_objects(const struct rows *rows, const char *argument, uint32_t **ids,
                           size_t *count, struct err *err)
{
	const struct analysis *analysis = rows->analysis;
	uint64_t span;
	*ids = NULL;
	*count = heap_object_count(analysis_heap(analysis));
	if (!*argument)
		return true;
	if (strncmp(argument, "type=", PREFIX) == 0)
		*ids = object_set_of_type(analysis, argument + PREFIX, count, err);
	else if (strncmp(argument, "span=", PREFIX) == 0 && argument_address(argument + PREFIX, &span))
		*ids = span_select(analysis, span, count, err);
	else
		*ids = select_addresses(analysis, argument, count, err);
	return !err->set;
}

static void merged_paths_say(struct rows *rows, const char *argument, size_t count)
{
	const struct merged_rows *data = rows->data;
	buf_add(&rows->title, "paths to ");
	if (!*argument)
		buf_add(&rows->title, "all objects");
	else if (strncmp(argument, "type=", PREFIX) == 0)
		buf_addf(&rows->title, "all %s", argument + PREFIX);
	else if (strncmp(argument, "span=", PREFIX) == 0)
		buf_addf(&rows->title, "the objects of the span at %s", argument + PREFIX);
	else
		buf_addf(&rows->title, "%zu %s", count, count == 1 ? "object" : "objects");
	if (!rows->count)
		buf_add(&rows->note, count
		                         ? "None of them is reachable from a root in the dump."
		                         : "Only parts of other objects have this type; see values type=");
	else if (data->merged_paths->left_out) {
		text_add_count(&rows->note, data->merged_paths->left_out);
		buf_addf(&rows->note, " of them %s left out, as unreachable.",
		         data->merged_paths->left_out == 1 ? "is" : "are");
	}
}

static bool merged_paths_open(struct rows *rows, const char *argument, struct err *err)
{
	const struct analysis *analysis = rows->analysis;
	rows->data = mem_alloc(sizeof(struct merged_rows));
	uint32_t *ids;
	size_t count;
	if (!reach_must_be_known(analysis, err) || !select_objects(rows, argument, &ids, &count, err))
		return false;
	bool done = merged_rows_open(rows, ids, count, err);
	free(ids);
	if (done)
		merged_paths_say(rows, argument, count);
	return done;
}

static void merged_paths_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	struct value type = {.text = cell_begin(value)};
	merged_rows_step_cell(rows, row, value);
	if (value->text->len && merged_rows_node(rows, row)->depth)
		buf_add(value->text, "  ");
	if (merged_rows_node(rows, row)->depth)
		merged_rows_type_cell(rows, row, &type);
}

static const struct column columns[] = {
	{"name", "held by", "The root, or the field and type of the step; similar steps are one row",
     VALUE_TEXT, 0, 0, .cell = merged_paths_name_cell},
	{"objects", "leads to",
     "Number of the selected objects whose shortest path leads through "
     "here",
     VALUE_COUNT, 10, 0, FIELD(struct merge_node, objects)},
	{"bytes", "bytes", "Bytes of those objects alone", VALUE_BYTES, 9, 0,
     FIELD(struct merge_node, bytes)},
	{"share", "share", "Share of the bytes of all selected objects", VALUE_SHARE, 6, 1,
     .cell = merged_rows_share_cell},
	{"here", "here", "Number of the selected objects at the row itself", VALUE_COUNT, 10, 1,
     FIELD_UNLESS_0(struct merge_node, here)},
	{"members", "steps", "Number of objects at the row", VALUE_COUNT, 10, 2,
     FIELD(struct merge_node, members)},
	{"example", "such as", "One of these objects", VALUE_ADDRESS, 14, 2,
     .cell = object_address_cell},
	{"depth", "depth", "Depth of the row below the root", VALUE_ID, 5, 3,
     FIELD(struct merge_node, depth)},
};

DEFINE_PLUGIN(tables, struct table, table_merged_paths) = {
	.rank = 180,
	.name = "path-tree",
	.form_of = "path",
	.former = "merged-paths",
	.from = DAMAGE_ROOTS,
	.help =
		"The shortest paths from GC roots to all objects of a type or of a span, or to the given "
		"objects, as one tree; similar steps are one row",
	.argument = "[type=NAME|span=ADDR|ADDR ...]",
	.takes = TAKES_PLACE,
	.needs = STAGE_REVERSED | STAGE_TYPED,
	COLUMNS(columns),
	.open = merged_paths_open,
	MERGED_ROWS,
};
