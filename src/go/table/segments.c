/* The table of the memory of global variables: data and bss. */
#include "table/cell.h"

#include "base/mem.h"
#include "format/format.h"
#include "heap/heap.h"
#include "heap/root.h"

/* rows->data: the number of pointers in each segment. */
static void segments_fill(struct rows *rows)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	uint64_t *pointers = rows->data = mem_alloc((heap->segment_count + 1ULL) * sizeof *pointers);
	for (uint32_t i = 0; i < heap->root_kind_first[ROOT_BSS + 1]; i++)
		pointers[heap->roots[i].holder]++;
}

static void segments_pointers_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_number(value, VALUE_COUNT, ((const uint64_t *)rows->data)[row]);
}

static const char *const segment_kinds[] = {"data", "bss"};

static const struct column columns[] = {
	{"kind", "kind", "data: variables that begin with a value, bss: those that begin as zero",
     VALUE_TEXT, 8, 0, FIELD_WORD(struct segment_record, bss, segment_kinds)},
	{"address", "address", "Its address", VALUE_ADDRESS, 18, 0,
     FIELD(struct segment_record, address)},
	{"size", "size", "Its size in bytes", VALUE_BYTES, 11, 0, FIELD(struct segment_record, size)},
	{"pointers", "pointers", "Number of pointers in it to objects", VALUE_COUNT, 11, 0,
     .cell = segments_pointers_cell},
};

static void segments_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct segment_record *segment = rows_record(rows, row);
	buf_addf(command, "roots %s", segment->bss ? "bss" : "data");
}

DEFINE_PLUGIN(tables, struct table, table_segments) = {
	.rank = 300,
	.name = "segments",
	.rare = true,
	.from = DAMAGE_GLOBALS,
	.help = "The segments of global variables, data and bss; a row opens the pointers in it",
	.needs = STAGE_LINKED,
	.parts = PART_GO,
	COLUMNS(columns),
	.records = RECORD_DATA,
	.title = "memory of global variables",
	.none = "The dump lacks the global variables.",
	.fill = segments_fill,
	.link = segments_link,
};
