/* The table of an object's referrers: the roots and the objects that point to it. */
#include "table/columns.h"
#include "table/naming/argument.h"
#include "table/naming/holder.h"
#include "table/naming/root.h"
#include "table/naming/step.h"
#include "table/naming/typed.h"

#include "base/mem.h"

#include <inttypes.h>

struct holders {
	uint32_t id;
	struct ids roots, objects; /* rows: roots first */
};

static bool holders_open(struct rows *rows, const char *argument, struct err *err)
{
	const struct analysis *analysis = rows->analysis;
	struct holders *holders = rows->data = mem_alloc(sizeof *holders);
	if (!argument_object(analysis, argument, &holders->id, err))
		return false;
	holders->roots = reach_roots_of(analysis_reach(analysis), holders->id);
	holders->objects = heap_referrers(analysis_heap(analysis), holders->id);
	rows->count = holders->roots.count + holders->objects.count;
	buf_addf(&rows->title, "holders of 0x%" PRIx64,
	         heap_address(analysis_heap(analysis), holders->id));
	if (!rows->count)
		buf_add(&rows->note, "Nothing in the dump points to it.");
	return true;
}

static bool holders_is_root(const struct rows *rows, size_t row)
{
	return row < ((const struct holders *)rows->data)->roots.count;
}

/* Returns the index in objects of a row that is no root. */
static size_t object_place(const struct rows *rows, size_t row)
{
	const struct holders *holders = rows->data;
	return row - holders->roots.count;
}

/* Returns the object with the pointer of a row; OBJECT_NONE: it is a root. */
static uint32_t holders_object(const struct rows *rows, size_t row)
{
	const struct holders *holders = rows->data;
	return holders_is_root(rows, row) ? OBJECT_NONE : holders->objects.id[object_place(rows, row)];
}

static struct entity holders_entity(const struct rows *rows, size_t row)
{
	const struct holders *holders = rows->data;
	return holders_is_root(rows, row)
	           ? (struct entity){ENTITY_ROOT, holders->roots.id[row], 0}
	           : entity_of_object(holder_of(rows->analysis, holders_object(rows, row)));
}

/* Returns the offset of the pointer; UINT64_MAX: it is in a part of the row's object. */
static uint64_t offset_in(const struct rows *rows, size_t row)
{
	const struct holders *holders = rows->data;
	uint32_t id = holders_object(rows, row);
	return rows_object(rows, row) != id
	           ? UINT64_MAX
	           : reference_offset(analysis_heap(rows->analysis), id, holders->id,
	                              reference_rank(holders->objects, object_place(rows, row)));
}

/* Shows "main.Session.Next". */
static void holders_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct holders *holders = rows->data;
	uint32_t id = holders_object(rows, row);
	struct buf step = {0};
	if (id == OBJECT_NONE) {
		root_name_cell(rows, row, value);
		return;
	}
	struct buf *out = cell_begin(value);
	size_t nth = reference_rank(holders->objects, object_place(rows, row));
	if (holder_add_step(rows->analysis, id, holders->id, nth, &step)
	    || typed_add(rows->analysis, rows_object(rows, row), out))
		buf_add(out, buf_text(&step));
	buf_free(&step);
	cell_end(value);
}

static void holders_address_cell(const struct rows *rows, size_t row, struct value *value)
{
	(holders_is_root(rows, row) ? root_address_cell : object_address_cell)(rows, row, value);
}

static void holders_offset_cell(const struct rows *rows, size_t row, struct value *value)
{
	if (holders_is_root(rows, row))
		root_offset_cell(rows, row, value);
	else
		cell_offset(value, offset_in(rows, row));
}

static void holders_reachable_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct root *root = entity_root(rows->analysis, holders_entity(rows, row));
	if (root)
		cell_number(value, VALUE_BOOL, root_retains(root));
	else
		object_reachable_cell(rows, row, value);
}

static const struct column columns[] = {
	{"kind", "kind", "root or object", VALUE_TEXT, 6, 0, .cell = entity_word_cell},
	{"name", "held by", "The root, or the type and field of the object, that has the pointer",
     VALUE_TEXT, 0, 0, .cell = holders_name_cell, .wants = STAGE_TYPED},
	{"address", "address", "Address of the object; for a root, address of the pointer",
     VALUE_ADDRESS, 14, 0, .cell = holders_address_cell},
	{"offset", "offset", "Offset of the pointer in that object, frame or segment", VALUE_OFFSET, 10,
     1, .cell = holders_offset_cell, .parts = PART_MEMORY},
	{OBJECT_SIZE, .width = 9},
	{"reachable", "reachable",
     "Is that object reachable from a root in the dump? A weak root keeps nothing alive",
     VALUE_BOOL, 9, 1, .cell = holders_reachable_cell},
};

static const struct table table_holders = {
	.rank = 160,
	.name = "holders",
	.from = DAMAGE_ROOTS,
	.help = "The pointers to an object, one per row: first those of roots, then those of objects",
	.argument = "ADDR",
	.takes = TAKES_PLACE | TAKES_THIS_OBJECT,
	.needs = STAGE_REVERSED,
	.parts = PART_OBJECTS,
	COLUMNS(columns),
	.open = holders_open,
	.entity = holders_entity,
};
PLUGIN(tables, table_holders);
