/* The table of unused capacity: capacity compared with length. */
#include "table/cell.h"
#include "table/columns.h"
#include "table/naming/typed.h"
#include "table/waste/slack.h"

#include "base/text.h"

static bool slack_open(struct rows *rows, const char *argument, struct err *err)
{
	uint64_t wasted = 0;
	(void)argument;
	if (!reach_must_be_known(rows->analysis, err))
		return false;
	struct slack *slack = rows->data = slack_new(rows->analysis, rows->progress);
	if (!slack)
		return err_set(err, "Looking for room that is not used was given up");
	rows->count = slack->count;
	for (size_t kind = 0; kind <= SLACK_POOL; kind++)
		wasted += slack->wasted[kind];
	buf_add(&rows->title, "room that nothing is in");
	if (wasted) {
		buf_add(&rows->title, ": ");
		text_add_size(&rows->title, wasted);
	}
	if (!analysis_typing(rows->analysis)) {
		rows->unknown = UINT64_MAX;
		buf_add(&rows->note,
		        "Without the program's executable it is not known how much room there is.");
	} else if (!rows->count && !typed_doubt(rows, "a slice, map or channel with room"))
		buf_add(&rows->note,
		        "All slices, maps and channels are full, and no sync.Pool keeps anything.");
	return true;
}

static void slack_close(struct rows *rows)
{
	slack_free(rows->data);
}

static void slack_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	slack_add_name(rows->data, rows->analysis, rows_record(rows, row), cell_begin(value));
	cell_end(value);
}

static void slack_type_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct slack *slack = rows->data;
	const struct slack_place *place = rows_record(rows, row);
	if (place->kind == SLACK_POOL) {
		object_type_cell(rows, row, value);
		return;
	}
	collection_add_type(rows->analysis, &slack->found.item[place->item], cell_begin(value));
	cell_end(value);
}

static void slack_kind_cell(const struct rows *rows, size_t row, struct value *value)
{
	unsigned kind = ((const struct slack_place *)rows_record(rows, row))->kind;
	cell_text(value, kind == SLACK_POOL ? "sync.Pool" : collection_names[kind]);
}

static const struct column columns[] = {
	{"name", "where",
     "The path to it, as every command takes it; of several the same without indices and keys",
     VALUE_TEXT, 0, 0, .cell = slack_name_cell},
	{"type", "type", "Its type; without the executable what it looks like", VALUE_TEXT, 20, 2,
     .cell = slack_type_cell},
	{"count", "count", "How many there are, whose paths differ in indices and keys only",
     VALUE_COUNT, 7, 1, FIELD(struct slack_place, count)},
	{"length", "length",
     "Entries of maps, elements that are queued in channels, elements up to the end of the "
     "farthest slice of each array: of all together",
     VALUE_COUNT, 9, 0, FIELD_IF(struct slack_place, length, counted)},
	{"capacity", "room", "How many there is room for", VALUE_COUNT, 9, 0,
     FIELD_IF(struct slack_place, capacity, counted)},
	{"wasted_bytes", "unused",
     "Bytes of the room that nothing is in; of a sync.Pool, what it alone keeps for later",
     VALUE_BYTES, 9, 0, FIELD(struct slack_place, wasted)},
	{"kind", "kind", "map, slice, chan or sync.Pool", VALUE_TEXT, 9, 3, .cell = slack_kind_cell},
	{"address", "address", "Where the one with most room begins", VALUE_ADDRESS, 14, 4,
     .cell = object_address_cell},
};

static const struct table table_slack = {
	.rank = 347,
	.name = "slack",
	.help = "Room that nothing is in, by the place in the program that has it: slices with more "
			"capacity than elements, maps that had more entries once, channels with empty "
			"buffers; and what a sync.Pool keeps until a collection empties it",
	.needs = STAGE_TYPED | STAGE_DOMINATED,
	.parts = PART_GO | PART_MEMORY,
	COLUMNS(columns),
	.open = slack_open,
	RECORDS(struct slack, place),
	.object = ROW_MEMBER(struct slack_place, example, uint32_t),
	.close = slack_close,
	.sort = "wasted_bytes",
};
PLUGIN(tables, table_slack);
