/* The table of unused capacity: capacity compared with length. */
#include "table/cell.h"
#include "table/columns.h"
#include "table/naming/typed.h"
#include "table/waste/slack.h"

#include "base/text.h"
#include "format/format.h"

static bool slack_open(struct rows *rows, const char *argument, struct err *err)
{
	(void)argument;
	if (!reach_must_be_known(rows->analysis, err))
		return false;
	struct slack *slack = rows->data = slack_new(rows->analysis, rows->progress);
	if (!slack)
		return err_set(err, "The search for unused capacity was cancelled");
	rows->count = slack->count;
	buf_add(&rows->title, "unused capacity");
	if (slack->wasted)
		buf_addf(&rows->title, ": %s", text_size(slack->wasted).text);
	if (!analysis_typing(rows->analysis)) {
		rows->unknown = UINT64_MAX;
		buf_add(&rows->note, "Capacities are not known without the program's executable.");
	} else if (!rows->count && !typed_doubt(rows, "a slice, map or channel with unused capacity"))
		buf_add(&rows->note,
		        "All slices, maps and channels are full, and all sync.Pools are empty.");
	return true;
}

static void slack_close(struct rows *rows)
{
	slack_free(rows->data);
	rows->data = NULL;
}

static void slack_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	slack_add_name(rows->data, rows->analysis, rows_record(rows, row), cell_begin(value));
}

static void slack_type_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct slack_place *place = rows_record(rows, row);
	if (place->kind == SLACK_POOL) {
		cell_type(value, rows->analysis, rows_object(rows, row));
		return;
	}
	const struct collection example = {
		.kind = place->kind,
		.object = place->example,
		.type = place->type,
		.has_length = place->has_length,
	};
	collection_type_cell(rows->analysis, collection_type_code(rows->analysis, &example), value);
}

static void slack_kind_cell(const struct rows *rows, size_t row, struct value *value)
{
	unsigned kind = ((const struct slack_place *)rows_record(rows, row))->kind;
	cell_text(value, kind == SLACK_POOL ? "sync.Pool" : collection_names[kind]);
}

static const struct column columns[] = {
	{"name", "where",
     "The path to it, as every command accepts it; for several, their common path without indices "
     "and keys",
     VALUE_TEXT, 0, 0, .cell = slack_name_cell},
	{"type", "type", "Its type, or its shape if there is no executable", VALUE_TEXT, 20, 2,
     .cell = slack_type_cell},
	{"count", "count", "Number of places whose paths differ only in indices and keys", VALUE_COUNT,
     7, 1, FIELD(struct slack_place, count)},
	{"length", "length",
     "Number of entries of maps, elements queued in channels, and elements up to the end of the "
     "farthest slice of each array, summed",
     VALUE_COUNT, 9, 0, FIELD_IF(struct slack_place, length, counted)},
	{"capacity", "room", "Their capacity, in entries or elements", VALUE_COUNT, 9, 0,
     FIELD_IF(struct slack_place, capacity, counted)},
	{"wasted_bytes", "unused",
     "Bytes of the unused capacity; for a sync.Pool, the bytes that only it keeps alive",
     VALUE_BYTES, 9, 0, FIELD(struct slack_place, wasted)},
	{"kind", "kind", "map, slice, chan or sync.Pool", VALUE_TEXT, 9, 3, .cell = slack_kind_cell},
	{"address", "address", "Address of the one with the most unused capacity", VALUE_ADDRESS, 14, 4,
     .cell = object_address_cell},
};

DEFINE_PLUGIN(tables, struct table, table_slack) = {
	.rank = 347,
	.name = "slack",
	.from = DAMAGE_ROOTS,
	.help = "Unused capacity, by place in the program: slices with more capacity than elements, "
			"maps that once had more entries, channels with empty buffers; and the contents of "
			"sync.Pools, which a collection empties",
	.needs = STAGE_TYPED | STAGE_DOMINATED,
	.parts = PART_GO | PART_MEMORY,
	COLUMNS(columns),
	.open = slack_open,
	RECORDS(struct slack, place),
	.object = ROW_MEMBER(struct slack_place, example, uint32_t),
	.close = slack_close,
	.sort = "wasted_bytes",
};
