/* What holds an object: the roots and the objects that point to it. */
#include "table/argument.h"
#include "table/columns.h"
#include "table/reference.h"
#include "table/root.h"
#include "table/step.h"
#include "table/typed.h"

#include "base/mem.h"

#include <inttypes.h>

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
	holders->roots = reach_roots_of(analysis->reach, holders->id);
	holders->objects = heap_referrers(analysis->heap, holders->id);
	rows->count = holders->roots.count + holders->objects.count;
	buf_addf(&rows->title, "holders of 0x%" PRIx64, heap_address(analysis->heap, holders->id));
	if (!rows->count)
		buf_add(&rows->note, "Nothing in the dump points to it.");
	return true;
}

/* NULL when the row is an object's. */
static const struct root *holders_root(const struct rows *rows, size_t row)
{
	const struct holders *holders = rows->data;
	return row < holders->roots.count ? &rows->analysis->heap->roots[holders->roots.id[row]] : NULL;
}

/* Which of the objects a row is. */
static size_t object_place(const struct rows *rows, size_t row)
{
	const struct holders *holders = rows->data;
	return row - holders->roots.count;
}

static uint32_t holders_object(const struct rows *rows, size_t row)
{
	const struct holders *holders = rows->data;
	return holders_root(rows, row) ? OBJECT_NONE : holders->objects.id[object_place(rows, row)];
}

static uint64_t offset_in(const struct rows *rows, size_t row)
{
	const struct holders *holders = rows->data;
	return reference_offset(rows->analysis->heap, holders_object(rows, row), holders->id,
	                        reference_rank(holders->objects, object_place(rows, row)));
}

static void holders_kind_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_text(value, holders_root(rows, row) ? "root" : "object");
}

/* "main.Session.Next" */
static void holders_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	uint32_t id = holders_object(rows, row);
	if (id == OBJECT_NONE) {
		root_name_cell(rows, row, value);
		return;
	}
	if (typed_add(rows->analysis, id, cell_begin(value)))
		step_add(rows->analysis, id, offset_in(rows, row), value->text);
	cell_end(value);
}

static void holders_address_cell(const struct rows *rows, size_t row, struct value *value)
{
	(holders_root(rows, row) ? root_address_cell : object_address_cell)(rows, row, value);
}

static void holders_offset_cell(const struct rows *rows, size_t row, struct value *value)
{
	if (holders_root(rows, row))
		root_offset_cell(rows, row, value);
	else
		cell_offset(value, offset_in(rows, row));
}

static void holders_reachable_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct root *root = holders_root(rows, row);
	if (root)
		cell_number(value, VALUE_BOOL, reach_root_retains(root));
	else
		object_reachable_cell(rows, row, value);
}

static const struct column columns[] = {
	{"kind", "kind", "root or object", VALUE_TEXT, 6, 0, .cell = holders_kind_cell},
	{"name", "held by", "What holds the pointer: the root, or type and field of the object",
     VALUE_TEXT, 0, 0, .cell = holders_name_cell, .wants = STAGE_TYPED},
	{"address", "address", "Of an object: its address; of a root: where in memory the pointer is",
     VALUE_ADDRESS, 18, 0, .cell = holders_address_cell},
	{"offset", "offset", "Where in that object, frame or segment the pointer is", VALUE_OFFSET, 10,
     0, .cell = holders_offset_cell, .absent = objects_are_of_log},
	{OBJECT_SIZE, .width = 9},
	{"reachable", "reachable",
     "Does a path lead to that object from a root of the dump? A weak root keeps nothing alive",
     VALUE_BOOL, 9, 1, .cell = holders_reachable_cell},
};

static void holders_link(const struct rows *rows, size_t row, struct buf *command)
{
	if (holders_root(rows, row))
		root_link(rows->analysis->heap, holders_root(rows, row), command);
	else
		link_object(rows->analysis->heap, holders_object(rows, row), command);
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
	.link = holders_link,
	.object = holders_object,
	.root = holders_root,
};
