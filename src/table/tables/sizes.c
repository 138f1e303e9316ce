/* The slot sizes that the runtime uses, with what is in them. */
#include "table/cell.h"

#include "base/mem.h"

#include <inttypes.h>

enum { SIZE, OBJECTS, BYTES, SHARE };

static const struct column columns[] = {
	[SIZE] = {"size", "slot bytes", "Bytes of one slot", VALUE_COUNT, 13, 0},
	[OBJECTS] = {"objects", "objects", "Objects in slots of this size", VALUE_COUNT, 14, 0},
	[BYTES] = {"bytes", "bytes", "Bytes that these take together", VALUE_BYTES, 11, 0},
	[SHARE] = {"share", "share", "Their part of the bytes of all objects, in percent", VALUE_SHARE,
			   8, 1},
};

static const struct objects_size_row *size_row(const struct rows *rows, size_t row)
{
	return (const struct objects_size_row *)rows->data + row;
}

static bool sizes_open(struct rows *rows, const char *argument, struct err *err)
{
	(void)argument, (void)err;
	const struct objects *objects = rows->analysis->heap->objects;
	rows->count = objects_sizes(objects, NULL, 0);
	rows->data = mem_alloc(rows->count * sizeof(struct objects_size_row));
	objects_sizes(objects, rows->data, rows->count);
	buf_add(&rows->title, "slot sizes");
	if (!rows->count)
		buf_add(&rows->note, "The dump holds no objects.");
	return true;
}

static void sizes_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	const struct objects_size_row *size = size_row(rows, row);
	switch (column) {
	case SIZE:
		cell_number(value, VALUE_COUNT, size->size);
		break;
	case OBJECTS:
		cell_number(value, VALUE_COUNT, size->count);
		break;
	case BYTES:
		cell_number(value, VALUE_BYTES, size->size * size->count);
		break;
	case SHARE:
		cell_share(value, size->size * size->count, objects_bytes(rows->analysis->heap->objects));
		break;
	}
}

static void sizes_link(const struct rows *rows, size_t row, struct buf *command)
{
	buf_addf(command, "objects size=%" PRIu64, size_row(rows, row)->size);
}

const struct table table_sizes = {
	.name = "sizes",
	.help = "How many objects there are of each slot size, and the bytes that they take",
	.needs = STAGE_READ,
	.parts = HAS_OBJECTS,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.open = sizes_open,
	.cell = sizes_cell,
	.link = sizes_link,
	.sort = BYTES,
};
