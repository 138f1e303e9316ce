/* The table of a goroutine's stack: each frame, above it the calls inlined into it, below it its
   deferred calls, panics and pointers to objects. */
#include "table/contents/slots.h"

#include "base/bound.h"
#include "base/mem.h"
#include "format/format.h"
#include "go/table/deferred_calls.h"
#include "heap/heap.h"
#include "heap/root.h"
#include "table/columns.h"
#include "table/naming/argument.h"
#include "table/naming/root.h"
#include "table/naming/source.h"
#include "table/naming/typed.h"

#include <inttypes.h>
#include <stdlib.h>

/* The number of frames whose inlined calls have rows. Deeper stacks are recursive, so they repeat
   themselves. */
enum { LOOKED_UP = 4096 };

struct stack {
	struct slots *slots;
	struct deferred_calls calls;
	uint32_t *before; /* rows of inlined calls before frame k, for the first LOOKED_UP + 1 frames */
	uint32_t looked_up;
};

/* The meaning of a row: a frame, a call inlined into it (inlined, from 0), a deferred call or panic
   of it, or one of its slots (root). */
struct stack_row {
	uint32_t frame; /* in heap->frames */
	const struct deferred_call *call;
	const struct root *root;
	bool is_inlined;
	uint32_t inlined;
};

/* Returns the number of rows of all frames before frame k of the stack. */
static uint64_t rows_before(const void *of, size_t k)
{
	const struct rows *rows = of;
	const struct heap *heap = analysis_heap(rows->analysis);
	const struct stack *stack = rows->data;
	const struct slots *slots = stack->slots;
	size_t at = k < stack->looked_up ? k : stack->looked_up;
	return k + stack->before[at] + deferred_calls_before(&stack->calls, k)
	       + (size_t)(heap->frames[slots->first_frame + k].first_root - slots->first_root);
}

static struct stack_row stack_row_of(const struct rows *rows, size_t row)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	const struct stack *stack = rows->data;
	uint32_t low = (uint32_t)upper_bound_of(rows, 0, stack->slots->frames, rows_before, row) - 1;
	struct stack_row found = {.frame = stack->slots->first_frame + low};
	size_t below = row - rows_before(rows, low);
	size_t inlined = low < stack->looked_up ? stack->before[low + 1] - stack->before[low] : 0;
	size_t first = deferred_calls_before(&stack->calls, low);
	size_t calls = deferred_calls_before(&stack->calls, low + 1UL) - first;
	found.is_inlined = below < inlined;
	found.inlined = (uint32_t)below;
	if (below > inlined + calls)
		found.root =
			&heap->roots[heap->frames[found.frame].first_root + below - inlined - calls - 1];
	else if (below > inlined)
		found.call = &stack->calls.at[first + below - inlined - 1];
	return found;
}

static void count_inlined(const struct analysis *analysis, struct stack *stack)
{
	const struct slots *slots = stack->slots;
	struct pclntab_line lines[EXE_LINES];
	stack->looked_up = slots->frames < LOOKED_UP ? slots->frames : LOOKED_UP;
	stack->before = mem_alloc((stack->looked_up + 1) * sizeof *stack->before);
	for (uint32_t k = 0; k < stack->looked_up; k++) {
		size_t count = names_frame(analysis_names(analysis), analysis_heap(analysis),
		                           slots->first_frame + k, lines);
		stack->before[k + 1] = stack->before[k] + (uint32_t)(count ? count - 1 : 0);
	}
}

static bool stack_open(struct rows *rows, const char *argument, struct err *err)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	struct stack *stack = rows->data = mem_alloc(sizeof *stack);
	uint32_t index;
	if (!argument_thread(heap, argument, &index, err))
		return false;
	stack->slots = slots_new(heap, &heap->threads[index], UINT32_MAX);
	stack->calls = deferred_calls_find(heap, &heap->threads[index]);
	count_inlined(rows->analysis, stack);
	rows->count = (size_t)stack->slots->frames + stack->slots->roots + stack->calls.count
	              + stack->before[stack->looked_up];
	buf_addf(&rows->title, "stack of goroutine %" PRIu64, stack->slots->thread->record.id);
	return true;
}

static void stack_close(struct rows *rows)
{
	struct stack *stack = rows->data;
	deferred_calls_free(&stack->calls);
	free(stack->slots);
	free(stack->before);
}

static uint64_t depth_of(const struct rows *rows, uint32_t frame)
{
	const struct stack *stack = rows->data;
	return frame - stack->slots->first_frame;
}

/* Returns the pointer of a deferred call or panic: to the closure, or to the value. */
static uint64_t held_by(const struct heap *heap, const struct deferred_call *call)
{
	return call->panic ? heap->panics[call->index].data : heap->defers[call->index].function;
}

/* Returns the target of a row below a frame. */
static struct entity stack_entity(const struct rows *rows, size_t row)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	struct stack_row at = stack_row_of(rows, row);
	if (at.call)
		return entity_of_object(heap_find(heap, held_by(heap, at.call)));
	return entity_of_pointer(heap, at.root);
}

static void add_frame_place(const struct rows *rows, const struct stack_row *at, struct buf *out)
{
	struct pclntab_line line;
	struct value value = {.text = out};
	cell_symbol(&value, analysis_heap(rows->analysis)->frames[at->frame].record.function);
	if (!source_of_frame(rows->analysis, at->frame, &line))
		return;
	buf_add(out, "  ");
	source_add(&line, out);
}

/* Appends "+0x28  req.Body  *main.Body", with the variable if it is known. */
static void add_slot_place(const struct rows *rows, const struct stack_row *at, struct buf *out)
{
	const struct analysis *analysis = rows->analysis;
	const struct frame_record *frame = &analysis_heap(analysis)->frames[at->root->holder].record;
	uint64_t offset = 0;
	gotype_id type = 0;
	root_offset(analysis_heap(analysis), at->root, &offset);
	buf_addf(out, "  +0x%" PRIx64 "  ", offset);
	if (!typed_add_local(analysis, frame, at->root->address, &type, out)) {
		out->data[out->len -= 2] = '\0';
	} else if (type) {
		buf_add(out, "  ");
		gotype_display(analysis_types(analysis), type, out);
	}
}

static void add_pending_place(const struct rows *rows, const struct stack_row *at, struct buf *out)
{
	const struct deferred_call *call = at->call;
	const struct heap *heap = analysis_heap(rows->analysis);
	uint64_t type = call->panic ? heap->panics[call->index].type : 0;
	if (!call->panic)
		buf_add(out, "  deferred call");
	else if (type)
		buf_addf(out, "  panic, type 0x%" PRIx64, type);
	else
		buf_add(out, "  runtime.Goexit");
	if (!call->placed)
		buf_add(out, ", of a frame that is not known");
}

static bool is_frame(const struct stack_row *at)
{
	return !at->root && !at->call && !at->is_inlined;
}

static void stack_depth_cell(const struct rows *rows, size_t row, struct value *value)
{
	struct stack_row at = stack_row_of(rows, row);
	if (is_frame(&at))
		cell_number(value, VALUE_ID, depth_of(rows, at.frame));
}

static void stack_place_cell(const struct rows *rows, size_t row, struct value *value)
{
	struct stack_row at = stack_row_of(rows, row);
	struct buf *out = cell_begin(value);
	if (at.root)
		add_slot_place(rows, &at, out);
	else if (at.call)
		add_pending_place(rows, &at, out);
	else if (at.is_inlined) {
		const struct analysis *analysis = rows->analysis;
		struct pclntab_line lines[EXE_LINES];
		names_frame(analysis_names(analysis), analysis_heap(analysis), at.frame, lines);
		source_add_call(&lines[at.inlined], out);
		buf_add(out, "  inlined into:");
	} else
		add_frame_place(rows, &at, out);
}

static void stack_target_cell(const struct rows *rows, size_t row, struct value *value)
{
	struct stack_row at = stack_row_of(rows, row);
	uint64_t held = at.call ? held_by(analysis_heap(rows->analysis), at.call) : 0;
	if (held)
		cell_number(value, VALUE_ADDRESS, held);
	else
		root_target_cell(rows, row, value);
}

static void stack_size_cell(const struct rows *rows, size_t row, struct value *value)
{
	struct stack_row at = stack_row_of(rows, row);
	if (is_frame(&at))
		cell_number(value, VALUE_BYTES,
		            analysis_heap(rows->analysis)->frames[at.frame].record.size);
	else
		object_size_cell(rows, row, value);
}

static void stack_pc_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	struct stack_row at = stack_row_of(rows, row);
	if (is_frame(&at))
		cell_number(value, VALUE_ADDRESS, heap->frames[at.frame].record.pc);
	else if (at.call && !at.call->panic)
		cell_number(value, VALUE_ADDRESS, heap->defers[at.call->index].pc);
}

/* Returns the line of an inlined call, else that of the frame. */
static bool stack_source(const struct rows *rows, size_t row, struct buf *file, uint64_t *line)
{
	struct stack_row at = stack_row_of(rows, row);
	struct pclntab_line lines[EXE_LINES];
	size_t count =
		names_frame(analysis_names(rows->analysis), analysis_heap(rows->analysis), at.frame, lines);
	size_t place = at.is_inlined ? at.inlined : count - 1;
	return count && source_place(&lines[place], file, line);
}

static const struct column columns[] = {
	{"depth", "#", "The frame; 0 is the innermost call", VALUE_ID, 5, 0, .cell = stack_depth_cell},
	{"place", "frame, and its slots",
     "Function of the frame; below it a deferred call, a panic, or the offset of a pointer in the "
     "frame",
     VALUE_TEXT, 0, 0, .cell = stack_place_cell},
	{"target", "target",
     "The pointer as stored; the closure of a deferred call, or the value of a panic",
     VALUE_ADDRESS, 14, 0, .cell = stack_target_cell},
	{POINTER_OBJECT, .width = 14, .rank = 1},
	{"size", "size", "Bytes of that object, or of the frame", VALUE_BYTES, 9, 0,
     .cell = stack_size_cell},
	{POINTER_TEXT, .width = 18, .cell = root_text_cell},
	{"pc", "pc", "Program counter of the call", VALUE_ADDRESS, 14, 2, .cell = stack_pc_cell},
};

static void stack_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct stack *stack = rows->data;
	struct stack_row at = stack_row_of(rows, row);
	if (at.root || at.call)
		entity_link(rows->analysis, stack_entity(rows, row), command);
	else
		buf_addf(command, "slots %" PRIu64 " %" PRIu64, stack->slots->thread->record.id,
		         depth_of(rows, at.frame));
}

static enum row_style stack_style(const struct rows *rows, size_t row)
{
	return stack_row_of(rows, row).is_inlined ? ROW_FAINT : ROW_PLAIN;
}

DEFINE_PLUGIN(tables, struct table, table_stack) = {
	.rank = 270,
	.name = "stack",
	.from = DAMAGE_THREADS,
	.help = "The stack of a goroutine: each frame, and below it its deferred calls, panics and "
			"pointers to objects",
	.argument = "GOID",
	.needs = STAGE_LINKED,
	.wants = STAGE_TYPED,
	.parts = PART_GO,
	COLUMNS(columns),
	.open = stack_open,
	.none = "The dump has no frames of this goroutine.",
	.link = stack_link,
	.source = stack_source,
	.style = stack_style,
	.close = stack_close,
	.entity = stack_entity,
	.completes = "goroutines.id",
};
