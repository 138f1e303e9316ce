/* The table of strings and byte arrays with equal contents. */
#include "table/cell.h"
#include "table/naming/typed.h"
#include "table/owners/row_owner.h"

#include "analysis/duplicates.h"
#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"

enum { VALUE_LIMIT = 100 };

static bool duplicates_open(struct rows *rows, const char *argument, struct err *err)
{
	uint64_t wasted = 0;
	(void)argument;
	if (!reach_must_be_known(rows->analysis, err))
		return false;
	const struct duplicates *found = analysis_duplicates(rows->analysis, rows->progress);
	if (!found)
		return err_set(err, "The search for equal strings was cancelled");
	struct duplicates *shown = rows->data = mem_alloc(sizeof *shown);
	*shown = *found; /* the groups are borrowed */
	rows->count = found->count;
	for (size_t i = 0; i < found->count; i++)
		wasted += found->item[i].wasted;
	buf_add(&rows->title, "equal strings and arrays of bytes");
	if (wasted)
		buf_addf(&rows->title, ": one copy of each would save %s", text_size(wasted).text);
	if (!analysis_typing(rows->analysis)) {
		rows->unknown = UINT64_MAX;
		buf_add(&rows->note, "Which objects are strings is not known without the program's "
		                     "executable.");
	} else if (!rows->count && !typed_doubt(rows, "a string or an array of bytes"))
		buf_add(&rows->note, "No two strings or byte arrays have equal contents.");
	return true;
}

static void duplicates_members(const struct rows *rows, uint32_t *row_of)
{
	const struct duplicates *found = rows->data;
	for (size_t row = 0; row < rows->count; row++)
		for (uint32_t i = 0; i < found->item[row].count; i++)
			row_of[found->object[found->item[row].first + i]] = (uint32_t)row;
}

static void duplicates_value_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct duplicate *duplicate = rows_record(rows, row);
	const struct heap *heap = analysis_heap(rows->analysis);
	const struct typing *typing = analysis_typing(rows->analysis);
	const uint8_t *data;
	uint64_t length;
	if (!duplicates_bytes(heap, typing, duplicate->example, &data, &length) || !length)
		return;
	struct buf *out = cell_begin(value);
	if (duplicate_is_zeros(heap, typing, duplicate)) {
		buf_add(out, "zeros");
	} else {
		buf_add_char(out, '"');
		text_add_escaped(out, (const char *)data, length, VALUE_LIMIT);
		buf_add_char(out, '"');
	}
}

static const char *const duplicate_kinds[] = {"bytes", "string", "buffer"};

static const struct column columns[] = {
	{"value", "value", "Their contents, or the beginning of long ones", VALUE_TEXT, 0, 0,
     .cell = duplicates_value_cell},
	{"kind", "kind",
     "string; bytes if one of them is a byte array, which the program may change; buffer if "
     "goroutines or package bufio work with them, so that a single copy would not do",
     VALUE_TEXT, 7, 0, FIELD_WORD(struct duplicate, kind, duplicate_kinds)},
	{"count", "count", "Number of copies", VALUE_COUNT, 7, 0, FIELD(struct duplicate, count)},
	{"length", "length", "Bytes of each copy", VALUE_BYTES, 9, 1, FIELD(struct duplicate, length)},
	{"wasted_bytes", "saved",
     "Bytes that a single copy would save: the slots of all copies but the largest; empty for "
     "buffers",
     VALUE_BYTES, 9, 0, FIELD_UNLESS_0(struct duplicate, wasted)},
	{"name", "where", "The path to the first of them, as every command takes it", VALUE_TEXT, 40, 3,
     .cell = object_expression_cell},
	{"address", "address", "Address of the first of them", VALUE_ADDRESS, 14, 2,
     .cell = object_address_cell},
	{ROW_OWNER, .width = 24, .rank = 4},
	{ROW_OWNER_SHARE, .width = 9, .rank = 4},
};

DEFINE_PLUGIN(tables, struct table, table_duplicates) = {
	.rank = 348,
	.name = "duplicates",
	.from = DAMAGE_ROOTS,
	.help = "Strings and byte arrays with equal contents, and what a single copy of each would "
			"save; those in blocks for tiny values are not counted",
	.needs = STAGE_TYPED | STAGE_REACHED,
	.contents = true,
	.parts = PART_GO | PART_MEMORY,
	COLUMNS(columns),
	.open = duplicates_open,
	RECORDS(struct duplicates, item),
	.object = ROW_MEMBER(struct duplicate, example, uint32_t),
	.members = duplicates_members,
	.sort = "wasted_bytes",
};
