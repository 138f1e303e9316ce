/* The table of the pauses of the last collections, by time, from the ring buffer in the
   statistics. */
#include "table/cell.h"

#include "base/mem.h"
#include "format/format.h"
#include "heap/heap.h"

enum { BAR_WIDTH = 40 };

/* rows->data: the longest pause. */
struct pauses {
	uint64_t longest;
};

static uint64_t pauses_number_of(const struct rows *rows, size_t row)
{
	return analysis_heap(rows->analysis)->memstats.num_gc - rows->count + row + 1;
}

static uint64_t pause_of(const struct rows *rows, size_t row)
{
	return analysis_heap(rows->analysis)
	    ->memstats.pause_ns[(pauses_number_of(rows, row) - 1) % MEMSTATS_PAUSES];
}

static void pauses_fill(struct rows *rows)
{
	const struct memstats_record *stats = &analysis_heap(rows->analysis)->memstats;
	struct pauses *pauses = rows->data = mem_alloc(sizeof *pauses);
	rows->count = stats->num_gc < MEMSTATS_PAUSES ? (size_t)stats->num_gc : (size_t)MEMSTATS_PAUSES;
	for (size_t i = 0; i < rows->count; i++)
		if (pause_of(rows, i) > pauses->longest)
			pauses->longest = pause_of(rows, i);
	buf_add(&rows->title, "pauses of the collector");
	if (!stats->present)
		buf_add(&rows->note, "The dump lacks the record with the statistics.");
	else if (stats->unknown & MEMSTATS_PAUSES_UNKNOWN)
		buf_add(&rows->note, "Without the executable's debug information the pauses of a core file "
		                     "are not known.");
	else if (!rows->count)
		buf_add(&rows->note, "No collection had ended when the dump was written.");
}

static void pauses_gc_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_number(value, VALUE_ID, pauses_number_of(rows, row));
}

static void pauses_pause_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_number(value, VALUE_TIME, pause_of(rows, row));
}

static void pauses_bar_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct pauses *pauses = rows->data;
	struct buf *text = cell_begin(value);
	double share = pauses->longest ? (double)pause_of(rows, row) / (double)pauses->longest : 0;
	for (int i = 0; i < (int)(share * BAR_WIDTH + 0.5); i++)
		buf_add(text, "█");
}

static const struct column columns[] = {
	{"gc", "collection", "Number of the collection, from 1", VALUE_ID, 10, 0,
     .cell = pauses_gc_cell},
	{"pause", "pause", "How long it stopped the program, in nanoseconds", VALUE_TIME, 9, 0,
     .cell = pauses_pause_cell},
	{"bar", "of the longest", "The same as a bar, relative to the longest", VALUE_TEXT, 0, 0,
     .cell = pauses_bar_cell},
};

DEFINE_PLUGIN(tables, struct table, table_pauses) = {
	.rank = 460,
	.name = "info-pause",
	.form_of = "info",
	.former = "pauses",
	.from = DAMAGE_STATISTICS,
	.help = "How long each of the last 256 collections stopped the program, in order of time",
	.needs = STAGE_READ,
	.parts = PART_GO,
	COLUMNS(columns),
	.fill = pauses_fill,
};
