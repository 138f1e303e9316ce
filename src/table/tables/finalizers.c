/* The finalizers: those that objects have, and those that are due. */
#include "table/argument.h"
#include "table/cell.h"
#include "table/typed.h"

#include "base/mem.h"
#include "base/text.h"

#include <string.h>

enum {
	OBJECT, TYPE, QUEUED, SIZE, REACHABLE, REFERENCES, ONLY, CALLS, FUNCTION, ENTRY, ARGUMENT_TYPE,
	OBJECT_TYPE
};
enum { NAME_LIMIT = 200 };

static const struct column columns[] = {
	[OBJECT] = {"object", "object", "The object that has it", VALUE_ADDRESS, 14, 0},
	[TYPE] = {"type", "type", "Its type; after ~ only what it looks like", VALUE_TEXT, 20, 1},
	[QUEUED] = {"queued", "queued", "Is it due, or running? The object was not reachable then",
				VALUE_BOOL, 6, 0},
	[SIZE] = {"size", "size", "Bytes of the object", VALUE_BYTES, 9, 0},
	[REACHABLE] = {"reachable", "reachable",
				   "Does a path lead to the object from a root of the dump?", VALUE_BOOL, 9, 0},
	[REFERENCES] = {"references", "refers to",
					"Pointers in it to objects: these live until the finalizer has run", VALUE_COUNT,
					9, 1},
	[ONLY] = {"only", "only here",
			  "How many of these nothing else points to: the finalizer alone keeps them, and what "
			  "hangs on them; none where a root leads to the object itself",
			  VALUE_COUNT, 9, 0},
	[CALLS] = {"calls", "calls", "The function that will be called, by the executable", VALUE_TEXT, 0,
			   0},
	[FUNCTION] = {"function", "function", "The closure that will be called", VALUE_ADDRESS, 14, 3},
	[ENTRY] = {"entry_pc", "entry", "Where that function begins in the code", VALUE_ADDRESS, 14, 3},
	[ARGUMENT_TYPE] = {"argument_type", "argument type",
					   "The runtime's record of the type of the function's "
					   "argument",
					   VALUE_ADDRESS, 14, 4},
	[OBJECT_TYPE] = {"object_type", "object type", "The same of the object's pointer type",
					 VALUE_ADDRESS, 14, 4},
};

static const enum stage column_needs[sizeof columns / sizeof *columns] = {
	[TYPE] = STAGE_TYPED,
};

static const struct finalizer_record *finalizer_of(const struct rows *rows, size_t row)
{
	return &rows->analysis->heap->finalizers[rows_id(rows, row)];
}

static void select_queued(struct rows *rows, bool queued)
{
	const struct heap *heap = rows->analysis->heap;
	uint32_t *ids = rows->data = mem_alloc(heap->finalizer_count * sizeof *ids);
	for (uint32_t i = 0; i < heap->finalizer_count; i++)
		if (heap->finalizers[i].queued == queued)
			ids[rows->count++] = i;
}

static bool finalizers_open(struct rows *rows, const char *argument, struct err *err)
{
	bool queued = strcmp(argument, "queued") == 0;
	if (*argument && !queued && strcmp(argument, "registered") != 0)
		return err_set(err, "Finalizers can be selected by queued or registered");
	if (*argument)
		select_queued(rows, queued);
	else
		rows->count = rows->analysis->heap->finalizer_count;
	const struct names *names = analysis_names(rows->analysis);
	rows->hidden = names && names->exe ? 0 : 1U << CALLS;
	buf_addf(&rows->title, "%s finalizers", *argument ? argument : "all");
	if (!rows->count)
		buf_add(&rows->note, queued ? "No finalizer is due." : "No object has a finalizer.");
	return true;
}

static bool only_finalizers_point_to(const struct analysis *analysis, uint32_t id)
{
	struct ids roots = reach_roots_of(analysis->reach, id);
	for (size_t i = 0; i < roots.count; i++) {
		uint8_t kind = analysis->heap->roots[roots.id[i]].kind;
		if (kind != ROOT_FINALIZER && kind != ROOT_QUEUED_FINALIZER)
			return false;
	}
	return true;
}

/* Objects that `id` points to and no other object does. An object that a root leads to keeps its
   own. */
static uint64_t count_kept(const struct analysis *analysis, uint32_t id, bool queued)
{
	struct ids ids = heap_references(analysis->heap, id);
	uint64_t kept = 0;
	if (reach_has(analysis->reach, id) && !queued)
		return 0;
	for (size_t i = 0; i < ids.count; i++)
		kept += heap_referrers(analysis->heap, ids.id[i]).count == 1 &&
				only_finalizers_point_to(analysis, ids.id[i]);
	return kept;
}

static void cell_calls(struct value *value, const struct analysis *analysis, uint64_t pc)
{
	const char *name;
	if (!names_function(analysis_names(analysis), pc, &name))
		return;
	text_add_visible(cell_begin(value), name, strlen(name), NAME_LIMIT);
	cell_end(value);
}

static void finalizers_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	const struct analysis *analysis = rows->analysis;
	const struct finalizer_record *finalizer = finalizer_of(rows, row);
	uint32_t id = heap_find(analysis->heap, finalizer->object);
	switch (column) {
	case OBJECT:
		cell_number(value, VALUE_ADDRESS, finalizer->object);
		break;
	case TYPE:
		cell_type(value, analysis, id);
		break;
	case QUEUED:
		cell_number(value, VALUE_BOOL, finalizer->queued);
		break;
	case SIZE:
		cell_object_size(value, analysis->heap, id);
		break;
	case REACHABLE:
		cell_reachable(value, analysis, id);
		break;
	case REFERENCES:
		if (id != OBJECT_NONE)
			cell_number(value, VALUE_COUNT, heap_references(analysis->heap, id).count);
		break;
	case ONLY:
		if (id != OBJECT_NONE)
			cell_number(value, VALUE_COUNT, count_kept(analysis, id, finalizer->queued));
		break;
	case CALLS:
		cell_calls(value, analysis, finalizer->entry_pc);
		break;
	case FUNCTION:
		cell_number(value, VALUE_ADDRESS, finalizer->function);
		break;
	case ENTRY:
		cell_number(value, VALUE_ADDRESS, finalizer->entry_pc);
		break;
	case ARGUMENT_TYPE:
		cell_number(value, VALUE_ADDRESS, finalizer->argument_type);
		break;
	case OBJECT_TYPE:
		cell_number(value, VALUE_ADDRESS, finalizer->object_type);
		break;
	}
}

static void finalizers_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct heap *heap = rows->analysis->heap;
	link_object(heap, heap_find(heap, finalizer_of(rows, row)->object), command);
}

static uint64_t finalizers_address(const struct rows *rows, size_t row)
{
	return finalizer_of(rows, row)->object;
}

const struct table table_finalizers = {
	.name = "finalizers",
	.from = DAMAGE_FINALIZERS,
	.help = "The finalizers: those that objects have, and those that are due or running",
	.argument = "[queued|registered]",
	.needs = STAGE_REVERSED,
	.parts = HAS_RUNTIME,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.column_needs = column_needs,
	.open = finalizers_open,
	.cell = finalizers_cell,
	.link = finalizers_link,
	.address = finalizers_address,
	.sort = -1,
};
