/* The table of warnings about the file. */
#include "heap/heap.h"
#include "table/cell.h"

#include <inttypes.h>

static void warnings_fill(struct rows *rows)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	rows->count = heap->warning_count;
	buf_add(&rows->title, "warnings about the file");
	if (!rows->count)
		buf_add(&rows->note, "The file has no errors.");
	else if (heap->warnings_dropped)
		buf_addf(&rows->note, "%" PRIu64 " more are left out.", heap->warnings_dropped);
}

static const void *warnings_record(const struct rows *rows, size_t row)
{
	return &analysis_heap(rows->analysis)->warnings[row];
}

static void warnings_offset_cell(const struct rows *rows, size_t row, struct value *value)
{
	uint64_t offset = analysis_heap(rows->analysis)->warnings[row].offset;
	if (offset != ERR_NO_OFFSET)
		cell_number(value, VALUE_COUNT, offset);
}

static void warnings_loss_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_number(value, VALUE_BOOL, !analysis_heap(rows->analysis)->warnings[row].harmless);
}

static const struct column columns[] = {
	{"offset", "at byte", "Offset in the file, in the unpacked file if it is compressed",
     VALUE_COUNT, 15, 0, .cell = warnings_offset_cell},
	{"loss", "loss", "Was anything lost or changed because of it? If not, it is only unusual",
     VALUE_BOOL, 4, 1, .cell = warnings_loss_cell},
	{"text", "warning", "The error, and how it was handled", VALUE_TEXT, 0, 0,
     FIELD(struct warning, text)},
};

DEFINE_PLUGIN(tables, struct table, table_warnings) = {
	.rank = 480,
	.name = "warnings",
	.rare = true,
	.help = "Errors in the file, with their offsets",
	.needs = STAGE_READ,
	COLUMNS(columns),
	.fill = warnings_fill,
	.record = warnings_record,
};
