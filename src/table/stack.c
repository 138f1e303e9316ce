/* The stack of a goroutine: each frame, and below it its deferred calls, panics and pointers to
 * objects. */
#include "table/slots.h"

#include "base/mem.h"
#include "table/argument.h"
#include "table/pending.h"
#include "table/root.h"

#include <inttypes.h>
#include <stdlib.h>

enum { DEPTH, PLACE, TARGET, OBJECT, SIZE, TEXT, PC };

static const struct column columns[] = {
	[DEPTH] = {"depth", "#", "The frame; 0 is the innermost call", VALUE_ID, 5, 0},
	[PLACE] = {"place", "frame, and its slots",
			   "Function of the frame, or what is below it: a deferred call, a panic, or where "
			   "in the frame a pointer is",
			   VALUE_TEXT, 0, 0},
	[TARGET] = {"target", "target",
				"The pointer, as it is stored; of a deferred call its closure, of a panic "
				"its value",
				VALUE_ADDRESS, 14, 0},
	[OBJECT] = {"object", "object", "The object that it points into", VALUE_ADDRESS, 14, 1},
	[SIZE] = {"size", "size", "Bytes of that object; of a frame, its bytes on the stack",
			  VALUE_BYTES, 9, 0},
	[TEXT] = {"text", "text", "Text or bytes that the pointer seems to point at; ~ marks a guess",
			  VALUE_TEXT, 18, 0},
	[PC] = {"pc", "pc", "Where the call is in the code", VALUE_ADDRESS, 14, 2},
};

struct stack {
	struct slots *slots;
	struct pendings pendings;
};

/* A row is a frame, or what stands below it: a deferred call or panic of it, or one of its slots;
   the others are NULL. */
struct stack_row {
	const struct frame *frame;
	const struct pending *pending;
	const struct root *root;
};

/* The row of frame k is k plus what stands below all frames before it. */
static size_t row_of_frame(const struct heap *heap, const struct stack *stack, size_t k)
{
	const struct frame *frame = &heap->frames[stack->slots->first_frame + k];
	return k + (frame->first_root - stack->slots->first_root) +
		   pendings_before(&stack->pendings, k);
}

static struct stack_row row_of(const struct rows *rows, size_t row)
{
	const struct heap *heap = rows->analysis->heap;
	const struct stack *stack = rows->data;
	size_t low = 0, high = stack->slots->frames;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (row_of_frame(heap, stack, middle) <= row)
			low = middle;
		else
			high = middle;
	}
	size_t below = row - row_of_frame(heap, stack, low),
		   first = pendings_before(&stack->pendings, low);
	size_t pendings = pendings_before(&stack->pendings, low + 1) - first;
	struct stack_row found = {.frame = &heap->frames[stack->slots->first_frame + low]};
	if (below > pendings)
		found.root = &heap->roots[found.frame->first_root + below - pendings - 1];
	else if (below)
		found.pending = &stack->pendings.at[first + below - 1];
	return found;
}

static bool stack_open(struct rows *rows, const char *argument, struct err *err)
{
	const struct heap *heap = rows->analysis->heap;
	struct stack *stack = rows->data = mem_alloc(sizeof *stack);
	uint32_t index;
	if (!argument_goroutine(heap, argument, &index, err))
		return false;
	stack->slots = slots_new(heap, &heap->goroutines[index], UINT32_MAX);
	stack->pendings = pendings_find(heap, &heap->goroutines[index]);
	rows->count = (size_t)stack->slots->frames + stack->slots->roots + stack->pendings.count;
	buf_addf(&rows->title, "stack of goroutine %" PRIu64, stack->slots->goroutine->record.id);
	if (!rows->count)
		buf_add(&rows->note,
				"The dump has no frames of this goroutine; the table warnings may say why.");
	return true;
}

static void stack_close(struct rows *rows)
{
	struct stack *stack = rows->data;
	pendings_free(&stack->pendings);
	free(stack->slots);
	free(stack);
}

static void frame_cell(const struct rows *rows, const struct frame *frame, int column,
					   struct value *value)
{
	const struct slots *slots = ((const struct stack *)rows->data)->slots;
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

/* What a deferred call or panic holds: the closure, the value. */
static uint64_t held_by(const struct heap *heap, const struct pending *pending)
{
	return pending->panic ? heap->panics[pending->index].data
						  : heap->defers[pending->index].function;
}

static void add_pending(const struct heap *heap, const struct pending *pending, struct buf *out)
{
	uint64_t type = pending->panic ? heap->panics[pending->index].type : 0;
	if (!pending->panic)
		buf_add(out, "  deferred call");
	else if (type)
		buf_addf(out, "  panic, type 0x%" PRIx64, type);
	else
		buf_add(out, "  runtime.Goexit");
	if (!pending->placed)
		buf_add(out, ", of a frame that is not known");
}

static void pending_cell(const struct heap *heap, const struct pending *pending, int column,
						 struct value *value)
{
	uint64_t held = held_by(heap, pending);
	switch (column) {
	case PLACE:
		add_pending(heap, pending, cell_begin(value));
		break;
	case TARGET:
		if (held)
			cell_number(value, VALUE_ADDRESS, held);
		break;
	case OBJECT:
		cell_object(value, heap, heap_find(heap, held));
		break;
	case SIZE:
		cell_object_size(value, heap, heap_find(heap, held));
		break;
	case PC:
		if (!pending->panic)
			cell_number(value, VALUE_ADDRESS, heap->defers[pending->index].pc);
		break;
	}
}

static void stack_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	struct stack_row at = row_of(rows, row);
	if (at.root)
		slot_cell(rows, at.root, column, value);
	else if (at.pending)
		pending_cell(rows->analysis->heap, at.pending, column, value);
	else
		frame_cell(rows, at.frame, column, value);
}

/* The object that a row below a frame is about. */
static uint32_t object_of(const struct heap *heap, const struct stack_row *at)
{
	return at->root ? at->root->target : heap_find(heap, held_by(heap, at->pending));
}

static void stack_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct heap *heap = rows->analysis->heap;
	const struct slots *slots = ((const struct stack *)rows->data)->slots;
	struct stack_row at = row_of(rows, row);
	if (at.root || at.pending)
		link_object(heap, object_of(heap, &at), command);
	else
		buf_addf(command, "slots %" PRIu64 " %td", slots->goroutine->record.id,
				 at.frame - &heap->frames[slots->first_frame]);
}

static uint64_t stack_address(const struct rows *rows, size_t row)
{
	const struct heap *heap = rows->analysis->heap;
	struct stack_row at = row_of(rows, row);
	uint32_t id = at.root || at.pending ? object_of(heap, &at) : OBJECT_NONE;
	return id == OBJECT_NONE ? 0 : heap_address(heap, id);
}

const struct table table_stack = {
	.name = "stack",
	.help = "The stack of a goroutine: each frame, and below it its deferred calls, panics and "
			"pointers to objects",
	.argument = "GOID",
	.needs = STAGE_LINKED,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.open = stack_open,
	.cell = stack_cell,
	.link = stack_link,
	.close = stack_close,
	.address = stack_address,
	.sort = -1,
	.completes = "goroutines.id",
};
