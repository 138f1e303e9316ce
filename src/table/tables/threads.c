/* The threads of the operating system that the program had, with the goroutine that each runs. */
#include "table/goroutine_cell.h"

#include "base/map.h"
#include "base/mem.h"

#include <inttypes.h>

enum { ID, OS_ID, GOROUTINE, STATUS, FUNCTION, ADDRESS };

static const struct column columns[] = {
	[ID] = {"id", "id", "The runtime's number of the thread", VALUE_ID, 7, 0},
	[OS_ID] = {"os_id", "os id", "The operating system's number of it", VALUE_ID, 14, 0},
	[GOROUTINE] = {"goroutine", "goroutine",
				   "The goroutine that it runs, or that waits on it in a system call", VALUE_ID, 9,
				   0},
	[STATUS] = {"status", "status", "What that goroutine does", VALUE_TEXT, 8, 1},
	[FUNCTION] = {"function", "where", "Where it does that", VALUE_TEXT, 0, 0},
	[ADDRESS] = {"address", "m", "Address of the runtime's record of it", VALUE_ADDRESS, 14, 1},
};

/* The goroutine of each thread is this table's data: UINT32_MAX for none. */
static void find_goroutines(const struct heap *heap, uint32_t *of)
{
	struct map threads = {0};
	uint64_t thread;
	for (uint32_t i = heap->thread_count; i-- > 0;) {
		map_put(&threads, heap->threads[i].address, i);
		of[i] = UINT32_MAX;
	}
	for (uint32_t i = heap->goroutine_count; i-- > 0;) {
		uint64_t m = heap->goroutines[i].record.m;
		if (m && map_get(&threads, m, &thread))
			of[thread] = i;
	}
	map_free(&threads);
}

static bool threads_open(struct rows *rows, const char *argument, struct err *err)
{
	(void)argument, (void)err;
	const struct heap *heap = rows->analysis->heap;
	rows->data = mem_alloc((heap->thread_count + 1ULL) * sizeof(uint32_t));
	find_goroutines(heap, rows->data);
	rows->count = heap->thread_count;
	buf_add(&rows->title, "threads");
	if (!rows->count)
		buf_add(&rows->note, "The dump tells of no threads.");
	return true;
}

static const struct goroutine *goroutine_of(const struct rows *rows, size_t row)
{
	uint32_t index = ((const uint32_t *)rows->data)[row];
	return index == UINT32_MAX ? NULL : &rows->analysis->heap->goroutines[index];
}

static void goroutine_cell(const struct rows *rows, const struct goroutine *goroutine, int column,
						   struct value *value)
{
	if (column == GOROUTINE)
		cell_number(value, VALUE_ID, goroutine->record.id);
	else if (column == STATUS)
		cell_status(value, goroutine);
	else
		cell_telling_function(value, rows->analysis->heap, goroutine);
}

static void threads_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	const struct thread_record *thread = &rows->analysis->heap->threads[row];
	const struct goroutine *goroutine = goroutine_of(rows, row);
	switch (column) {
	case ID:
		cell_number(value, VALUE_ID, thread->id);
		break;
	case OS_ID:
		cell_number(value, VALUE_ID, thread->os_id);
		break;
	case ADDRESS:
		cell_number(value, VALUE_ADDRESS, thread->address);
		break;
	default:
		if (goroutine)
			goroutine_cell(rows, goroutine, column, value);
	}
}

static void threads_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct goroutine *goroutine = goroutine_of(rows, row);
	if (goroutine)
		buf_addf(command, "goroutine %" PRIu64, goroutine->record.id);
}

static uint64_t threads_address(const struct rows *rows, size_t row)
{
	return rows->analysis->heap->threads[row].address;
}

const struct table table_threads = {
	.name = "threads",
	.from = DAMAGE_THREADS,
	.help = "The threads of the operating system that the program had, and what each runs",
	.needs = STAGE_READ,
	.parts = HAS_RUNTIME,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.open = threads_open,
	.cell = threads_cell,
	.link = threads_link,
	.address = threads_address,
	.sort = -1,
};
