/* The table of pointers to objects in the frames of a goroutine. */
#include "table/contents/slots.h"

#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "heap/heap.h"
#include "heap/root.h"
#include "table/columns.h"
#include "table/naming/argument.h"
#include "table/naming/typed.h"

#include <inttypes.h>

struct slots *slots_new(const struct heap *heap, const struct thread *thread, uint32_t depth)
{
	struct slots *slots = mem_alloc(sizeof *slots);
	bool one = depth != UINT32_MAX;
	slots->thread = thread;
	slots->first_frame = thread->first_frame + (one ? depth : 0);
	slots->frames = one ? 1 : thread->frames;
	if (slots->frames) {
		const struct frame *first = &heap->frames[slots->first_frame];
		const struct frame *last = first + slots->frames - 1;
		slots->first_root = first->first_root;
		slots->roots = last->first_root + last->roots - first->first_root;
	}
	return slots;
}

static bool parse_depth(const struct heap *heap, const struct thread *thread, const char *text,
                        uint32_t *depth, struct err *err)
{
	uint64_t number;
	*depth = UINT32_MAX;
	if (!*text)
		return true;
	if (!text_parse_number(text, &number))
		return err_set(err, "\"%.60s\" is not the number of a frame, such as 0", text);
	if (number < thread->frames) {
		*depth = (uint32_t)number;
		return true;
	}
	err_set(err,
	        "Goroutine %" PRIu64 " has %" PRIu32
	        " frames, counted from 0; the table frames lists them",
	        thread->record.id, thread->frames);
	return argument_absent(heap, DAMAGE_THREADS, err);
}

/* Parses "GOID [DEPTH]", and opens the slots. */
static bool slots_open(struct rows *rows, const char *argument, struct err *err)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	uint32_t index, depth;
	if (!argument_next_thread(heap, &argument, &index, err)
	    || !parse_depth(heap, &heap->threads[index], argument, &depth, err))
		return false;
	struct slots *slots = slots_new(heap, &heap->threads[index], depth);
	rows->data = slots;
	rows->count = slots->roots;
	buf_add(&rows->title, "slots of ");
	if (depth != UINT32_MAX)
		buf_addf(&rows->title, "frame %" PRIu32 " of ", depth);
	buf_addf(&rows->title, "goroutine %" PRIu64, slots->thread->record.id);
	if (!rows->count)
		buf_add(&rows->note, depth == UINT32_MAX
		                         ? "No frame of it has a pointer to an object."
		                         : "This frame has no pointer to an object; slots with only the "
		                           "goroutine's id shows the pointers of all its frames.");
	return true;
}

static struct entity slots_entity(const struct rows *rows, size_t row)
{
	const struct slots *slots = rows->data;
	return (struct entity){ENTITY_POINTER, slots->first_root + (uint32_t)row, 0};
}

static const struct root *slots_root(const struct rows *rows, size_t row)
{
	return entity_root(rows->analysis, slots_entity(rows, row));
}

static void slots_depth_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct slots *slots = rows->data;
	cell_number(value, VALUE_ID, slots_root(rows, row)->holder - slots->thread->first_frame);
}

static const struct frame_record *slots_frame_of(const struct rows *rows, size_t row)
{
	return &analysis_heap(rows->analysis)->frames[slots_root(rows, row)->holder].record;
}

static void slots_function_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_symbol(value, slots_frame_of(rows, row)->function);
}

static void slots_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	gotype_id type;
	typed_add_local(rows->analysis, slots_frame_of(rows, row), slots_root(rows, row)->address,
	                &type, cell_begin(value));
}

static void slots_type_cell(const struct rows *rows, size_t row, struct value *value)
{
	SCOPED_BUF name = {0};
	gotype_id type = 0;
	if (typed_add_local(rows->analysis, slots_frame_of(rows, row), slots_root(rows, row)->address,
	                    &type, &name)
	    && type)
		gotype_display(analysis_types(rows->analysis), type, cell_begin(value));
}

/* Returns true without an executable, which defines the variables. */
static bool slots_unnamed(const struct rows *rows)
{
	return !analysis_typing(rows->analysis);
}

static const struct column columns[] = {
	{"depth", "#", "The frame; 0 is the innermost call", VALUE_ID, 4, 0, .cell = slots_depth_cell},
	{"function", "function", "Function of the frame", VALUE_TEXT, 18, 0,
     .cell = slots_function_cell},
	{"offset", "offset", "Offset of the pointer in the frame", VALUE_OFFSET, 8, 0,
     .cell = root_offset_cell},
	{"name", "variable", "The variable of the function, and its field", VALUE_TEXT, 16, 1,
     .cell = slots_name_cell, .wants = STAGE_TYPED, .absent = slots_unnamed},
	{"type", "type", "Type of the variable, or of its field", VALUE_TEXT, 18, 2,
     .cell = slots_type_cell, .wants = STAGE_TYPED, .absent = slots_unnamed},
	{"address", "address", "Address of the pointer", VALUE_ADDRESS, 14, 2,
     .cell = root_address_cell},
	{POINTER_TARGET, .width = 14, .cell = root_target_cell},
	{POINTER_OBJECT, .width = 14, .rank = 1},
	{OBJECT_SIZE, .width = 9},
	{POINTER_TEXT, .cell = root_text_cell},
};

DEFINE_PLUGIN(tables, struct table, table_slots) = {
	.rank = 260,
	.name = "slots",
	.rare = true,
	.from = DAMAGE_THREADS,
	.help = "The pointers to objects in a goroutine's frames, or in one of them",
	.argument = "GOID [DEPTH]",
	.needs = STAGE_LINKED,
	.parts = PART_GO,
	COLUMNS(columns),
	.open = slots_open,
	.entity = slots_entity,
	.completes = "goroutines.id",
};
