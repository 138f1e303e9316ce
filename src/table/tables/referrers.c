/* The table of the objects that point to an object. */
#include "table/cell.h"
#include "table/columns.h"
#include "table/naming/argument.h"
#include "table/naming/holder.h"
#include "table/naming/step.h"

#include "base/mem.h"

#include <inttypes.h>

/* rows->data: the object. */
static struct ids referrers_of(const struct rows *rows)
{
	return heap_referrers(analysis_heap(rows->analysis), *(const uint32_t *)rows->data);
}

static struct entity referrers_entity(const struct rows *rows, size_t row)
{
	return entity_of_object(holder_of(rows->analysis, referrers_of(rows).id[row]));
}

static bool referrers_open(struct rows *rows, const char *argument, struct err *err)
{
	uint32_t *id = rows->data = mem_alloc(sizeof *id);
	if (!argument_object(rows->analysis, argument, id, err))
		return false;
	rows->count = referrers_of(rows).count;
	buf_addf(&rows->title, "referrers of 0x%" PRIx64,
	         heap_address(analysis_heap(rows->analysis), *id));
	if (!rows->count)
		buf_add(&rows->note, "No object references it; the table holders shows the roots that do.");
	return true;
}

static void referrers_offset_cell(const struct rows *rows, size_t row, struct value *value)
{
	struct ids ids = referrers_of(rows);
	if (holder_of(rows->analysis, ids.id[row]) == ids.id[row])
		cell_offset(value,
		            reference_offset(analysis_heap(rows->analysis), ids.id[row],
		                             *(const uint32_t *)rows->data, reference_rank(ids, row)));
}

static void referrers_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	struct ids ids = referrers_of(rows);
	holder_add_step(rows->analysis, ids.id[row], *(const uint32_t *)rows->data,
	                reference_rank(ids, row), cell_begin(value));
	cell_end(value);
}

static const struct column columns[] = {
	{"address", "referrer",
     "The object that references it; for a part of a map, channel or slice, the object that has "
     "the map, channel or slice",
     VALUE_ADDRESS, 14, 0, .cell = object_address_cell},
	{"offset", "offset",
     "Offset of the pointer in that object; empty if a part of it has the "
     "pointer",
     VALUE_OFFSET, 12, 1, .cell = referrers_offset_cell, .parts = PART_MEMORY},
	{OBJECT_TYPE, .width = 24},
	{"name", "as", "The field, element or entry that has the pointer", VALUE_TEXT, 0, 0,
     .cell = referrers_name_cell, .wants = STAGE_TYPED},
	{OBJECT_SIZE, .width = 9},
	{OBJECT_REACHABLE, .width = 9, .rank = 2},
};

static const struct table table_referrers = {
	.rank = 150,
	.name = "referrers",
	.help = "The objects that reference an object, one row per pointer",
	.argument = "ADDR",
	.takes = TAKES_PLACE | TAKES_THIS_OBJECT,
	.needs = STAGE_REVERSED,
	.parts = PART_OBJECTS,
	COLUMNS(columns),
	.open = referrers_open,
	.entity = referrers_entity,
	.style = style_reachable,
};
PLUGIN(tables, table_referrers);
