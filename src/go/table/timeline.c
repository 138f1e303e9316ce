/* The table of the dumps of a series: the memory of the process over time. */
#include "go/table/memory_use.h"
#include "table/cell.h"
#include "table/columns.h"

#include "analysis/series.h"
#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "heap/heap.h"

#include <string.h>
#include <time.h>

/* A dump; what is not known is left out. */
struct moment {
	const struct analysis *analysis;
	uint64_t heap, objects, reachable, unreachable, stacks, idle, threads;
	struct memory_residence resident;
	bool knows_reach, knows_idle, knows_resident;
};

/* Stores the bytes of free pages: by the statistics, else by the spans, which a process has even if
   its statistics cannot be read. False: not known. */
static bool timeline_find_idle(const struct heap *heap, uint64_t *bytes)
{
	uint64_t idle, released;
	if (memstats_value(&heap->memstats, "HeapIdle", &idle)
	    && memstats_value(&heap->memstats, "HeapReleased", &released) && released <= idle) {
		*bytes = idle - released;
		return true;
	}
	*bytes = 0;
	for (uint32_t i = 0; i < heap->span_count; i++)
		*bytes += heap->spans[i].state == SPAN_FREE ? heap->spans[i].bytes : 0;
	return heap_has(heap, PART_PROCESS) && heap->span_count;
}

static struct moment timeline_moment(const struct analysis *analysis)
{
	const struct heap *heap = analysis_heap(analysis);
	struct moment moment = {
		.analysis = analysis,
		.heap = objects_bytes(heap->objects),
		.objects = heap_object_count(heap),
		.threads = heap->thread_count,
		.stacks = heap_stacks(heap).bytes,
		.knows_reach = analysis_has(analysis, STAGE_REACHED) && analysis_has_roots(analysis),
	};
	if (moment.knows_reach) {
		moment.reachable = analysis_reach(analysis)->bytes;
		moment.unreachable = moment.heap - moment.reachable;
	}
	moment.knows_idle = timeline_find_idle(heap, &moment.idle);
	moment.knows_resident = memory_residence(heap, &moment.resident);
	return moment;
}

static void timeline_fill(struct rows *rows)
{
	const struct series *series = analysis_series(rows->analysis);
	size_t older = series ? series->count : 0;
	struct moment *moment = rows->data = mem_alloc((older + 1) * sizeof *moment);
	for (size_t i = 0; i < older; i++)
		moment[rows->count++] = timeline_moment(series_older(rows->analysis, i));
	moment[rows->count++] = timeline_moment(rows->analysis);
	buf_add(&rows->title, "the memory over time");
}

/* Appends when a snapshot was taken; nothing if that is not known. */
static void timeline_add_time(const struct heap *heap, const char *format, struct buf *out)
{
	const struct process_note *note = heap_snapshot(heap);
	time_t seconds = note ? (time_t)note->time : 0;
	char text[32];
	struct tm when;
	if (note && gmtime_r(&seconds, &when) && strftime(text, sizeof text, format, &when))
		buf_add(out, text);
}

/* Snapshots of a running process have no file: the time tells them apart. */
static void timeline_dump_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct analysis *analysis = ((const struct moment *)rows_record(rows, row))->analysis;
	const char *path = analysis_path(analysis);
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	struct buf *out = cell_begin(value);
	size_t before = out->len;
	if (analysis_input(analysis)->pid)
		timeline_add_time(analysis_heap(analysis), "%T", out);
	if (out->len == before)
		text_add_escaped(out, name, strlen(name), SIZE_MAX);
}

static void timeline_time_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct moment *moment = rows_record(rows, row);
	timeline_add_time(analysis_heap(moment->analysis), "%F %T", cell_begin(value));
}

static const struct column columns[] = {
	{"dump", "dump", "The dump or core file, or the time of a snapshot; the oldest first",
     VALUE_TEXT, 0, 0, .cell = timeline_dump_cell},
	{"time", "time", "When a snapshot was taken, in UTC; heap dumps do not tell it", VALUE_TEXT, 19,
     3, .cell = timeline_time_cell},
	{"heap_bytes", "heap", "Bytes of all objects", VALUE_BYTES, 9, 0, FIELD(struct moment, heap),
     .bar = true},
	{"reachable_bytes", "reachable", "Bytes of the reachable ones", VALUE_BYTES, 9, 1,
     FIELD_IF(struct moment, reachable, knows_reach)},
	{"unreachable_bytes", "unreachable", "Bytes of the others", VALUE_BYTES, 11, 0,
     FIELD_IF(struct moment, unreachable, knows_reach), .bar = true},
	{"idle_bytes", "free", "Bytes of free pages that were not returned to the operating system",
     VALUE_BYTES, 9, 0, FIELD_IF(struct moment, idle, knows_idle), .bar = true},
	{"stack_bytes", "stacks", "Bytes of the stacks of goroutines", VALUE_BYTES, 9, 0,
     FIELD(struct moment, stacks), .bar = true},
	{"goroutines", "goroutines", "Number of goroutines", VALUE_COUNT, 10, 2,
     FIELD(struct moment, threads)},
	{"objects", "objects", "Number of objects", VALUE_COUNT, 11, 2, FIELD(struct moment, objects)},
	{"outside_bytes", "not Go's",
     "Resident bytes that are neither the heap nor the runtime's: of C code, files, mappings",
     VALUE_BYTES, 9, 0, FIELD_IF(struct moment, resident.outside, knows_resident), .bar = true,
     .absent = rows_lack_residence},
	{"resident_bytes", "resident", "Resident bytes of the process", VALUE_BYTES, 9, 0,
     FIELD_IF(struct moment, resident.all, knows_resident), .absent = rows_lack_residence},
};

DEFINE_PLUGIN(tables, struct table, table_timeline) = {
	.rank = 98,
	.name = "timeline",
	.help = "The memory of the process over time, a row for each dump of a series: heap, what of "
			"it is reachable, free pages, stacks, and of snapshots what is resident and not Go's",
	.needs = STAGE_REACHED,
	.parts = PART_GO,
	COLUMNS(columns),
	.fill = timeline_fill,
	RECORD_ARRAY(struct moment),
};
