/* How one object leads to another: the shortest way along references. */
#include "analysis/between.h"

#include "base/mem.h"
#include "table/argument.h"
#include "table/cell.h"
#include "table/reference.h"
#include "table/step.h"
#include "table/typed.h"

#include <inttypes.h>
#include <stdlib.h>

enum { STEP, NAME, TYPE, ADDRESS, OFFSET, SIZE, RETAINED };

static const struct column columns[] = {
	[STEP] = {"step", "step", "0 is the first object", VALUE_ID, 7, 0},
	[NAME] = {"name", "held by", "The field of the object before that leads here", VALUE_TEXT, 0,
	          0},
	[TYPE] = {"type", "type", "Type of the object", VALUE_TEXT, 22, 1},
	[ADDRESS] = {"address", "address", "The object", VALUE_ADDRESS, 14, 0},
	[OFFSET] = {"offset", "from", "Where in the object before the pointer is", VALUE_OFFSET, 9, 3},
	[SIZE] = {"size", "size", "Bytes of the object", VALUE_BYTES, 9, 0},
	[RETAINED] = {"retained_bytes", "retained", "Bytes that would be freed with the object",
	              VALUE_BYTES, 9, 2},
};

static bool find(struct rows *rows, const char *argument, struct err *err)
{
	const struct heap *heap = rows->analysis->heap;
	uint32_t from, to;
	bool found;
	if (!argument_next_object(rows->analysis, &argument, &from, err))
		return false;
	if (!*argument)
		return err_set(err, "Say between which two objects: between 0xc000012340 0xc000056780");
	if (!argument_object(rows->analysis, argument, &to, err))
		return false;
	buf_addf(&rows->title, "from 0x%" PRIx64 " to 0x%" PRIx64, heap_address(heap, from),
	         heap_address(heap, to));
	rows->data = between(heap, from, to, rows->progress, &rows->count, &found);
	if (found)
		return true;
	if (rows->progress && atomic_load(&rows->progress->cancel))
		return err_set(err, "Looking for a way was given up");
	buf_add(&rows->note, "No references lead from the one to the other. There may be a way back: "
	                     "ask for them the other way round.");
	return true;
}

static bool between_open(struct rows *rows, const char *argument, struct err *err)
{
	if (!analysis_typing(rows->analysis))
		rows->hidden = 1U << TYPE;
	return find(rows, argument, err);
}

static uint64_t offset_at(const struct rows *rows, size_t row)
{
	const uint32_t *steps = rows->data;
	return row ? reference_offset(rows->analysis->heap, steps[row - 1], steps[row], 0) : UINT64_MAX;
}

static void between_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	const struct analysis *analysis = rows->analysis;
	const struct dominators *d = analysis_dominators(analysis, RETAIN_ALIVE);
	const uint32_t *steps = rows->data;
	uint32_t id = steps[row];
	uint64_t offset;
	switch (column) {
	case STEP:
		cell_number(value, VALUE_ID, row);
		break;
	case NAME:
		if (row)
			step_add(analysis, steps[row - 1], offset_at(rows, row), cell_begin(value));
		if (row)
			cell_end(value);
		break;
	case TYPE:
		cell_type(value, analysis, id);
		break;
	case ADDRESS:
		cell_object(value, analysis->heap, id);
		break;
	case OFFSET:
		offset = offset_at(rows, row);
		if (offset != UINT64_MAX)
			cell_number(value, VALUE_OFFSET, offset);
		break;
	case SIZE:
		cell_object_size(value, analysis->heap, id);
		break;
	case RETAINED:
		if (dominators_has(d, id))
			cell_number(value, VALUE_BYTES, d->bytes[id]);
		break;
	}
}

const struct table table_between = {
	.name = "between",
	.help = "How one object leads to another: the shortest way along references",
	.argument = "ADDR ADDR",
	.needs = STAGE_DOMINATED,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.open = between_open,
	.cell = between_cell,
	.link = rows_id_link,
	.style = rows_id_style,
	.address = rows_id_address,
	.sort = -1,
};
