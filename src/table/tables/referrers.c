/* The objects that point to an object. */
#include "table/argument.h"
#include "table/typed.h"
#include "table/reference.h"

#include "base/mem.h"

#include <inttypes.h>

enum { ADDRESS, OFFSET, TYPE, SIZE, REACHABLE };

static const struct column columns[] = {
	[ADDRESS] = {"address", "referrer", "The object that points to it", VALUE_ADDRESS, 18, 0},
	[OFFSET] = {"offset", "offset", "Where in that object the pointer is", VALUE_OFFSET, 12, 0},
	[TYPE] = {"type", "type", "Type of that object", VALUE_TEXT, 0, 0},
	[SIZE] = {"size", "size", "Bytes of that object", VALUE_BYTES, 9, 0},
	[REACHABLE] = {"reachable", "reachable",
				   "Does a path lead to that object from a root of the dump?", VALUE_BOOL, 9, 1},
};

static uint32_t object_of(const struct rows *rows)
{
	return *(const uint32_t *)rows->data;
}

static struct ids ids_of(const struct rows *rows)
{
	return heap_referrers(rows->analysis->heap, object_of(rows));
}

static bool referrers_open(struct rows *rows, const char *argument, struct err *err)
{
	uint32_t *id = rows->data = mem_alloc(sizeof *id);
	if (!argument_object(rows->analysis, argument, id, err))
		return false;
	rows->count = ids_of(rows).count;
	rows->hidden = rows->analysis->heap->listed ? 1U << OFFSET : 0;
	if (!typed_any(rows->analysis))
		rows->hidden |= 1U << TYPE;
	buf_addf(&rows->title, "referrers of 0x%" PRIx64, heap_address(rows->analysis->heap, *id));
	if (!rows->count)
		buf_add(&rows->note, "No object points to it; the table holders has the roots that do.");
	return true;
}

static void referrers_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	const struct analysis *analysis = rows->analysis;
	struct ids ids = ids_of(rows);
	uint64_t offset;
	switch (column) {
	case ADDRESS:
		cell_object(value, analysis->heap, ids.id[row]);
		break;
	case OFFSET:
		offset = reference_offset(analysis->heap, ids.id[row], object_of(rows),
								  reference_rank(ids, row));
		if (offset != UINT64_MAX)
			cell_number(value, VALUE_OFFSET, offset);
		break;
	case TYPE:
		cell_type(value, analysis, ids.id[row]);
		break;
	case SIZE:
		cell_object_size(value, analysis->heap, ids.id[row]);
		break;
	case REACHABLE:
		cell_reachable(value, analysis, ids.id[row]);
		break;
	}
}

static void referrers_link(const struct rows *rows, size_t row, struct buf *command)
{
	link_object(rows->analysis->heap, ids_of(rows).id[row], command);
}

static enum row_style referrers_style(const struct rows *rows, size_t row)
{
	return style_reachable(rows->analysis, ids_of(rows).id[row]);
}

static uint64_t referrers_address(const struct rows *rows, size_t row)
{
	return heap_address(rows->analysis->heap, ids_of(rows).id[row]);
}

const struct table table_referrers = {
	.name = "referrers",
	.help = "The objects that point to an object, one row a pointer",
	.argument = "ADDR",
	.needs = STAGE_REVERSED,
	.parts = HAS_OBJECTS,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.open = referrers_open,
	.cell = referrers_cell,
	.link = referrers_link,
	.style = referrers_style,
	.address = referrers_address,
	.sort = -1,
};
