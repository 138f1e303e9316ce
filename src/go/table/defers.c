/* The table of deferred calls that the runtime has recorded. */
#include "format/format.h"
#include "table/columns.h"
#include "table/naming/root.h"

static struct entity defers_entity(const struct rows *rows, size_t row)
{
	(void)rows;
	return (struct entity){ENTITY_DEFER, (uint32_t)row, 0};
}

static const struct column columns[] = {
	{"goroutine", "goroutine", "The goroutine that has deferred it", VALUE_ID, 9, 0,
     .cell = thread_id_cell},
	{"function", "closure", "The closure that will be called", VALUE_ADDRESS, 14, 0,
     FIELD(struct defer_record, function)},
	{"entry_pc", "entry", "Address of that function", VALUE_ADDRESS, 14, 0,
     FIELD(struct defer_record, entry_pc)},
	{"pc", "deferred at", "Program counter of the defer statement", VALUE_ADDRESS, 14, 0,
     FIELD(struct defer_record, pc)},
	{"sp", "sp", "The frame with the defer statement", VALUE_ADDRESS, 14, 0,
     FIELD(struct defer_record, sp)},
	{"address", "record", "Address of the runtime's record of it", VALUE_ADDRESS, 14, 1,
     FIELD(struct defer_record, address)},
};

DEFINE_PLUGIN(tables, struct table, table_defers) = {
	.rank = 320,
	.name = "stack-defer",
	.form_of = "stack",
	.former = "defers",
	.from = DAMAGE_THREADS,
	.help = "Deferred calls that wait for their functions to return",
	.needs = STAGE_READ,
	.parts = PART_GO,
	COLUMNS(columns),
	.records = RECORD_DEFER,
	.title = "deferred calls",
	.none = "The dump has no records of deferred calls; since Go 1.14 most calls of defer "
			"have none.",
	.entity = defers_entity,
};
