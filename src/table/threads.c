/* The threads of the operating system that the program had. */
#include "table/cell.h"

enum { ID, OS_ID, ADDRESS };

static const struct column columns[] = {
	[ID] = {"id", "id", "The runtime's number of the thread", VALUE_ID, 9, 0},
	[OS_ID] = {"os_id", "os id", "The operating system's number of it", VALUE_ID, 14, 0},
	[ADDRESS] = {"address", "m", "Address of the runtime's record of it", VALUE_ADDRESS, 14, 0},
};

static bool threads_open(struct rows *rows, const char *argument, struct err *err)
{
	(void)argument, (void)err;
	rows->count = rows->analysis->heap->thread_count;
	buf_add(&rows->title, "threads");
	if (!rows->count)
		buf_add(&rows->note, "The dump tells of no threads; the table warnings may say why.");
	return true;
}

static void threads_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	const struct thread_record *thread = &rows->analysis->heap->threads[row];
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
	}
}

static uint64_t threads_address(const struct rows *rows, size_t row)
{
	return rows->analysis->heap->threads[row].address;
}

const struct table table_threads = {
	.name = "threads",
	.help = "The threads of the operating system that the program had",
	.needs = STAGE_READ,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.open = threads_open,
	.cell = threads_cell,
	.address = threads_address,
	.sort = -1,
};
