/* The tables of the pointers to an object: `holders` with those of roots, `referrers` without. */
#include "table/columns.h"
#include "table/naming/argument.h"
#include "table/naming/holder.h"
#include "table/naming/step.h"
#include "table/naming/typed.h"

#include "base/mem.h"
#include "format/format.h"

#include <inttypes.h>
#include <stdlib.h>

/* The rows are roots, then references that retain the object, then weak ones. */
struct holders {
	uint32_t id;
	struct ids roots, objects;
	struct weak_reference *weak; /* owned */
	size_t weak_count;
};

static void holders_close(struct rows *rows)
{
	struct holders *holders = rows->data;
	free(holders->weak);
}

static bool holders_begin(struct rows *rows, const char *argument, bool with_roots, struct err *err)
{
	const struct analysis *analysis = rows->analysis;
	const struct heap *heap = analysis_heap(analysis);
	struct holders *holders = rows->data = mem_alloc(sizeof *holders);
	if (!argument_object(analysis, argument, &holders->id, err))
		return false;
	if (with_roots)
		holders->roots = reach_roots_of(analysis_reach(analysis), holders->id);
	holders->objects = heap_referrers(heap, holders->id);
	holders->weak = heap_weak_references_to(heap, holders->id, &holders->weak_count);
	rows->count = holders->roots.count + holders->objects.count + holders->weak_count;
	buf_addf(&rows->title, "%s of 0x%" PRIx64, with_roots ? "holders" : "referrers",
	         heap_address(heap, holders->id));
	return true;
}

static bool holders_open(struct rows *rows, const char *argument, struct err *err)
{
	return holders_begin(rows, argument, true, err);
}

static bool referrers_open(struct rows *rows, const char *argument, struct err *err)
{
	return holders_begin(rows, argument, false, err);
}

static bool holders_is_root(const struct rows *rows, size_t row)
{
	return row < ((const struct holders *)rows->data)->roots.count;
}

/* Returns the weak reference of a row, or NULL. */
static const struct weak_reference *holders_weak(const struct rows *rows, size_t row)
{
	const struct holders *holders = rows->data;
	size_t strong = holders->roots.count + holders->objects.count;
	return row < strong ? NULL : &holders->weak[row - strong];
}

/* Returns the object with the pointer of a row; OBJECT_NONE: it is a root. */
static uint32_t holders_object(const struct rows *rows, size_t row)
{
	const struct holders *holders = rows->data;
	const struct weak_reference *weak = holders_weak(rows, row);
	if (weak)
		return weak->from;
	return holders_is_root(rows, row) ? OBJECT_NONE
	                                  : holders->objects.id[row - holders->roots.count];
}

static struct entity holders_entity(const struct rows *rows, size_t row)
{
	const struct holders *holders = rows->data;
	return holders_is_root(rows, row)
	           ? (struct entity){ENTITY_ROOT, holders->roots.id[row], 0}
	           : entity_of_object(holder_of(rows->analysis, holders_object(rows, row)));
}

/* Returns the number of a row that is no weak reference among those from its object. */
static size_t holders_rank(const struct rows *rows, size_t row)
{
	const struct holders *holders = rows->data;
	return reference_rank(holders->objects, row - holders->roots.count);
}

/* Returns the reference of a row that is no root; for formats that name references. */
static struct reference holders_reference(const struct rows *rows, size_t row)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	const struct holders *holders = rows->data;
	const struct weak_reference *weak = holders_weak(rows, row);
	uint32_t from = holders_object(rows, row);
	struct reference reference = {holders->id, PLACE_NONE, STRENGTH_STRONG};
	if (weak)
		return (struct reference){holders->id, weak->place, (enum strength)weak->strength};
	reference_numbered(
		heap, from, reference_offset(heap, from, holders->id, holders_rank(rows, row)), &reference);
	return reference;
}

/* Appends the field, element or entry that has the pointer. Returns true if the name of a variable
   comes first. */
static bool holders_add_step(const struct rows *rows, size_t row, struct buf *out)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	const struct holders *holders = rows->data;
	if (!heap_has(heap, PART_NAMES))
		return holder_add_step(rows->analysis, holders_object(rows, row), holders->id,
		                       holders_rank(rows, row), out);
	step_add_place(heap, holders_reference(rows, row).place, out);
	return false;
}

/* Shows "main.Session.Next". */
static void holders_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	SCOPED_BUF step = {0};
	if (holders_is_root(rows, row)) {
		root_name_cell(rows, row, value);
		return;
	}
	struct buf *out = cell_begin(value);
	if (holders_add_step(rows, row, &step)
	    || typed_add(rows->analysis, rows_object(rows, row), out))
		buf_add(out, buf_text(&step));
}

static void referrers_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	holders_add_step(rows, row, cell_begin(value));
}

static void holders_address_cell(const struct rows *rows, size_t row, struct value *value)
{
	(holders_is_root(rows, row) ? root_address_cell : object_address_cell)(rows, row, value);
}

/* Shows nothing if a part of the row's object has the pointer, or if references have no offsets. */
static void holders_offset_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct holders *holders = rows->data;
	uint32_t id = holders_object(rows, row);
	if (holders_is_root(rows, row))
		root_offset_cell(rows, row, value);
	else if (!holders_weak(rows, row) && rows_object(rows, row) == id)
		cell_offset(value, reference_offset(analysis_heap(rows->analysis), id, holders->id,
		                                    holders_rank(rows, row)));
}

static void holders_strength_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct root *root = entity_root(rows->analysis, holders_entity(rows, row));
	if (!heap_has(analysis_heap(rows->analysis), PART_NAMES))
		return; /* all are strong */
	enum strength of_root = root && !root_retains(root) ? STRENGTH_WEAK : STRENGTH_STRONG;
	cell_text(value, strength_names[root ? of_root : holders_reference(rows, row).strength]);
}

static void holders_reachable_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct root *root = entity_root(rows->analysis, holders_entity(rows, row));
	if (root)
		cell_number(value, VALUE_BOOL, root_retains(root));
	else
		object_reachable_cell(rows, row, value);
}

#define HOLDER_STRENGTH                                                                         \
	"strength", "strength",                                                                     \
		"strong; soft, weak or ephemeron as in the table references: a weak one keeps nothing " \
		"alive",                                                                                \
		VALUE_TEXT, 9, 0, .cell = holders_strength_cell, .parts = PART_NAMES

static const struct column holders_columns[] = {
	{"kind", "kind", "root or object", VALUE_TEXT, 6, 0, .cell = entity_word_cell},
	{"name", "held by", "The root, or the type and field of the object, that has the pointer",
     VALUE_TEXT, 0, 0, .cell = holders_name_cell, .wants = STAGE_TYPED},
	{"address", "address", "Address of the object; for a root, address of the pointer",
     VALUE_ADDRESS, 14, 0, .cell = holders_address_cell},
	{"offset", "offset", "Offset of the pointer in that object, frame or segment", VALUE_OFFSET, 10,
     1, .cell = holders_offset_cell, .parts = PART_MEMORY},
	{HOLDER_STRENGTH},
	{OBJECT_SIZE, .width = 9},
	{"reachable", "reachable",
     "Is that object reachable from a root in the dump? A weak root keeps nothing alive",
     VALUE_BOOL, 9, 1, .cell = holders_reachable_cell},
};

static const struct column referrers_columns[] = {
	{"address", "referrer",
     "The object that references it; for a part of a map, channel or slice, the object that has "
     "the map, channel or slice",
     VALUE_ADDRESS, 14, 0, .cell = object_address_cell},
	{"offset", "offset",
     "Offset of the pointer in that object; empty if a part of it has the "
     "pointer",
     VALUE_OFFSET, 12, 1, .cell = holders_offset_cell, .parts = PART_MEMORY},
	{OBJECT_TYPE, .width = 24},
	{"name", "as", "The field, element or entry that has the pointer", VALUE_TEXT, 0, 0,
     .cell = referrers_name_cell, .wants = STAGE_TYPED},
	{HOLDER_STRENGTH},
	{OBJECT_SIZE, .width = 9},
	{OBJECT_REACHABLE, .width = 9, .rank = 2},
};

DEFINE_PLUGIN(tables, struct table, table_referrers) = {
	.rank = 150,
	.name = "referrers",
	.help = "The objects that reference an object, one row per pointer",
	.argument = "ADDR",
	.takes = TAKES_PLACE | TAKES_THIS_OBJECT,
	.needs = STAGE_REVERSED,
	.parts = PART_OBJECTS,
	COLUMNS(referrers_columns),
	.open = referrers_open,
	.none = "No object references it; the table referrers by root shows the roots that do.",
	.entity = holders_entity,
	.style = style_reachable,
	.close = holders_close,
};

DEFINE_PLUGIN(tables, struct table, table_holders) = {
	.rank = 160,
	.name = "referrers-root",
	.form_of = "referrers",
	.former = "holders",
	.from = DAMAGE_ROOTS,
	.help = "The pointers to an object, one per row: first those of roots, then those of objects",
	.argument = "ADDR",
	.takes = TAKES_PLACE | TAKES_THIS_OBJECT,
	.needs = STAGE_REVERSED,
	.parts = PART_OBJECTS,
	COLUMNS(holders_columns),
	.open = holders_open,
	.none = "Neither an object nor a root of the dump points to it.",
	.entity = holders_entity,
	.close = holders_close,
};
