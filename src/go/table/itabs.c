/* The table of itabs: the concrete types of interface values, by their first word. */
#include "table/cell.h"

#include "base/mem.h"
#include "format/format.h"
#include "heap/heap.h"

#include <stdlib.h>

static int itabs_by_address(const void *a, const void *b)
{
	const struct type_record *x = *(const struct type_record *const *)a;
	const struct type_record *y = *(const struct type_record *const *)b;
	return x->address < y->address ? -1 : x->address > y->address;
}

/* rows->data: the types by address. */
static void itabs_fill(struct rows *rows)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	const struct type_record **types = rows->data = mem_alloc(heap->type_count * sizeof *types);
	for (uint32_t i = 0; i < heap->type_count; i++)
		types[i] = &heap->types[i];
	qsort(types, heap->type_count, sizeof *types, itabs_by_address);
}

static void itabs_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct itab_record *itab = rows_record(rows, row);
	struct type_record wanted = {.address = itab->type};
	const struct type_record *key = &wanted;
	const struct type_record **found = bsearch(
		&key, rows->data, analysis_heap(rows->analysis)->type_count, sizeof key, itabs_by_address);
	if (found)
		cell_dump_text(value, (*found)->name);
}

static const struct column columns[] = {
	{"address", "address", "Address of the itab, the first word of an interface value",
     VALUE_ADDRESS, 14, 0, FIELD(struct itab_record, address)},
	{"type", "type", "Address of the runtime's record of the value's type", VALUE_ADDRESS, 14, 0,
     FIELD(struct itab_record, type)},
	{"name", "type's name", "Its name, as in the table types", VALUE_TEXT, 0, 0,
     .cell = itabs_name_cell},
};

DEFINE_PLUGIN(tables, struct table, table_itabs) = {
	.rank = 380,
	.name = "itabs",
	.rare = true,
	.from = DAMAGE_TYPES,
	.help = "The types that the first words of interface values stand for",
	.needs = STAGE_READ,
	.parts = PART_GO,
	COLUMNS(columns),
	.records = RECORD_ITAB,
	.title = "itabs",
	.none = "The dump has no itabs.",
	.fill = itabs_fill,
};
