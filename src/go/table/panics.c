/* The panics in progress, recovered ones whose deferred call still runs included. */
#include "format/format.h"
#include "go/table/panic.h"
#include "heap/heap.h"
#include "table/cell.h"
#include "table/columns.h"
#include "table/naming/root.h"

static struct entity panics_entity(const struct rows *rows, size_t row)
{
	(void)rows;
	return (struct entity){ENTITY_PANIC, (uint32_t)row, 0};
}

static void panics_text_cell(const struct rows *rows, size_t row, struct value *value)
{
	panic_add_value(rows->analysis, &analysis_heap(rows->analysis)->panics[row], cell_begin(value));
}

static void panics_type_cell(const struct rows *rows, size_t row, struct value *value)
{
	panic_add_type(rows->analysis, &analysis_heap(rows->analysis)->panics[row], cell_begin(value));
}

static const struct column columns[] = {
	{"goroutine", "goroutine", "The goroutine that panics", VALUE_ID, 9, 0, .cell = thread_id_cell},
	{"value_type", "type", "The type of the panic's value; without names the address of its record",
     VALUE_TEXT, 12, 0, .cell = panics_type_cell, .wants = STAGE_TYPED},
	{"type", "type record",
     "The runtime's record of the type of the panic's value; 0: runtime.Goexit", VALUE_ADDRESS, 14,
     2, FIELD(struct panic_record, type)},
	{"text", "value", "The panic value, as far as the executable's types are known", VALUE_TEXT, 20,
     0, .cell = panics_text_cell, .wants = STAGE_TYPED},
	{"data", "value at", "Address of that value", VALUE_ADDRESS, 14, 0,
     FIELD(struct panic_record, data)},
	{"defer", "deferred call", "The record of the deferred call that is running", VALUE_ADDRESS, 14,
     2, FIELD(struct panic_record, defer)},
	{"address", "record", "Address of the runtime's record of the panic", VALUE_ADDRESS, 14, 1,
     FIELD(struct panic_record, address)},
};

DEFINE_PLUGIN(tables, struct table, table_panics) = {
	.rank = 330,
	.name = "stack-panic",
	.form_of = "stack",
	.former = "panics",
	.from = DAMAGE_THREADS,
	.help = "Panics in progress, with the goroutine of each",
	.needs = STAGE_READ,
	.parts = PART_GO,
	COLUMNS(columns),
	.records = RECORD_PANIC,
	.title = "panics",
	.none = "No goroutine was in a panic.",
	.entity = panics_entity,
};
