/* The table of maps, slices, channels and sync.Maps, each counted as a whole. */
#include "table/cell.h"
#include "table/columns.h"
#include "table/contents/collections.h"
#include "table/naming/step.h"
#include "table/naming/typed.h"
#include "table/owners/node.h"

#include "format/format.h"
#include "heap/root.h"

#include <string.h>

static bool collections_open(struct rows *rows, const char *argument, struct err *err)
{
	unsigned kinds = *argument ? 0 : (1U << COLLECTION_KINDS) - 1;
	for (unsigned i = 0; i < COLLECTION_KINDS; i++)
		if (strcmp(collection_names[i], argument) == 0)
			kinds = 1U << i;
	if (!kinds)
		return err_set(
			err, "Collections can be selected by map, slice, chan or sync.Map, not by \"%.60s\"",
			argument);
	if (!reach_must_be_known(rows->analysis, err))
		return false;
	rows->data = collection_list_new(rows->analysis, kinds, rows->progress, &rows->count);
	if (!rows->data)
		return err_set(err, "The search for maps, channels and slices was cancelled");
	if (*argument)
		buf_addf(&rows->title, "collections: %s", argument);
	else
		buf_add(&rows->title, "maps, slices and channels");
	if (!analysis_typing(rows->analysis))
		buf_add(&rows->title, ", by their shape");
	if (!rows->count && !analysis_typing(rows->analysis)) {
		rows->unknown = UINT64_MAX;
		buf_add(&rows->note, "No object looks like one of these; which objects are cannot be told "
		                     "without the program's executable.");
	} else if (!rows->count && !typed_doubt(rows, "one of these"))
		buf_add(&rows->note, "No reachable object is one of these.");
	return true;
}

static void collections_close(struct rows *rows)
{
	collection_list_free(rows->data);
	rows->data = NULL;
}

static const void *collections_record(const struct rows *rows, size_t row)
{
	return collection_list_row(rows->data, row);
}

/* ---- Cells */

/* Shows the variable of a sync.Map, or the path to its object and the field. */
static void collections_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct analysis *analysis = rows->analysis;
	const struct heap *heap = analysis_heap(analysis);
	const struct collection *item = rows_record(rows, row);
	struct buf *name = cell_begin(value);
	if (item->object == OBJECT_NONE) {
		const struct root *root = heap_root(heap, item->root);
		entity_add_name(analysis, entity_of_root(heap, root), name);
		return;
	}
	step_add_object(analysis, item->object, name);
	uint64_t offset = item->address - heap_address(heap, item->object);
	if (item->kind == COLLECTION_SYNC)
		step_add(analysis, item->object, offset, name);
}

static uint64_t collections_type_code(const struct rows *rows, size_t row)
{
	return collection_type_code(rows->analysis, rows_record(rows, row));
}

static void collections_type_cell(const struct rows *rows, uint64_t code, struct value *value)
{
	collection_type_cell(rows->analysis, code, value);
}

static const struct coding collections_type_coding = {collections_type_code, collections_type_cell};

static void collections_retained_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct collection *item = rows_record(rows, row);
	if (item->retainer != OBJECT_NONE)
		cell_retained(value, rows->analysis, item->retainer);
	else if (item->kind == COLLECTION_SYNC && item->retained != UINT64_MAX)
		cell_number(value, VALUE_BYTES, item->retained);
}

static struct entity collections_entity(const struct rows *rows, size_t row)
{
	const struct collection *item = rows_record(rows, row);
	return entity_of_object(item->object != OBJECT_NONE ? item->object : item->retainer);
}

static const struct column columns[] = {
	{"name", "where", "The path to it, as every command takes it", VALUE_TEXT, 0, 0,
     .cell = collections_name_cell},
	{"type", "type", "Its type, or its shape if there is no executable", VALUE_TEXT, 20, 0,
     .coding = &collections_type_coding},
	{"length", "length",
     "Entries of a map, elements queued in a channel, or elements of an array that are in a slice "
     "over it",
     VALUE_COUNT, 9, 0, FIELD_IF(struct collection, length, has_length)},
	{"capacity", "room",
     "Entries that the buckets or groups of a map have slots for, or elements that fit",
     VALUE_COUNT, 9, 1, FIELD_IF(struct collection, capacity, has_capacity)},
	{"bytes", "bytes",
     "Bytes of all its parts, such as the header and the buckets or groups of a map, or the "
     "buffer of a channel; without the objects that these reference",
     VALUE_BYTES, 9, 0, FIELD(struct collection, bytes)},
	{"retained_bytes", "retained",
     "Bytes that would be freed without it: its own, and those of all objects that only it keeps "
     "alive",
     VALUE_BYTES, 9, 0, .cell = collections_retained_cell, .stages = STAGE_DOMINATED},
	{"waste_bytes", "unused", "Bytes of its unused capacity", VALUE_BYTES, 9, 2,
     FIELD_IF(struct collection, waste, has_waste)},
	{"outside", "outside",
     "For an array whose elements have pointers: elements outside of every slice over it that are "
     "not zero, and so keep objects alive",
     VALUE_COUNT, 8, 2, FIELD_IF(struct collection, outside, has_outside)},
	{"kind", "kind", "map, slice, chan or sync.Map, or the shape of one", VALUE_TEXT, 8, 4,
     FIELD_WORD(struct collection, kind, collection_names)},
	{"address", "address", "Address of the map, the channel or the array", VALUE_ADDRESS, 14, 3,
     FIELD(struct collection, address)},
	{"parts", "parts", "Number of objects that it consists of", VALUE_COUNT, 7, 4,
     FIELD(struct collection, parts)},
	{OBJECT_OWNER, .width = 24, .rank = 5},
};

DEFINE_PLUGIN(tables, struct table, table_collections) = {
	.rank = 345,
	.name = "collections",
	.from = DAMAGE_ROOTS,
	.help = "The reachable maps, slices and channels, each with all of its parts as one row: its "
			"path, its contents, and how much of its capacity is used",
	.argument = "[map|slice|chan|sync.Map]",
	.needs = STAGE_TYPED | STAGE_DOMINATED,
	.parts = PART_GO | PART_MEMORY,
	COLUMNS(columns),
	.open = collections_open,
	.record = collections_record,
	.entity = collections_entity,
	.close = collections_close,
	.sort = "retained_bytes",
};
