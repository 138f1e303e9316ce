/* The objects that an object points to, or that all objects point to. The pointers of an object are
   a list without an index, which may be millions long: marks are kept on the way, so that any row
   is found from the mark before it. Of all objects, one at a time is open: that of the last row. */
#include "table/cell.h"
#include "table/columns.h"
#include "table/naming/argument.h"
#include "table/naming/step.h"

#include "analysis/preview.h"
#include "base/mem.h"
#include "base/number.h"
#include "format/format.h"
#include "heap/pointer_walk.h"

#include <stdlib.h>
#include <string.h>

enum { STEP = 1024 }; /* rows between two marks */

struct references {
	uint32_t id;         /* of the open object */
	size_t first, count; /* its rows */
	size_t found_row;    /* the last row that was asked for, and its reference */
	struct reference found;
	struct object_reader reader;
	struct object_record record;
	struct pointer_walk walk; /* positioned after `pointer` */
	struct pointer pointer;   /* of the row before `next` */
	size_t next;
	/* of its rows 0, STEP, 2 * STEP ..., as far as the list has been read */
	struct pointer_walk *marks;
	size_t mark_count, mark_capacity;
};

static void references_close(struct rows *rows)
{
	struct references *references = rows->data;
	free(references->marks);
}

/* Opens an object: reads it, and begins its list. False: the file has changed. */
static bool references_take(struct references *references, const struct heap *heap, uint32_t id)
{
	references->id = id;
	references->next = references->mark_count = 0;
	references->count = reference_count(heap, id);
	bool read = object_reader_read(&references->reader, id, &references->record);
	if (!read)
		references->record = (struct object_record){0};
	references->pointer = (struct pointer){UINT64_MAX, 0, OBJECT_NONE};
	pointer_walk_object(&references->walk, heap, &references->record);
	return read;
}

/* Opens the object of a row, and returns the number of the row in it. */
static size_t references_seek(const struct rows *rows, size_t row)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	struct references *references = rows->data;
	if (row - references->first < references->count)
		return row - references->first;
	uint32_t id = references->id + 1, count = heap_object_count(heap);
	bool follows = row && row == references->first + references->count;
	while (follows && id < count && !reference_count(heap, id))
		id++;
	if (!follows)
		id = reference_owner(heap, row);
	references->first = follows ? row : reference_count_before(heap, id);
	references_take(references, heap, id);
	return row - references->first;
}

static struct reference references_at(const struct rows *rows, size_t row)
{
	struct references *references = rows->data;
	if (references->found_row != row) {
		size_t number = references_seek(rows, row);
		references->found = reference_at(analysis_heap(rows->analysis), references->id, number);
		references->found_row = row;
	}
	return references->found;
}

static struct entity references_entity(const struct rows *rows, size_t row)
{
	return entity_of_object(references_at(rows, row).target);
}

static bool references_open(struct rows *rows, const char *argument, struct err *err)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	struct references *references = rows->data = mem_alloc(sizeof *references);
	references->reader.heap = heap;
	references->found_row = SIZE_MAX;
	if (strcmp(argument, "all") == 0) {
		rows->count = reference_count_before(heap, heap_object_count(heap));
		buf_add(&rows->title, "references of all objects");
		return true;
	}
	uint32_t id;
	if (!argument_object(rows->analysis, argument, &id, err))
		return false;
	if (!references_take(references, heap, id))
		return err_set(err, "The dump file has changed: this object can no longer be read");
	rows->count = references->count;
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
		MEM_PUSH(references->marks, references->mark_count, references->mark_capacity,
		         references->walk);
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
	size_t at = references_seek(rows, row);
	if (references->walk.listed) { /* weak ones, too, which the walk leaves out */
		struct reference reference = references_at(rows, row);
		references->pointer = (struct pointer){
			PLACE_NUMBER | at, heap_address(analysis_heap(rows->analysis), reference.target),
			reference.target};
		return &references->pointer;
	}
	size_t mark = at / STEP, known = references->mark_count;
	if (known && mark >= known)
		mark = known - 1;
	if (known && (at + 1 < references->next || mark * STEP > references->next)) {
		references->walk = references->marks[mark];
		references->next = mark * STEP;
	}
	while (references->next <= at)
		references_step(references);
	return &references->pointer;
}

static void references_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	step_add_place(analysis_heap(rows->analysis), references_at(rows, row).place,
	               cell_begin(value));
}

static void references_strength_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_text(value, strength_names[references_at(rows, row).strength]);
}

static void references_object_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct references *references = rows->data;
	references_seek(rows, row);
	cell_object(value, analysis_heap(rows->analysis), references->id);
}

static void references_text_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct references *references = rows->data;
	const struct pointer *pointer = pointer_of(rows, row);
	const struct object_record *record = &references->record;
	if (!record->stored)
		return;
	struct preview_place place = {record->data, record->stored, pointer->offset + record->header};
	preview_pointer(analysis_heap(rows->analysis), &place, cell_begin(value));
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
	{"object", "of", "The object that has the reference", VALUE_ADDRESS, 14, 3,
     .cell = references_object_cell, .on_request = true},
};

DEFINE_PLUGIN(tables, struct table, table_references) = {
	.rank = 140,
	.name = "references",
	.help = "The objects that an object references, one row per pointer",
	.argument = "ADDR|all",
	.takes = TAKES_PLACE | TAKES_THIS_OBJECT,
	.needs = STAGE_REACHED,
	.parts = PART_OBJECTS,
	COLUMNS(columns),
	.open = references_open,
	.record = pointer_of,
	.entity = references_entity,
	.close = references_close,
};
