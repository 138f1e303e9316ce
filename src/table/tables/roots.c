/* The roots: pointers to objects from outside of the heap. */
#include "table/node.h"
#include "table/operand.h"
#include "table/root.h"

#include "base/text.h"
#include "table/typed.h"

#include <string.h>

enum { KIND, NAME, FLAGS, ADDRESS, TARGET, OBJECT, TYPE, SIZE, TEXT, RETAINED };

static const struct column columns[] = {
	[KIND] = {"kind", "kind",
			  "Of Go: data, bss, frame, finalizer, queued_finalizer, defer, panic or other; of a "
			  "GC log: internal, local, finalizer, gchandle, static, cfspecific or unknown",
			  VALUE_TEXT, 10, 0},
	[NAME] = {"name", "held by", "What holds the pointer", VALUE_TEXT, 0, 0},
	[FLAGS] = {"flags", "flags",
			   "Of a GC log: pinned, weak (keeps nothing alive), interior (a pointer into the "
			   "middle)",
			   VALUE_TEXT, 15, 0},
	[ADDRESS] = {"address", "address",
				 "Where in memory the pointer is; none for what only a record of the "
				 "dump tells",
				 VALUE_ADDRESS, 14, 2},
	[TARGET] = {"target", "target", "The pointer, as it is stored", VALUE_ADDRESS, 14, 0},
	[OBJECT] = {"object", "object", "The object that it points into", VALUE_ADDRESS, 14, 1},
	[TYPE] = {"type", "type", "Type of that object", VALUE_TEXT, 24, 1},
	[SIZE] = {"size", "size", "Bytes of that object", VALUE_BYTES, 9, 0},
	[TEXT] = {"text", "text", "Text or bytes that the pointer seems to point at; ~ marks a guess",
			  VALUE_TEXT, 24, 2},
	[RETAINED] = {"retained_bytes", "retained",
				  "Bytes that would be freed with the variable, slot, finalizer ... that holds "
				  "the pointer",
				  VALUE_BYTES, 9, 1},
};

static const enum stage column_needs[sizeof columns / sizeof *columns] = {
	[RETAINED] = STAGE_DOMINATED,
};

static const struct root *root_of(const struct rows *rows, size_t row)
{
	const struct root *first = rows->data;
	return first + row;
}

static bool select_kind(struct rows *rows, const char *name)
{
	const struct heap *heap = rows->analysis->heap;
	struct root_kinds kinds = heap_root_kinds(heap);
	for (int kind = kinds.first; kind < kinds.end; kind++) {
		if (strcmp(root_kind_names[kind], name) != 0)
			continue;
		rows->data = heap->roots + heap->root_kind_first[kind];
		rows->count = heap->root_kind_first[kind + 1] - heap->root_kind_first[kind];
		buf_addf(&rows->title, "%s roots", name);
		return true;
	}
	return false;
}

static bool fail_unknown(const struct heap *heap, const char *name, struct err *err)
{
	struct buf known = {0};
	struct root_kinds kinds = heap_root_kinds(heap);
	for (int kind = kinds.first; kind < kinds.end; kind++)
		buf_addf(&known, "%s%s", known.len ? ", " : "", root_kind_names[kind]);
	err_set(err, "\"%.40s\" is no global variable and no kind of root; there are %s", name,
			buf_text(&known));
	buf_free(&known);
	return false;
}

/* The roots in a global variable, or in what it points to outside of the heap: they stand
   together. */
static bool select_variable(struct rows *rows, const char *name, struct err *err)
{
	const struct heap *heap = rows->analysis->heap;
	struct operand operand;
	uint64_t address, size;
	uint32_t first;
	const char *at = name;
	struct err own = {0};
	if (!operand_read(rows->analysis, &at, &operand, &own)
		|| !operand_memory(rows->analysis, &operand, &address, &size)) {
		if (own.absent && err && !err->set)
			*err = own;
		return fail_unknown(heap, name, err);
	}
	rows->count = operand_roots(heap, address, size, &first);
	rows->data = heap->roots + first;
	buf_add(&rows->title, "roots in ");
	text_add_visible(&rows->title, name, strlen(name), SIZE_MAX);
	return true;
}

/* What a log lacks, and what Go's dumps lack: their roots have variables, whose types say more. */
static uint32_t hidden_columns(const struct heap *heap)
{
	return heap->listed ? 1U << ADDRESS | 1U << TARGET | 1U << TEXT : 1U << FLAGS | 1U << TYPE;
}

static bool roots_open(struct rows *rows, const char *argument, struct err *err)
{
	const struct heap *heap = rows->analysis->heap;
	rows->hidden = hidden_columns(heap);
	if (*argument) {
		if (!select_kind(rows, argument) && !select_variable(rows, argument, err))
			return false;
	} else {
		rows->data = heap->roots;
		rows->count = heap->root_count;
		buf_add(&rows->title, "all roots");
	}
	if (!rows->count)
		buf_add(&rows->note, "No pointer to an object is there; the table roots lists all there are.");
	return true;
}

static void roots_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	static const enum root_part parts[] = {
		[NAME] = ROOT_NAME,     [ADDRESS] = ROOT_ADDRESS, [TARGET] = ROOT_POINTER,
		[OBJECT] = ROOT_OBJECT, [SIZE] = ROOT_SIZE,       [TEXT] = ROOT_TEXT,
	};
	const struct root *root = root_of(rows, row);
	if (column == RETAINED)
		cell_retained_root(value, rows->analysis,
						   (uint32_t)(root - rows->analysis->heap->roots));
	else if (column == KIND)
		cell_text(value, root_kind_names[root->kind]);
	else if (column == FLAGS)
		cell_root_flags(value, root);
	else if (column == TYPE)
		cell_type(value, rows->analysis, root->target);
	else
		cell_root(value, rows->analysis, root, parts[column]);
}

static void roots_link(const struct rows *rows, size_t row, struct buf *command)
{
	link_object(rows->analysis->heap, root_of(rows, row)->target, command);
}

static uint64_t roots_address(const struct rows *rows, size_t row)
{
	return heap_address(rows->analysis->heap, root_of(rows, row)->target);
}

static void roots_close(struct rows *rows)
{
	rows->data = NULL; /* the heap's */
}

const struct table table_roots = {
	.name = "roots",
	.from = DAMAGE_ROOTS,
	.help = "The pointers to objects from outside of the heap: they keep alive what they lead to",
	.argument = "[KIND|VARIABLE]",
	.needs = STAGE_LINKED,
	.parts = HAS_OBJECTS,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.column_needs = column_needs,
	.open = roots_open,
	.cell = roots_cell,
	.link = roots_link,
	.address = roots_address,
	.close = roots_close,
	.sort = -1,
};
