/* What is wrong with the file. */
#include "table/cell.h"

#include <inttypes.h>

enum { OFFSET, LOSS, TEXT };

static const struct column columns[] = {
	[OFFSET] = {"offset", "at byte",
				"Where in the file, counted from 0; in the unpacked one if it is compressed",
				VALUE_COUNT, 15, 0},
	[LOSS] = {"loss", "loss", "Is something lost or changed by it? No: it is odd, and that is all",
			  VALUE_BOOL, 4, 1},
	[TEXT] = {"text", "warning", "What is wrong there, and what was done about it", VALUE_TEXT, 0,
			  0},
};

static bool warnings_open(struct rows *rows, const char *argument, struct err *err)
{
	(void)argument, (void)err;
	const struct heap *heap = rows->analysis->heap;
	rows->count = heap->warning_count;
	buf_add(&rows->title, "warnings about the file");
	if (!rows->count)
		buf_add(&rows->note, "Nothing is wrong with the file.");
	else if (heap->warnings_dropped)
		buf_addf(&rows->note, "%" PRIu64 " more were not kept.", heap->warnings_dropped);
	return true;
}

static void warnings_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	const struct warning *warning = &rows->analysis->heap->warnings[row];
	if (column == LOSS)
		cell_number(value, VALUE_BOOL, !warning->harmless);
	else if (column == TEXT)
		cell_text(value, warning->text);
	else if (warning->offset != ERR_NO_OFFSET)
		cell_number(value, VALUE_COUNT, warning->offset);
}

const struct table table_warnings = {
	.name = "warnings",
	.help = "What is wrong with the file, and where",
	.needs = STAGE_READ,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.open = warnings_open,
	.cell = warnings_cell,
	.sort = -1,
};
