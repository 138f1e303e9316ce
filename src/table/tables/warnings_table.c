/* The table of warnings about the file. */
#include "table/cell.h"

#include <inttypes.h>

static bool warnings_open(struct rows *rows, const char *argument, struct err *err)
{
	(void)argument, (void)err;
	const struct heap *heap = analysis_heap(rows->analysis);
	rows->count = heap->warning_count;
	buf_add(&rows->title, "warnings about the file");
	if (!rows->count)
		buf_add(&rows->note, "Nothing is wrong with the file.");
	else if (heap->warnings_dropped)
		buf_addf(&rows->note, "%" PRIu64 " more were not kept.", heap->warnings_dropped);
	return true;
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
	{"offset", "at byte",
     "Where in the file, counted from 0; in the unpacked one if it is compressed", VALUE_COUNT, 15,
     0, .cell = warnings_offset_cell},
	{"loss", "loss", "Is something lost or changed by it? No: it is odd, and that is all",
     VALUE_BOOL, 4, 1, .cell = warnings_loss_cell},
	{"text", "warning", "What is wrong there, and what was done about it", VALUE_TEXT, 0, 0,
     FIELD(struct warning, text)},
};

static const struct table table_warnings = {
	.rank = 480,
	.name = "warnings",
	.help = "What is wrong with the file, and where",
	.needs = STAGE_READ,
	COLUMNS(columns),
	.open = warnings_open,
	.record = warnings_record,
};
PLUGIN(tables, table_warnings);
