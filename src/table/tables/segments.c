/* The memory of global variables: data and bss. */
#include "table/cell.h"

#include "base/mem.h"

#include <inttypes.h>

enum { KIND, ADDRESS, SIZE, POINTERS };

static const struct column columns[] = {
	[KIND] = {"kind", "kind",
			  "data: variables that begin with a value, bss: those that begin as zero", VALUE_TEXT,
			  8, 0},
	[ADDRESS] = {"address", "address", "Where it begins", VALUE_ADDRESS, 18, 0},
	[SIZE] = {"size", "size", "Bytes of it", VALUE_BYTES, 11, 0},
	[POINTERS] = {"pointers", "pointers", "Pointers in it to objects", VALUE_COUNT, 11, 0},
};

static const struct segment_record *segment_of(const struct rows *rows, size_t row)
{
	return &rows->analysis->heap->segments[row];
}

/* The pointers of each segment are this table's data. */
static bool segments_open(struct rows *rows, const char *argument, struct err *err)
{
	(void)argument, (void)err;
	const struct heap *heap = rows->analysis->heap;
	uint64_t *pointers = rows->data = mem_alloc((heap->segment_count + 1ULL) * sizeof *pointers);
	for (uint32_t i = 0; i < heap->root_kind_first[ROOT_BSS + 1]; i++)
		pointers[heap->roots[i].holder]++;
	rows->count = heap->segment_count;
	buf_add(&rows->title, "memory of global variables");
	if (!rows->count)
		buf_add(&rows->note,
				"The dump lacks the global variables.");
	return true;
}

static void segments_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	const struct segment_record *segment = segment_of(rows, row);
	switch (column) {
	case KIND:
		cell_text(value, segment->bss ? "bss" : "data");
		break;
	case ADDRESS:
		cell_number(value, VALUE_ADDRESS, segment->address);
		break;
	case SIZE:
		cell_number(value, VALUE_BYTES, segment->size);
		break;
	case POINTERS:
		cell_number(value, VALUE_COUNT, ((const uint64_t *)rows->data)[row]);
		break;
	}
}

static void segments_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct segment_record *segment = segment_of(rows, row);
	buf_addf(command, "roots %s", segment->bss ? "bss" : "data");
}

const struct table table_segments = {
	.name = "segments",
	.from = DAMAGE_GLOBALS,
	.help = "The memory of global variables: data and bss; a row leads to the pointers in it",
	.needs = STAGE_LINKED,
	.parts = HAS_RUNTIME,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.open = segments_open,
	.cell = segments_cell,
	.link = segments_link,
	.sort = -1,
};
