/* What holds an object: the roots and the objects that point to it. */
#include "table/argument.h"
#include "table/reference.h"
#include "table/root.h"
#include "table/step.h"
#include "table/typed.h"

#include "base/mem.h"

#include <inttypes.h>

enum { KIND, NAME, ADDRESS, OFFSET, SIZE, REACHABLE };

static const struct column columns[] = {
	[KIND] = {"kind", "kind", "root or object", VALUE_TEXT, 6, 0},
	[NAME] = {"name", "held by", "What holds the pointer: the root, or type and field of the object",
			  VALUE_TEXT, 0, 0},
	[ADDRESS] = {"address", "address",
				 "Of an object: its address; of a root: where in memory the pointer is",
				 VALUE_ADDRESS, 18, 0},
	[OFFSET] = {"offset", "offset", "Where in that object, frame or segment the pointer is",
				VALUE_OFFSET, 10, 0},
	[SIZE] = {"size", "size", "Bytes of that object", VALUE_BYTES, 9, 0},
	[REACHABLE] = {"reachable", "reachable",
				   "Does a path lead to that object from a root of the dump? A weak root keeps "
				   "nothing alive",
				   VALUE_BOOL, 9, 1},
};

struct holders {
	uint32_t id;
	struct ids roots, objects; /* rows: first the roots */
};

static bool holders_open(struct rows *rows, const char *argument, struct err *err)
{
	const struct analysis *analysis = rows->analysis;
	struct holders *holders = rows->data = mem_alloc(sizeof *holders);
	if (!argument_object(analysis, argument, &holders->id, err))
		return false;
	rows->hidden = analysis->heap->listed ? 1U << OFFSET : 0;
	holders->roots = reach_roots_of(analysis->reach, holders->id);
	holders->objects = heap_referrers(analysis->heap, holders->id);
	rows->count = holders->roots.count + holders->objects.count;
	buf_addf(&rows->title, "holders of 0x%" PRIx64, heap_address(analysis->heap, holders->id));
	if (!rows->count)
		buf_add(&rows->note, "Nothing in the dump points to it.");
	return true;
}

static void root_holder_cell(const struct analysis *analysis, const struct root *root, int column,
							 struct value *value)
{
	switch (column) {
	case KIND:
		cell_text(value, "root");
		break;
	case NAME:
		cell_root(value, analysis, root, ROOT_NAME);
		break;
	case ADDRESS:
		cell_root(value, analysis, root, ROOT_ADDRESS);
		break;
	case OFFSET:
		cell_root(value, analysis, root, ROOT_OFFSET);
		break;
	case REACHABLE:
		cell_number(value, VALUE_BOOL, reach_root_retains(root));
		break;
	}
}

static uint64_t offset_in(const struct heap *heap, const struct holders *holders, size_t at)
{
	return reference_offset(heap, holders->objects.id[at], holders->id,
							reference_rank(holders->objects, at));
}

/* "main.Session.Next" */
static void cell_holder_field(struct value *value, const struct analysis *analysis,
							  const struct holders *holders, size_t at)
{
	uint32_t id = holders->objects.id[at];
	if (typed_add(analysis, id, cell_begin(value)))
		step_add(analysis, id, offset_in(analysis->heap, holders, at), value->text);
	cell_end(value);
}

static void object_holder_cell(const struct rows *rows, size_t at, int column, struct value *value)
{
	const struct analysis *analysis = rows->analysis;
	const struct holders *holders = rows->data;
	uint32_t id = holders->objects.id[at];
	uint64_t offset;
	switch (column) {
	case KIND:
		cell_text(value, "object");
		break;
	case NAME:
		cell_holder_field(value, analysis, holders, at);
		break;
	case ADDRESS:
		cell_object(value, analysis->heap, id);
		break;
	case OFFSET:
		offset = offset_in(analysis->heap, holders, at);
		if (offset != UINT64_MAX)
			cell_number(value, VALUE_OFFSET, offset);
		break;
	case SIZE:
		cell_object_size(value, analysis->heap, id);
		break;
	case REACHABLE:
		cell_reachable(value, analysis, id);
		break;
	}
}

/* NULL when the row is an object's. */
static const struct root *root_of(const struct rows *rows, size_t row)
{
	const struct holders *holders = rows->data;
	return row < holders->roots.count ? &rows->analysis->heap->roots[holders->roots.id[row]] : NULL;
}

static uint32_t holder_of(const struct rows *rows, size_t row)
{
	const struct holders *holders = rows->data;
	return holders->objects.id[row - holders->roots.count];
}

static void holders_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	const struct holders *holders = rows->data;
	if (root_of(rows, row))
		root_holder_cell(rows->analysis, root_of(rows, row), column, value);
	else
		object_holder_cell(rows, row - holders->roots.count, column, value);
}

static void holders_link(const struct rows *rows, size_t row, struct buf *command)
{
	if (root_of(rows, row))
		root_link(rows->analysis->heap, root_of(rows, row), command);
	else
		link_object(rows->analysis->heap, holder_of(rows, row), command);
}

static uint64_t holders_address(const struct rows *rows, size_t row)
{
	return root_of(rows, row) ? 0 : heap_address(rows->analysis->heap, holder_of(rows, row));
}

const struct table table_holders = {
	.name = "holders",
	.from = DAMAGE_ROOTS,
	.help = "What points to an object, one row a pointer: roots, then objects",
	.argument = "ADDR",
	.needs = STAGE_REVERSED,
	.parts = HAS_OBJECTS,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.open = holders_open,
	.cell = holders_cell,
	.link = holders_link,
	.address = holders_address,
	.sort = -1,
};
