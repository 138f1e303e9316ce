/* The table of finalizers: registered ones, and queued ones, which are due. */
#include "table/cell.h"
#include "table/columns.h"

#include "base/mem.h"
#include "format/format.h"
#include "heap/heap.h"
#include "heap/root.h"

#include <string.h>

static const void *finalizer_of(const struct rows *rows, size_t row)
{
	return &analysis_heap(rows->analysis)->finalizers[rows_id(rows, row)];
}

static bool finalizers_open(struct rows *rows, const char *argument, struct err *err)
{
	bool queued = strcmp(argument, "queued") == 0;
	if (*argument && !queued && strcmp(argument, "registered") != 0)
		return err_set(err, "Finalizers can be selected by queued or registered, not by \"%.60s\"",
		               argument);
	if (*argument) {
		const struct heap *heap = analysis_heap(rows->analysis);
		uint32_t *ids = rows->data = mem_alloc(heap->finalizer_count * sizeof *ids);
		for (uint32_t i = 0; i < heap->finalizer_count; i++)
			if (heap->finalizers[i].queued == queued)
				ids[rows->count++] = i;
	} else
		rows->count = analysis_heap(rows->analysis)->finalizer_count;
	buf_addf(&rows->title, "%s finalizers", *argument ? argument : "all");
	if (!rows->count)
		buf_add(&rows->note, queued ? "No finalizer is due." : "No object has a finalizer.");
	return true;
}

static bool only_finalizers_point_to(const struct analysis *analysis, uint32_t id)
{
	struct ids roots = reach_roots_of(analysis_reach(analysis), id);
	for (size_t i = 0; i < roots.count; i++) {
		uint8_t kind = analysis_heap(analysis)->roots[roots.id[i]].kind;
		if (kind != ROOT_FINALIZER && kind != ROOT_QUEUED_FINALIZER)
			return false;
	}
	return true;
}

/* Returns the number of objects that only `id` references, apart from finalizers; 0 if `id` is
   reachable without its finalizer. */
static uint64_t count_kept(const struct analysis *analysis, uint32_t id, bool queued)
{
	struct ids ids = heap_references(analysis_heap(analysis), id);
	uint64_t kept = 0;
	if (reach_has(analysis_reach(analysis), id) && !queued)
		return 0;
	for (size_t i = 0; i < ids.count; i++)
		kept += heap_referrers(analysis_heap(analysis), ids.id[i]).count == 1
		        && only_finalizers_point_to(analysis, ids.id[i]);
	return kept;
}

static struct entity finalizers_entity(const struct rows *rows, size_t row)
{
	const struct finalizer_record *finalizer = finalizer_of(rows, row);
	return entity_of_object(heap_find(analysis_heap(rows->analysis), finalizer->object));
}

static void finalizers_only_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct finalizer_record *finalizer = finalizer_of(rows, row);
	uint32_t id = rows_object(rows, row);
	if (id != OBJECT_NONE)
		cell_number(value, VALUE_COUNT, count_kept(rows->analysis, id, finalizer->queued));
}

static void finalizers_calls_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct finalizer_record *finalizer = finalizer_of(rows, row);
	cell_called(value, rows->analysis, finalizer->entry_pc);
}

static bool calls_unknown(const struct rows *rows)
{
	const struct names *names = analysis_names(rows->analysis);
	return !names || !names->exe;
}

static const struct column columns[] = {
	{"object", "object", "The object with the finalizer", VALUE_ADDRESS, 14, 0,
     FIELD(struct finalizer_record, object)},
	{OBJECT_TYPE, .width = 20, .rank = 1},
	{"queued", "queued", "Is it due or running? Its object was unreachable then", VALUE_BOOL, 6, 0,
     FIELD(struct finalizer_record, queued)},
	{OBJECT_SIZE, .width = 9},
	{OBJECT_REACHABLE, .width = 9},
	{"references", "refers to",
     "Number of pointers in the object: what they reference lives "
     "until the finalizer has run",
     VALUE_COUNT, 9, 1, .cell = object_references_cell},
	{"only", "only here",
     "Number of these references to objects that only the finalizer keeps alive; none if the "
     "object itself is reachable from a root",
     VALUE_COUNT, 9, 0, .cell = finalizers_only_cell},
	{"calls", "calls", "The function that it will call, if the executable is known", VALUE_TEXT, 0,
     0, .cell = finalizers_calls_cell, .wants = STAGE_NAMED, .absent = calls_unknown},
	{"function", "function", "The closure that will be called", VALUE_ADDRESS, 14, 3,
     FIELD(struct finalizer_record, function)},
	{"entry_pc", "entry", "Address of that function", VALUE_ADDRESS, 14, 3,
     FIELD(struct finalizer_record, entry_pc)},
	{"argument_type", "argument type",
     "The runtime's record of the type of the function's argument", VALUE_ADDRESS, 14, 4,
     FIELD(struct finalizer_record, argument_type)},
	{"object_type", "object type", "The runtime's record of the object's pointer type",
     VALUE_ADDRESS, 14, 4, FIELD(struct finalizer_record, object_type)},
	{OBJECT_OWNER, .width = 24, .rank = 5},
};

DEFINE_PLUGIN(tables, struct table, table_finalizers) = {
	.rank = 310,
	.name = "finalizers",
	.from = DAMAGE_FINALIZERS,
	.help = "The finalizers of objects, and those that are due or running",
	.argument = "[queued|registered]",
	.needs = STAGE_REVERSED,
	.parts = PART_GO,
	COLUMNS(columns),
	.open = finalizers_open,
	.record = finalizer_of,
	.entity = finalizers_entity,
};
