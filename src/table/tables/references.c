/* The objects that an object points to. Its pointers are a list without an index, which may be
   millions long: marks are kept on the way, so that any row is found from the mark before it. */
#include "table/argument.h"
#include "table/typed.h"

#include "analysis/preview.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ADDRESS, OFFSET, TARGET, TYPE, SIZE, REACHABLE, TEXT };

static const struct column columns[] = {
	[ADDRESS] = {"address", "object", "The object that it points to", VALUE_ADDRESS, 18, 0},
	[OFFSET] = {"offset", "offset", "Where in this object the pointer is", VALUE_OFFSET, 10, 0},
	[TARGET] = {"target", "target", "The pointer, as it is stored", VALUE_ADDRESS, 14, 1},
	[TYPE] = {"type", "type", "Type of that object", VALUE_TEXT, 22, 0},
	[SIZE] = {"size", "size", "Bytes of the object that it points to", VALUE_BYTES, 9, 0},
	[REACHABLE] = {"reachable", "reachable",
				   "Does a path lead to that object from a root of the dump?", VALUE_BOOL, 9, 2},
	[TEXT] = {"text", "text", "Text or bytes that the pointer seems to point at; ~ marks a guess",
			  VALUE_TEXT, 0, 0},
};

enum { STEP = 1024 }; /* rows between marks */

struct references {
	uint32_t id;
	struct object_record record;
	struct pointer_walk walk; /* after `pointer` */
	struct pointer pointer;   /* of the row before `next` */
	size_t next;
	struct pointer_walk *marks; /* of the rows 0, STEP, 2 * STEP ... as far as anyone has walked */
	size_t mark_count, mark_capacity;
};

static void references_close(struct rows *rows)
{
	struct references *references = rows->data;
	free(references->marks);
	free(references);
}

static bool references_open(struct rows *rows, const char *argument, struct err *err)
{
	const struct heap *heap = rows->analysis->heap;
	struct references *references = rows->data = mem_alloc(sizeof *references);
	if (!argument_object(rows->analysis, argument, &references->id, err))
		return false;
	if (!heap_object(heap, references->id, &references->record))
		return err_set(err, "The dump has changed: this object cannot be read any more");
	pointer_walk_object(&references->walk, heap, &references->record);
	rows->hidden = heap->listed ? 1U << OFFSET | 1U << TARGET | 1U << TEXT : 0;
	if (!typed_any(rows->analysis))
		rows->hidden |= 1U << TYPE;
	rows->count = heap_references(heap, references->id).count;
	buf_addf(&rows->title, "references of 0x%" PRIx64, heap_address(heap, references->id));
	if (!rows->count)
		buf_add(&rows->note, "It points to no object; the table fields has what is in it.");
	return true;
}

/* To the next pointer that leads to an object. */
static void step(struct references *references)
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

/* Goes on from where the last row was, or from the last mark before the row when that is nearer. */
static const struct pointer *pointer_of(const struct rows *rows, size_t row)
{
	struct references *references = rows->data;
	size_t mark = row / STEP, known = references->mark_count;
	if (known && mark >= known)
		mark = known - 1;
	if (known && (row + 1 < references->next || mark * STEP > references->next)) {
		references->walk = references->marks[mark];
		references->next = mark * STEP;
	}
	while (references->next <= row)
		step(references);
	return &references->pointer;
}

static void cell_target_text(struct value *value, const struct rows *rows,
							 const struct pointer *pointer)
{
	const struct references *references = rows->data;
	const struct object_record *record = &references->record;
	if (!record->stored)
		return;
	struct preview_place place = {record->data, record->stored, pointer->offset + record->header};
	preview_pointer(rows->analysis->heap, &place, cell_begin(value));
	cell_end(value);
}

static void references_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	const struct analysis *analysis = rows->analysis;
	const struct references *references = rows->data;
	uint32_t id = heap_references(analysis->heap, references->id).id[row];
	switch (column) {
	case ADDRESS:
		cell_object(value, analysis->heap, id);
		break;
	case OFFSET:
		if (pointer_of(rows, row)->offset != UINT64_MAX)
			cell_number(value, VALUE_OFFSET, pointer_of(rows, row)->offset);
		break;
	case TARGET:
		cell_number(value, VALUE_ADDRESS, pointer_of(rows, row)->value);
		break;
	case TYPE:
		cell_type(value, analysis, id);
		break;
	case SIZE:
		cell_object_size(value, analysis->heap, id);
		break;
	case REACHABLE:
		cell_reachable(value, analysis, id);
		break;
	case TEXT:
		cell_target_text(value, rows, pointer_of(rows, row));
		break;
	}
}

static uint64_t references_address(const struct rows *rows, size_t row)
{
	const struct references *references = rows->data;
	return heap_address(rows->analysis->heap,
						heap_references(rows->analysis->heap, references->id).id[row]);
}

static void references_link(const struct rows *rows, size_t row, struct buf *command)
{
	buf_addf(command, "object 0x%" PRIx64, references_address(rows, row));
}

const struct table table_references = {
	.name = "references",
	.help = "The objects that an object points to, one row a pointer",
	.argument = "ADDR",
	.needs = STAGE_REACHED,
	.parts = HAS_OBJECTS,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.open = references_open,
	.cell = references_cell,
	.link = references_link,
	.address = references_address,
	.close = references_close,
	.sort = -1,
};
