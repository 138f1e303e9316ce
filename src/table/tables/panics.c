/* The panics that are under way, recovered ones whose deferred call still runs included. */
#include "table/root.h"

#include <inttypes.h>

enum { GOROUTINE, TYPE, DATA, DEFER, ADDRESS };

static const struct column columns[] = {
	[GOROUTINE] = {"goroutine", "goroutine", "The goroutine that panics", VALUE_ID, 9, 0},
	[TYPE] = {"type", "type",
			  "The runtime's record of the type of the panic's value; 0: runtime.Goexit",
			  VALUE_ADDRESS, 14, 0},
	[DATA] = {"data", "value", "Where that value is", VALUE_ADDRESS, 14, 0},
	[DEFER] = {"defer", "deferred call", "The record of the deferred call that runs", VALUE_ADDRESS,
			   14, 0},
	[ADDRESS] = {"address", "record", "Address of the runtime's record of the panic", VALUE_ADDRESS,
				 14, 0},
};

static const struct panic_record *panic_of(const struct rows *rows, size_t row)
{
	return &rows->analysis->heap->panics[row];
}

static bool panics_open(struct rows *rows, const char *argument, struct err *err)
{
	(void)argument, (void)err;
	rows->count = rows->analysis->heap->panic_count;
	buf_add(&rows->title, "panics");
	if (!rows->count)
		buf_add(&rows->note, "No goroutine was in a panic.");
	return true;
}

static void panics_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	const struct panic_record *panic = panic_of(rows, row);
	const struct goroutine *goroutine = goroutine_before(rows->analysis->heap, panic->offset);
	switch (column) {
	case GOROUTINE:
		if (goroutine)
			cell_number(value, VALUE_ID, goroutine->record.id);
		break;
	case TYPE:
		cell_number(value, VALUE_ADDRESS, panic->type);
		break;
	case DATA:
		cell_number(value, VALUE_ADDRESS, panic->data);
		break;
	case DEFER:
		cell_number(value, VALUE_ADDRESS, panic->defer);
		break;
	case ADDRESS:
		cell_number(value, VALUE_ADDRESS, panic->address);
		break;
	}
}

static void panics_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct goroutine *goroutine =
		goroutine_before(rows->analysis->heap, panic_of(rows, row)->offset);
	if (goroutine)
		buf_addf(command, "goroutine %" PRIu64, goroutine->record.id);
}

static uint64_t panics_address(const struct rows *rows, size_t row)
{
	return panic_of(rows, row)->data;
}

const struct table table_panics = {
	.name = "panics",
	.from = DAMAGE_GOROUTINES,
	.help = "Panics that are under way, with the goroutine of each",
	.needs = STAGE_READ,
	.parts = HAS_RUNTIME,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.open = panics_open,
	.cell = panics_cell,
	.link = panics_link,
	.address = panics_address,
	.sort = -1,
};
