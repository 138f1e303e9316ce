/* The table of roots: pointers to objects from outside of the heap. */
#include "table/columns.h"
#include "table/naming/argument.h"
#include "table/naming/operand.h"
#include "table/owners/node.h"

#include "base/text.h"
#include "format/format.h"
#include "heap/heap.h"
#include "heap/root.h"
#include "table/naming/typed.h"

#include <string.h>

static struct entity roots_entity(const struct rows *rows, size_t row)
{
	return entity_of_pointer(analysis_heap(rows->analysis), rows_record(rows, row));
}

static bool select_kind(struct rows *rows, const char *name)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	struct root_kinds kinds = heap_root_kinds(heap);
	for (int kind = kinds.first; kind < kinds.end; kind++) {
		const char *word = heap_root_kind(heap, kind);
		if (!word || strcmp(word, name) != 0)
			continue;
		rows->data = heap->roots + heap->root_kind_first[kind];
		rows->count = heap_root_count(heap, (enum root_kind)kind);
		buf_addf(&rows->title, "%s roots", name);
		return true;
	}
	return false;
}

/* Returns true for a variable that is not in the segments of the dump, as it has no pointers. */
static bool root_never_in(const struct rows *rows, const struct operand *operand)
{
	const char *name;
	uint64_t offset;
	const struct datum *place = &operand->value.place;
	return operand->kind == OPERAND_VALUE && place->object == OBJECT_NONE
	       && names_variable(analysis_names(rows->analysis), place->address, &name, &offset);
}

/* Selects the roots in a global variable, or in the static memory that it points to; they are
   consecutive. */
static bool select_variable(struct rows *rows, const char *name, struct err *err)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	struct operand operand;
	uint64_t address, size;
	uint32_t first;
	const char *at = name;
	struct err own = {0};
	bool read = operand_read(rows->analysis, &at, &operand, &own);
	bool recorded = read && operand_memory(rows->analysis, &operand, &address, &size);
	if (!recorded && !(read && root_never_in(rows, &operand))) {
		if (own.absent && err && !err->set)
			*err = own;
		SCOPED_BUF known = {0};
		struct root_kinds kinds = heap_root_kinds(heap);
		for (int kind = kinds.first; kind < kinds.end; kind++)
			if (heap_root_kind(heap, kind))
				buf_addf(&known, "%s%s", known.len ? ", " : "", heap_root_kind(heap, kind));
		operand_add_nameless(rows->analysis, &known);
		err_set(err, "\"%.40s\" is no global variable and no kind of root; there are %s", name,
		        buf_text(&known));
		return argument_unknown(heap, DAMAGE_ROOTS, err);
	}
	rows->count = recorded ? operand_roots(heap, address, size, &first) : 0;
	rows->data = recorded ? heap->roots + first : heap->roots;
	buf_add(&rows->title, "roots in ");
	text_add_escaped(&rows->title, name, strlen(name), SIZE_MAX);
	return true;
}

static bool roots_open(struct rows *rows, const char *argument, struct err *err)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	if (*argument) {
		if (!select_kind(rows, argument) && !select_variable(rows, argument, err))
			return false;
	} else {
		rows->data = heap->roots;
		rows->count = heap->root_count;
		buf_add(&rows->title, "all roots");
	}
	return true;
}

static void roots_kind_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct root *root = rows_record(rows, row);
	cell_text(value, heap_root_kind(analysis_heap(rows->analysis), root->kind));
}

static void roots_retained_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct root *root = rows_record(rows, row);
	cell_retained_root(value, rows->analysis,
	                   (uint32_t)(root - analysis_heap(rows->analysis)->roots));
}

static void roots_type_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct root *root = rows_record(rows, row);
	cell_type(value, rows->analysis, root->target);
}

static const struct column columns[] = {
	{"kind", "kind",
     "Of Go: data, bss, frame, finalizer, queued_finalizer, defer, panic or other, of a core file "
     "cleanup and weak_handle, too; of a GC log: "
     "internal, local, finalizer, gchandle, static, cfspecific or unknown; "
     "of a heap snapshot of V8: user, handle, stack or internal",
     VALUE_TEXT, 10, 0, .cell = roots_kind_cell},
	{"name", "held by", "The variable, slot, finalizer ... with the pointer", VALUE_TEXT, 0, 0,
     .cell = root_name_cell, .wants = STAGE_TYPED},
	{"flags", "flags",
     "Of a GC log or a heap snapshot: pinned, weak (keeps nothing alive), interior (a pointer into "
     "the middle)",
     VALUE_TEXT, 15, 1, .cell = root_flags_cell, .parts = PART_WEAK},
	{"type", "type", "Type of the object that it points into", VALUE_TEXT, 20, 0,
     .cell = roots_type_cell, .wants = STAGE_TYPED},
	{OBJECT_SIZE, .width = 9, .rank = 1},
	{"retained_bytes", "retained",
     "Bytes that would be freed without the variable, slot, finalizer ... with the pointer",
     VALUE_BYTES, 9, 0, .cell = roots_retained_cell, .stages = STAGE_DOMINATED},
	{POINTER_TEXT, .width = 24, .rank = 2, .cell = root_text_cell, .parts = PART_MEMORY},
	{POINTER_OBJECT, .width = 14, .rank = 2},
	{"address", "held at",
     "Address of the pointer; none for roots that are only a record in the dump", VALUE_ADDRESS, 14,
     3, .cell = root_address_cell, .parts = PART_MEMORY},
	{POINTER_TARGET, .width = 14, .rank = 4, .cell = root_target_cell, .parts = PART_MEMORY},
	{VARIABLE_USER, .width = 30, .rank = 5, .cell = root_user_cell, .parts = PART_MEMORY},
	{VARIABLE_KNOWN, .width = 8, .rank = 5, .cell = root_variable_known_cell, .parts = PART_MEMORY},
};

static void roots_close(struct rows *rows)
{
	rows->data = NULL; /* the heap owns it */
}

DEFINE_PLUGIN(tables, struct table, table_roots) = {
	.rank = 280,
	.name = "roots",
	.from = DAMAGE_ROOTS,
	.help = "The GC roots: pointers to objects from outside of the heap, which keep alive all "
			"that is reachable from them",
	.argument = "[KIND|VARIABLE]",
	.takes = TAKES_PLACE | TAKES_ROOTS,
	.needs = STAGE_LINKED,
	.wants = STAGE_NAMED,
	.parts = PART_OBJECTS,
	COLUMNS(columns),
	.open = roots_open,
	.none = "No pointer to an object is there; the table roots lists all there are.",
	RECORD_ARRAY(struct root),
	.entity = roots_entity,
	.close = roots_close,
};
