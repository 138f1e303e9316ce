/* The deferred calls that the runtime has records of. */
#include "table/root.h"

#include <inttypes.h>

enum { GOROUTINE, FUNCTION, ENTRY, PC, SP, ADDRESS };

static const struct column columns[] = {
	[GOROUTINE] = {"goroutine", "goroutine", "The goroutine that has deferred it", VALUE_ID, 9, 0},
	[FUNCTION] = {"function", "closure", "The closure that will be called", VALUE_ADDRESS, 14, 0},
	[ENTRY] = {"entry_pc", "entry", "Where that function begins in the code", VALUE_ADDRESS, 14, 0},
	[PC] = {"pc", "deferred at", "Where in the code it was deferred", VALUE_ADDRESS, 14, 0},
	[SP] = {"sp", "sp", "The frame that has deferred it", VALUE_ADDRESS, 14, 0},
	[ADDRESS] = {"address", "record", "Address of the runtime's record of it", VALUE_ADDRESS, 14,
				 1},
};

static const struct defer_record *defer_of(const struct rows *rows, size_t row)
{
	return &rows->analysis->heap->defers[row];
}

static bool defers_open(struct rows *rows, const char *argument, struct err *err)
{
	(void)argument, (void)err;
	rows->count = rows->analysis->heap->defer_count;
	buf_add(&rows->title, "deferred calls");
	if (!rows->count)
		buf_add(&rows->note,
				"The dump has no records of deferred calls; since Go 1.14 most calls of defer "
				"have none.");
	return true;
}

static void defers_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	const struct defer_record *defer = defer_of(rows, row);
	const struct goroutine *goroutine = goroutine_before(rows->analysis->heap, defer->offset);
	switch (column) {
	case GOROUTINE:
		if (goroutine)
			cell_number(value, VALUE_ID, goroutine->record.id);
		break;
	case FUNCTION:
		cell_number(value, VALUE_ADDRESS, defer->function);
		break;
	case ENTRY:
		cell_number(value, VALUE_ADDRESS, defer->entry_pc);
		break;
	case PC:
		cell_number(value, VALUE_ADDRESS, defer->pc);
		break;
	case SP:
		cell_number(value, VALUE_ADDRESS, defer->sp);
		break;
	case ADDRESS:
		cell_number(value, VALUE_ADDRESS, defer->address);
		break;
	}
}

static void defers_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct goroutine *goroutine =
		goroutine_before(rows->analysis->heap, defer_of(rows, row)->offset);
	if (goroutine)
		buf_addf(command, "goroutine %" PRIu64, goroutine->record.id);
}

static uint64_t defers_address(const struct rows *rows, size_t row)
{
	return defer_of(rows, row)->function;
}

const struct table table_defers = {
	.name = "defers",
	.from = DAMAGE_GOROUTINES,
	.help = "Deferred calls that wait for their functions to return",
	.needs = STAGE_READ,
	.parts = HAS_RUNTIME,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.open = defers_open,
	.cell = defers_cell,
	.link = defers_link,
	.address = defers_address,
	.sort = -1,
};
