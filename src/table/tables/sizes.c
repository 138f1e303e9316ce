/* The slot sizes that the runtime uses, with what is in them. */
#include "table/cell.h"

#include "base/mem.h"

#include <inttypes.h>

static const void *size_row(const struct rows *rows, size_t row)
{
	return (const struct objects_size_row *)rows->data + row;
}

static bool sizes_open(struct rows *rows, const char *argument, struct err *err)
{
	(void)argument, (void)err;
	const struct objects *objects = analysis_heap(rows->analysis)->objects;
	rows->count = objects_sizes(objects, NULL, 0);
	rows->data = mem_alloc(rows->count * sizeof(struct objects_size_row));
	objects_sizes(objects, rows->data, rows->count);
	buf_add(&rows->title, "slot sizes");
	if (!rows->count)
		buf_add(&rows->note, "The dump holds no objects.");
	return true;
}

static void sizes_bytes_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct objects_size_row *size = size_row(rows, row);
	cell_number(value, VALUE_BYTES, size->size * size->count);
}

static void sizes_share_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct objects_size_row *size = size_row(rows, row);
	cell_share(value, size->size * size->count,
	           objects_bytes(analysis_heap(rows->analysis)->objects));
}

static const struct column columns[] = {
	{"size", "slot bytes", "Bytes of one slot", VALUE_COUNT, 13, 0,
     FIELD(struct objects_size_row, size)},
	{"objects", "objects", "Objects in slots of this size", VALUE_COUNT, 14, 0,
     FIELD(struct objects_size_row, count)},
	{"bytes", "bytes", "Bytes that these take together", VALUE_BYTES, 11, 0,
     .cell = sizes_bytes_cell},
	{"share", "share", "Their part of the bytes of all objects, in percent", VALUE_SHARE, 8, 1,
     .cell = sizes_share_cell},
};

static void sizes_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct objects_size_row *size = size_row(rows, row);
	buf_addf(command, "objects size=%" PRIu64, size->size);
}

static const struct table table_sizes = {
	.rank = 90,
	.name = "sizes",
	.help = "How many objects there are of each slot size, and the bytes that they take",
	.needs = STAGE_READ,
	.parts = HAS_OBJECTS,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.open = sizes_open,
	.record = size_row,
	.link = sizes_link,
	.sort = "bytes",
};
PLUGIN(tables, table_sizes);
