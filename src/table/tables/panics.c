/* The panics that are under way, recovered ones whose deferred call still runs included. */
#include "table/columns.h"
#include "table/root.h"

#include <inttypes.h>

static const void *panic_of(const struct rows *rows, size_t row)
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

static struct entity panics_entity(const struct rows *rows, size_t row)
{
	(void)rows;
	return (struct entity){ENTITY_PANIC, (uint32_t)row, 0};
}

static const struct column columns[] = {
	{"goroutine", "goroutine", "The goroutine that panics", VALUE_ID, 9, 0,
     .cell = goroutine_id_cell},
	{"type", "type", "The runtime's record of the type of the panic's value; 0: runtime.Goexit",
     VALUE_ADDRESS, 14, 0, FIELD(struct panic_record, type)},
	{"data", "value", "Where that value is", VALUE_ADDRESS, 14, 0,
     FIELD(struct panic_record, data)},
	{"defer", "deferred call", "The record of the deferred call that runs", VALUE_ADDRESS, 14, 0,
     FIELD(struct panic_record, defer)},
	{"address", "record", "Address of the runtime's record of the panic", VALUE_ADDRESS, 14, 0,
     FIELD(struct panic_record, address)},
};

const struct table table_panics = {
	.name = "panics",
	.from = DAMAGE_GOROUTINES,
	.help = "Panics that are under way, with the goroutine of each",
	.needs = STAGE_READ,
	.parts = HAS_RUNTIME,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.open = panics_open,
	.record = panic_of,
	.entity = panics_entity,
};
