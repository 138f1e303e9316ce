/* The table of the program's threads of the operating system, with the goroutine that each runs. */
#include "table/cell.h"
#include "table/columns.h"

#include "base/map.h"
#include "base/mem.h"
#include "format/format.h"
#include "heap/heap.h"

#include <string.h>

/* Stores the goroutine of each thread, UINT32_MAX for none. */
static void find_goroutines(const struct heap *heap, uint32_t *of)
{
	SCOPED_MAP threads = {0};
	uint64_t thread;
	for (uint32_t i = heap->os_thread_count; i-- > 0;) {
		map_put(&threads, heap->os_threads[i].address, i);
		of[i] = UINT32_MAX;
	}
	for (uint32_t i = heap->thread_count; i-- > 0;) {
		uint64_t m = heap->threads[i].record.m;
		if (m && map_get(&threads, m, &thread))
			of[thread] = i;
	}
}

static void threads_fill(struct rows *rows)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	rows->data = mem_alloc((heap->os_thread_count + 1ULL) * sizeof(uint32_t));
	find_goroutines(heap, rows->data);
}

static struct entity threads_entity(const struct rows *rows, size_t row)
{
	return (struct entity){ENTITY_OS_THREAD, (uint32_t)row, ((const uint32_t *)rows->data)[row]};
}

/* Only core files contain registers. */
static const struct os_thread_record *threads_row_of(const struct rows *rows, size_t row)
{
	return &analysis_heap(rows->analysis)->os_threads[row];
}

static void threads_pc_function_cell(const struct rows *rows, size_t row, struct value *value)
{
	const char *name;
	if (names_function(analysis_names(rows->analysis), threads_row_of(rows, row)->pc, &name))
		cell_symbol(value, (struct text){name, strlen(name)});
}

static const struct column columns[] = {
	{"id", "id", "The runtime's id of the thread", VALUE_ID, 7, 0,
     FIELD(struct os_thread_record, id)},
	{"os_id", "os id", "The operating system's id of the thread", VALUE_ID, 14, 0,
     FIELD(struct os_thread_record, os_id)},
	{"goroutine", "goroutine", "The goroutine that it runs, or that is in a system call on it",
     VALUE_ID, 9, 0, .cell = thread_id_cell},
	{"status", "status", "State of that goroutine", VALUE_TEXT, 8, 1, .cell = thread_status_cell},
	{"function", "where", "File and line of that goroutine", VALUE_TEXT, 0, 0,
     .cell = thread_function_cell},
	{"address", "m", "Address of the runtime's record of it", VALUE_ADDRESS, 14, 1,
     FIELD(struct os_thread_record, address)},
	{"pc_function", "runs", "The function that the thread was in, possibly one of the runtime",
     VALUE_TEXT, 24, 1, .cell = threads_pc_function_cell, .stages = STAGE_NAMED,
     .parts = PART_PROCESS},
	{"pc", "pc", "Its program counter", VALUE_ADDRESS, 14, 3,
     FIELD_UNLESS_0(struct os_thread_record, pc), .parts = PART_PROCESS},
	{"sp", "sp", "Its stack pointer", VALUE_ADDRESS, 14, 3,
     FIELD_UNLESS_0(struct os_thread_record, sp), .parts = PART_PROCESS},
};

DEFINE_PLUGIN(tables, struct table, table_threads) = {
	.rank = 390,
	.name = "threads",
	.from = DAMAGE_OS_THREADS,
	.help = "The program's operating system threads, and what each runs",
	.needs = STAGE_READ,
	.parts = PART_GO,
	COLUMNS(columns),
	.records = RECORD_OS_THREAD,
	.title = "threads",
	.none = "The dump has no threads.",
	.fill = threads_fill,
	.entity = threads_entity,
};
