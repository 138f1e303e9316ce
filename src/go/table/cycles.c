/* The table of finalizers that can never run, and of those that wait for each other. */
#include "table/cell.h"
#include "table/columns.h"

#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "go/analysis/finalizer_cycles.h"
#include "heap/heap.h"

#include <string.h>

struct cycles_rows {
	struct finalizer_cycles *found;
	struct finalizer_cycle *item; /* the first one that is shown */
};

static void cycles_add_title(struct rows *rows, bool chains)
{
	const struct finalizer_cycles *found = ((struct cycles_rows *)rows->data)->found;
	buf_add(&rows->title, chains ? "finalizers that wait for others"
	                             : "finalizers and cleanups that can never run");
	if (!chains && found->bytes)
		buf_addf(&rows->title, ": they hold %s", text_size(found->bytes).text);
	bool lacks = heap_lacks_cleanups(analysis_heap(rows->analysis));
	if (!rows->count)
		buf_add(&rows->note, chains  ? "No object with a finalizer references another one, "
		                               "directly or indirectly."
		                     : lacks ? "No finalizer keeps its own object alive."
		                             : "No finalizer or cleanup keeps its own object alive.");
	if (chains || !lacks)
		return;
	rows->unknown = UINT64_MAX;
	buf_addf(&rows->note,
	         "%sWhether cleanups can ever run cannot be told: heap dumps do not record them.",
	         rows->count ? "" : " ");
}

static bool cycles_open(struct rows *rows, const char *argument, struct err *err)
{
	bool chains = strcmp(argument, "chains") == 0;
	if (*argument && !chains)
		return err_set(err, "Cycles can be selected by chains, not by \"%.60s\"", argument);
	if (!reach_must_be_known(rows->analysis, err))
		return false;
	struct cycles_rows *data = rows->data = mem_alloc(sizeof *data);
	data->found = finalizer_cycles_new(analysis_reach(rows->analysis), rows->progress);
	if (!data->found)
		return err_set(err, "The search for what finalizers reach was cancelled");
	size_t first = chains ? data->found->cycles : 0;
	data->item = first ? data->found->item + first : data->found->item;
	rows->count = (chains ? data->found->count : data->found->cycles) - first;
	cycles_add_title(rows, chains);
	return true;
}

static void cycles_close(struct rows *rows)
{
	struct cycles_rows *data = rows->data;
	finalizer_cycles_free(data->found);
}

static void cycles_retained_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct finalizer_cycle *item = rows_record(rows, row);
	if (item->cycle != OBJECT_NONE)
		cell_number(value, VALUE_BYTES, item->bytes);
}

static void cycles_calls_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	const struct finalizer_cycle *item = rows_record(rows, row);
	struct object_record closure;
	uint64_t entry = item->finalizer != OBJECT_NONE ? heap->finalizers[item->finalizer].entry_pc
	                                                : heap->otherroots[item->cleanup].entry_pc;
	if (entry)
		cell_called(value, rows->analysis, entry);
	else if (item->finalizer == OBJECT_NONE
	         && heap_object(heap, heap_find(heap, heap->otherroots[item->cleanup].target), &closure)
	         && closure.stored - closure.header >= heap->params.layout.pointer_size)
		cell_called(value, rows->analysis, heap_word(heap, closure.data + closure.header));
}

static void cycles_kind_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct finalizer_cycle *item = rows_record(rows, row);
	cell_text(value, item->finalizer == OBJECT_NONE ? "cleanup" : "finalizer");
}

static const struct column columns[] = {
	{"address", "address", "The object that has the finalizer or cleanup", VALUE_ADDRESS, 14, 0,
     .cell = object_address_cell},
	{OBJECT_TYPE, .width = 24, .rank = 0},
	{"kind", "kind", "finalizer, or cleanup (of runtime.AddCleanup)", VALUE_TEXT, 9, 1,
     .cell = cycles_kind_cell},
	{"retained_bytes", "holds",
     "Bytes that would be freed without the finalizers and cleanups of its cycle", VALUE_BYTES, 9,
     0, .cell = cycles_retained_cell},
	{"function", "calls", "The function that it would call, if the executable is known", VALUE_TEXT,
     0, 1, .cell = cycles_calls_cell, .wants = STAGE_NAMED},
	{"chain", "chain",
     "Number of finalizers that must run one after the other, one per collection, until "
     "everything below it is free; a cycle counts once",
     VALUE_COUNT, 6, 2, FIELD(struct finalizer_cycle, chain)},
	{"cycle", "cycle", "One of the objects of its cycle; all finalizers of a cycle have the same",
     VALUE_ADDRESS, 14, 3, FIELD_OBJECT(struct finalizer_cycle, cycle)},
	{OBJECT_SIZE, .width = 9, .rank = 3},
};

DEFINE_PLUGIN(tables, struct table, table_cycles) = {
	.rank = 311,
	.name = "cycles",
	.from = DAMAGE_FINALIZERS,
	.help =
		"Finalizers and cleanups that can never run, because they keep their own object alive, "
		"and the bytes that they keep alive; with chains, finalizers that can run only one after "
		"the other",
	.argument = "[chains]",
	.needs = STAGE_REACHED,
	.parts = PART_GO,
	COLUMNS(columns),
	.open = cycles_open,
	RECORDS(struct cycles_rows, item),
	.object = ROW_MEMBER(struct finalizer_cycle, object, uint32_t),
	.close = cycles_close,
	.sort = "retained_bytes",
};
