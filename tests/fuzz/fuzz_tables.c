/* Any bytes as a dump, shown as every table there is: the cells, links and orders that a person
   would see. */
#include "analysis/analysis.h"
#include "fuzz.h"

#include "heap/heap.h"
#include "table/table.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ROWS = 16, ARGUMENTS = 4 };

static void read_row(const struct rows *rows, size_t row, struct buf *text)
{
	const struct table *table = rows->table;
	for (int column = 0; column < table->column_count; column++) {
		buf_clear(text);
		rows_text(rows, row, column, text);
		fuzz_check_visible(buf_text(text));
	}
	buf_clear(text);
	rows_link(rows, row, text);
	fuzz_check_visible(buf_text(text));
	if (table->style)
		table->style(rows, row);
	rows_address(rows, row);
}

static void read_rows(const struct rows *rows)
{
	SCOPED_BUF text = {0};
	for (size_t row = 0; row < rows->count; row++)
		if (row < ROWS || rows->count - row <= ROWS)
			read_row(rows, row, &text);
	for (int column = 0; column < rows->table->column_count; column++)
		free(rows_sorted(rows, column, column % 2, NULL));
	fuzz_check_visible(buf_text(&rows->title));
	fuzz_check_visible(buf_text(&rows->note));
}

static void open_table(const struct table *table, const struct analysis *analysis,
                       const char *argument)
{
	struct err err = {0};
	struct rows *rows = rows_open(table, analysis, argument, &err);
	fuzz_check(rows || err.set);
	if (rows)
		read_rows(rows);
	else
		fuzz_check_visible(err.text);
	rows_close(rows);
}

/* Addresses and numbers that mean something in this dump, and one that means nothing. */
static void open_with_arguments(const struct table *table, const struct analysis *analysis)
{
	const struct heap *heap = analysis_heap(analysis);
	SCOPED_BUF argument = {0};
	open_table(table, analysis, "");
	open_table(table, analysis, "0xffffffffffffffff 1");
	for (uint32_t i = 0; i < ARGUMENTS && i < heap_object_count(heap); i++) {
		buf_clear(&argument);
		buf_addf(&argument, "0x%" PRIx64, heap_address(heap, i));
		open_table(table, analysis, buf_text(&argument));
	}
	for (uint32_t i = 0; i < ARGUMENTS && i < heap->thread_count; i++) {
		buf_clear(&argument);
		buf_addf(&argument, "%" PRIu64 " 0", heap->threads[i].record.id);
		open_table(table, analysis, buf_text(&argument));
		argument.data[argument.len - 2] = '\0'; /* without the frame */
		open_table(table, analysis, buf_text(&argument));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct analysis *analysis = fuzz_analysis(data, size);
	for (size_t i = 0; analysis && tables[i]; i++)
		open_with_arguments(tables[i], analysis);
	analysis_free(analysis);
	return 0;
}
