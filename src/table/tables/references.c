/* The objects that an object points to. Its pointers are a list without an index, which may be
   millions long: marks are kept on the way, so that any row is found from the mark before it. */
#include "table/cell.h"
#include "table/columns.h"
#include "table/naming/argument.h"
#include "table/naming/step.h"

#include "analysis/preview.h"
#include "base/mem.h"
#include "base/number.h"

#include <stdlib.h>

enum { STEP = 1024 }; /* rows between two marks */

struct references {
	uint32_t id;
	struct object_record record;
	struct pointer_walk walk; /* positioned after `pointer` */
	struct pointer pointer;   /* of the row before `next` */
	size_t next;
	/* of rows 0, STEP, 2 * STEP ..., as far as the list has been read */
	struct pointer_walk *marks;
	size_t mark_count, mark_capacity;
};

static void references_close(struct rows *rows)
{
	struct references *references = rows->data;
	free(references->marks);
	free(references);
}

static struct reference references_at(const struct rows *rows, size_t row)
{
	const struct references *references = rows->data;
	return reference_at(analysis_heap(rows->analysis), references->id, row);
}

static struct entity references_entity(const struct rows *rows, size_t row)
{
	return entity_of_object(references_at(rows, row).target);
}

static bool references_open(struct rows *rows, const char *argument, struct err *err)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	struct references *references = rows->data = mem_alloc(sizeof *references);
	if (!argument_object(rows->analysis, argument, &references->id, err))
		return false;
	if (!heap_object(heap, references->id, &references->record))
		return err_set(err, "The dump file has changed: this object can no longer be read");
	pointer_walk_object(&references->walk, heap, &references->record);
	rows->count = reference_count(heap, references->id);
	buf_add(&rows->title, "references of ");
	number_add_hex(&rows->title, heap_address(heap, references->id));
	if (!rows->count)
		buf_add(&rows->note, "It points to no object; the table fields has what is in it.");
	return true;
}

/* Advances to the next pointer to an object. */
static void references_step(struct references *references)
{
	if (references->next == references->mark_count * STEP) {
		references->marks = mem_grow(references->marks, references->mark_count,
		                             &references->mark_capacity, sizeof *references->marks);
		references->marks[references->mark_count++] = references->walk;
	}
	while (pointer_walk_next(&references->walk, &references->pointer))
		if (references->pointer.target != OBJECT_NONE)
			break;
	references->next++;
}

/* Returns the pointer of a row. Continues from the last row, or from the last mark before the row
   if that is nearer. */
static const void *pointer_of(const struct rows *rows, size_t row)
{
	struct references *references = rows->data;
	if (references->walk.listed) { /* weak ones, too, which the walk leaves out */
		struct reference reference = references_at(rows, row);
		references->pointer = (struct pointer){
			PLACE_NUMBER | row, heap_address(analysis_heap(rows->analysis), reference.target),
			reference.target};
		return &references->pointer;
	}
	size_t mark = row / STEP, known = references->mark_count;
	if (known && mark >= known)
		mark = known - 1;
	if (known && (row + 1 < references->next || mark * STEP > references->next)) {
		references->walk = references->marks[mark];
		references->next = mark * STEP;
	}
	while (references->next <= row)
		references_step(references);
	return &references->pointer;
}

static void references_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	step_add_place(analysis_heap(rows->analysis), references_at(rows, row).place,
	               cell_begin(value));
	cell_end(value);
}

static void references_strength_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_text(value, strength_names[references_at(rows, row).strength]);
}

static void references_text_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct references *references = rows->data;
	const struct object_record *record = &references->record;
	if (!record->stored)
		return;
	const struct pointer *pointer = pointer_of(rows, row);
	struct preview_place place = {record->data, record->stored, pointer->offset + record->header};
	preview_pointer(analysis_heap(rows->analysis), &place, cell_begin(value));
	cell_end(value);
}

static const struct column columns[] = {
	{"address", "object", "The referenced object", VALUE_ADDRESS, 18, 0,
     .cell = object_address_cell},
	{"offset", "offset", "Offset of the pointer in this object", VALUE_OFFSET, 10, 0,
     FIELD(struct pointer, offset), .parts = PART_MEMORY},
	{"name", "field", "The field, element or variable of this object that has the reference",
     VALUE_TEXT, 0, 0, .cell = references_name_cell, .parts = PART_NAMES},
	{"strength", "strength",
     "strong; soft: it retains the object until memory is short; weak: it never does; ephemeron: "
     "only as long as the key of the entry lives, which has a strong reference of its own",
     VALUE_TEXT, 9, 0, .cell = references_strength_cell, .parts = PART_NAMES},
	{POINTER_TARGET, .width = 14, .rank = 1, FIELD(struct pointer, value), .parts = PART_MEMORY},
	{OBJECT_TYPE, .width = 22},
	{OBJECT_SIZE, .width = 9},
	{OBJECT_REACHABLE, .width = 9, .rank = 2},
	{POINTER_TEXT, .cell = references_text_cell, .parts = PART_MEMORY},
};

static const struct table table_references = {
	.rank = 140,
	.name = "references",
	.help = "The objects that an object references, one row per pointer",
	.argument = "ADDR",
	.takes = TAKES_PLACE | TAKES_THIS_OBJECT,
	.needs = STAGE_REACHED,
	.parts = PART_OBJECTS,
	COLUMNS(columns),
	.open = references_open,
	.record = pointer_of,
	.entity = references_entity,
	.close = references_close,
};
PLUGIN(tables, table_references);
