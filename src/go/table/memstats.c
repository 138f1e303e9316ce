/* The table of the runtime's memory statistics, as of the start of the dump. */
#include "format/format.h"
#include "heap/heap.h"
#include "table/cell.h"

#include <time.h>

/* In the order of memstats_names, followed by the fields with a place of their own in the
   record. */
static const struct {
	enum value_kind kind;
	const char *meaning;
} fields[] = {
	{VALUE_BYTES, "Bytes of objects, the same as HeapAlloc"},
	{VALUE_BYTES, "Bytes of all objects that were ever allocated"},
	{VALUE_BYTES, "Bytes that the runtime has from the operating system, for everything"},
	{VALUE_COUNT, "Pointer lookups; always 0 since Go 1.9"},
	{VALUE_COUNT, "Objects that were ever allocated"},
	{VALUE_COUNT, "Objects that were ever freed"},
	{VALUE_BYTES, "Bytes of objects, unreachable ones that were not swept yet included"},
	{VALUE_BYTES, "Bytes of address space that the heap has"},
	{VALUE_BYTES, "Bytes of spans without objects"},
	{VALUE_BYTES, "Bytes of spans with at least one object"},
	{VALUE_BYTES, "Bytes of idle spans that were given back to the operating system"},
	{VALUE_COUNT, "Objects on the heap"},
	{VALUE_BYTES, "Bytes of spans that are stacks"},
	{VALUE_BYTES, "Bytes for stacks from the operating system"},
	{VALUE_BYTES, "Bytes of span records in use"},
	{VALUE_BYTES, "Bytes for span records from the operating system"},
	{VALUE_BYTES, "Bytes of mcache records in use"},
	{VALUE_BYTES, "Bytes for mcache records from the operating system"},
	{VALUE_BYTES, "Bytes of the profiler's hash table"},
	{VALUE_BYTES, "Bytes of the collector's own data"},
	{VALUE_BYTES, "Bytes of other allocations of the runtime"},
	{VALUE_BYTES, "Bytes of heap at which the next collection begins"},
	{VALUE_TIME, "When the last collection ended"},
	{VALUE_TIME, "Total time for which collections have stopped the program"},
	{VALUE_COUNT, "Collections that have ended"},
	{VALUE_TIME, "How long the last of them stopped the program"},
};

enum {
	NAMES = sizeof memstats_names / sizeof *memstats_names,
	LAST_GC = NAMES - 2,
	NUM_GC = NAMES,
	LAST_PAUSE,
	FIELDS
};
_Static_assert(sizeof fields / sizeof *fields == FIELDS, "every field of the record has a meaning");

static void memstats_fill(struct rows *rows)
{
	buf_add(&rows->title, "memory statistics of the runtime");
	const struct memstats_record *stats = &analysis_heap(rows->analysis)->memstats;
	if (stats->present)
		rows->count = FIELDS;
	else
		buf_add(&rows->note, "The dump lacks the record with the statistics.");
	if (stats->unknown & MEMSTATS_PAUSES_UNKNOWN)
		buf_add(&rows->note, "Without the executable's debug information only the statistics of "
		                     "spans, and of profiles, are known.");
}

static const char *memstats_name_of(size_t row)
{
	if (row < NAMES)
		return memstats_names[row];
	return row == NUM_GC ? "NumGC" : "PauseNs (last)";
}

static uint64_t memstats_number_of(const struct memstats_record *stats, size_t row)
{
	if (row < NAMES)
		return stats->field[row];
	if (row == NUM_GC)
		return stats->num_gc;
	return stats->pause_ns[(stats->num_gc + MEMSTATS_PAUSES - 1) % MEMSTATS_PAUSES];
}

/* Shows the meaning, with a date for the time of the last collection. */
static void meaning_cell(const struct memstats_record *stats, size_t row, struct value *value)
{
	time_t ended = (time_t)(stats->field[LAST_GC] / 1000000000);
	struct tm utc;
	char date[32];
	if (row != LAST_GC || !ended || !gmtime_r(&ended, &utc)) {
		cell_text(value, fields[row].meaning);
		return;
	}
	strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S UTC", &utc);
	buf_addf(cell_begin(value), "%s: %s", fields[row].meaning, date);
}

static void memstats_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	(void)rows;
	cell_text(value, memstats_name_of(row));
}

static void memstats_value_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct memstats_record *stats = &analysis_heap(rows->analysis)->memstats;
	size_t bit = row < NAMES ? row : NAMES;
	if (!(stats->unknown >> bit & 1))
		cell_number(value, fields[row].kind, memstats_number_of(stats, row));
}

static void memstats_meaning_cell(const struct rows *rows, size_t row, struct value *value)
{
	meaning_cell(&analysis_heap(rows->analysis)->memstats, row, value);
}

static const struct column columns[] = {
	{"name", "name", "As in Go's runtime.MemStats", VALUE_TEXT, 14, 0, .cell = memstats_name_cell},
	{"value", "value", "Bytes, a number, or nanoseconds", VALUE_COUNT, 11, 0,
     .cell = memstats_value_cell, .any_kind = true},
	{"meaning", "meaning", "What it counts", VALUE_TEXT, 0, 0, .cell = memstats_meaning_cell},
};

DEFINE_PLUGIN(tables, struct table, table_memstats) = {
	.rank = 450,
	.name = "info",
	.former = "memstats",
	.from = DAMAGE_STATISTICS,
	.help = "The memory statistics of Go's runtime",
	.needs = STAGE_READ,
	.parts = PART_GO,
	COLUMNS(columns),
	.fill = memstats_fill,
};
