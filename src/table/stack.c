/* The stack of a goroutine: each frame, and below it its pointers to objects. */
#include "table/slots.h"

#include "table/argument.h"
#include "table/root.h"

#include <inttypes.h>

enum { DEPTH, PLACE, TARGET, OBJECT, SIZE, TEXT, PC };

static const struct column columns[] = {
	[DEPTH] = {"depth", "#", "The frame; 0 is the innermost call", VALUE_ID, 5, 0},
	[PLACE] = {"place", "frame, and its slots",
			   "Function of the frame, or where in the frame a pointer is", VALUE_TEXT, 0, 0},
	[TARGET] = {"target", "target", "The pointer, as it is stored", VALUE_ADDRESS, 14, 0},
	[OBJECT] = {"object", "object", "The object that it points into", VALUE_ADDRESS, 14, 1},
	[SIZE] = {"size", "size", "Bytes of that object; of a frame, its bytes on the stack",
			  VALUE_BYTES, 9, 0},
	[TEXT] = {"text", "text", "Text or bytes that the pointer seems to point at; ~ marks a guess",
			  VALUE_TEXT, 18, 0},
	[PC] = {"pc", "pc", "Where the call is in the code", VALUE_ADDRESS, 14, 2},
};

/* A row is a frame, or one of its slots: *root is NULL then. */
struct stack_row {
	const struct frame *frame;
	const struct root *root;
};

/* The row of frame k is k plus the slots of all frames before it. */
static struct stack_row row_of(const struct rows *rows, size_t row)
{
	const struct heap *heap = rows->analysis->heap;
	const struct slots *slots = rows->data;
	const struct frame *frames = &heap->frames[slots->first_frame];
	size_t low = 0, high = slots->frames;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (middle + (frames[middle].first_root - slots->first_root) <= row)
			low = middle;
		else
			high = middle;
	}
	size_t below = row - low - (frames[low].first_root - slots->first_root);
	const struct root *root = below ? &heap->roots[frames[low].first_root + below - 1] : NULL;
	return (struct stack_row){&frames[low], root};
}

static bool stack_open(struct rows *rows, const char *argument, struct err *err)
{
	const struct heap *heap = rows->analysis->heap;
	uint32_t index;
	if (!argument_goroutine(heap, argument, &index, err))
		return false;
	struct slots *slots = slots_new(heap, &heap->goroutines[index], UINT32_MAX);
	rows->data = slots;
	rows->count = (size_t)slots->frames + slots->roots;
	buf_addf(&rows->title, "stack of goroutine %" PRIu64, slots->goroutine->record.id);
	if (!rows->count)
		buf_add(&rows->note,
				"The dump has no frames of this goroutine; the table warnings may say why.");
	return true;
}

static void frame_cell(const struct rows *rows, const struct frame *frame, int column,
					   struct value *value)
{
	const struct slots *slots = rows->data;
	switch (column) {
	case DEPTH:
		cell_number(value, VALUE_ID,
					(uint64_t)(frame - &rows->analysis->heap->frames[slots->first_frame]));
		break;
	case PLACE:
		cell_dump_text(value, frame->record.function);
		break;
	case SIZE:
		cell_number(value, VALUE_BYTES, frame->record.size);
		break;
	case PC:
		cell_number(value, VALUE_ADDRESS, frame->record.pc);
		break;
	}
}

static void slot_cell(const struct rows *rows, const struct root *root, int column,
					  struct value *value)
{
	static const enum root_part parts[] = {
		[TARGET] = ROOT_POINTER,
		[OBJECT] = ROOT_OBJECT,
		[SIZE] = ROOT_SIZE,
		[TEXT] = ROOT_TEXT,
	};
	uint64_t offset = 0;
	if (column == PLACE) {
		root_offset(rows->analysis->heap, root, &offset);
		buf_addf(cell_begin(value), "  +0x%" PRIx64, offset);
	} else if (column != DEPTH && column != PC) {
		cell_root(value, rows->analysis->heap, root, parts[column]);
	}
}

static void stack_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	struct stack_row at = row_of(rows, row);
	if (at.root)
		slot_cell(rows, at.root, column, value);
	else
		frame_cell(rows, at.frame, column, value);
}

static void stack_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct slots *slots = rows->data;
	struct stack_row at = row_of(rows, row);
	if (at.root)
		link_object(rows->analysis->heap, at.root->target, command);
	else
		buf_addf(command, "slots %" PRIu64 " %td", slots->goroutine->record.id,
				 at.frame - &rows->analysis->heap->frames[slots->first_frame]);
}

static uint64_t stack_address(const struct rows *rows, size_t row)
{
	struct stack_row at = row_of(rows, row);
	return at.root ? heap_address(rows->analysis->heap, at.root->target) : 0;
}

const struct table table_stack = {
	.name = "stack",
	.help = "The stack of a goroutine: each frame, and below it its pointers to objects",
	.argument = "GOID",
	.needs = STAGE_LINKED,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.open = stack_open,
	.cell = stack_cell,
	.link = stack_link,
	.address = stack_address,
	.sort = -1,
	.completes = "goroutines.id",
};
