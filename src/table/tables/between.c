/* How one object leads to another: the shortest path along references. */
#include "analysis/paths.h"

#include "table/cell.h"
#include "table/columns.h"
#include "table/naming/argument.h"
#include "table/naming/step.h"

#include <inttypes.h>
#include <string.h>

static bool between_open(struct rows *rows, const char *argument, struct err *err)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	uint32_t from, to;
	bool found;
	if (!argument_next_object(rows->analysis, &argument, &from, err))
		return false;
	if (!*argument)
		return err_set(err, "Name two objects: between 0xc000012340 0xc000056780");
	if (!argument_object(rows->analysis, argument, &to, err))
		return false;
	buf_addf(&rows->title, "from 0x%" PRIx64 " to 0x%" PRIx64, heap_address(heap, from),
	         heap_address(heap, to));
	rows->data = shortest_path(heap, from, to, rows->progress, &rows->count, &found);
	if (found)
		return true;
	if (rows->progress && atomic_load(&rows->progress->cancel))
		return err_set(err, "The search for a path was cancelled");
	buf_add(&rows->note, "There is no path of references from the first to the second. There may "
	                     "be one from the second to the first: swap them.");
	return true;
}

/* Returns true for two objects: not an object and the number of a path. */
static bool between_takes_over(const char *argument)
{
	char quote = 0;
	int depth = 0;
	for (; *argument && (quote || depth || *argument != ' '); argument++) {
		depth += quote ? 0 : (*argument == '[') - (*argument == ']');
		if (quote || *argument == '"' || *argument == '\'')
			quote = quote == *argument ? 0 : quote ? quote : *argument;
	}
	argument += strspn(argument, " ");
	return argument[strspn(argument, "0123456789")];
}

static uint64_t offset_at(const struct rows *rows, size_t row)
{
	const uint32_t *steps = rows->data;
	return row ? reference_offset(analysis_heap(rows->analysis), steps[row - 1], steps[row], 0)
	           : UINT64_MAX;
}

static void between_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	if (row)
		step_add(rows->analysis, rows_id(rows, row - 1), offset_at(rows, row), cell_begin(value));
}

static void between_offset_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_offset(value, offset_at(rows, row));
}

static const struct column columns[] = {
	{"step", "step", "0 is the first object", VALUE_ID, 7, 0, .cell = row_number_cell},
	{"name", "held by", "The field of the previous object that references this one", VALUE_TEXT, 0,
     0, .cell = between_name_cell, .wants = STAGE_TYPED},
	{OBJECT_TYPE, .width = 22, .rank = 1},
	{"address", "address", "The object", VALUE_ADDRESS, 14, 0, .cell = object_address_cell},
	{"offset", "from", "Offset of the pointer in the previous object", VALUE_OFFSET, 9, 3,
     .cell = between_offset_cell},
	{OBJECT_SIZE, .width = 9},
	{OBJECT_RETAINED, .width = 9, .rank = 2},
};

DEFINE_PLUGIN(tables, struct table, table_between) = {
	.rank = 200,
	.name = "path-between",
	.form_of = "path",
	.former = "between",
	.help = "The shortest path of references from one object to another",
	.argument = "ADDR ADDR",
	.takes = TAKES_PLACE | TAKES_THIS_OBJECT,
	.takes_over = between_takes_over,
	.needs = STAGE_DOMINATED,
	COLUMNS(columns),
	.open = between_open,
	.entity = rows_id_entity,
	.style = style_reachable,
};
