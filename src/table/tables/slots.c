/* The pointers to objects in the frames of a goroutine. */
#include "table/slots.h"

#include "base/mem.h"
#include "base/text.h"
#include "table/argument.h"
#include "table/root.h"
#include "table/typed.h"

#include <inttypes.h>

enum { DEPTH, FUNCTION, OFFSET, NAME, TYPE, ADDRESS, TARGET, OBJECT, SIZE, TEXT };

static const struct column columns[] = {
	[DEPTH] = {"depth", "#", "The frame; 0 is the innermost call", VALUE_ID, 4, 0},
	[FUNCTION] = {"function", "function", "Function of the frame", VALUE_TEXT, 18, 0},
	[OFFSET] = {"offset", "offset", "Where in the frame the pointer is", VALUE_OFFSET, 8, 0},
	[NAME] = {"name", "variable", "The variable of the function, and its field", VALUE_TEXT, 16, 1},
	[TYPE] = {"type", "type", "Type of the variable, or of its field", VALUE_TEXT, 18, 2},
	[ADDRESS] = {"address", "address", "Where in memory the pointer is", VALUE_ADDRESS, 14, 2},
	[TARGET] = {"target", "target", "The pointer, as it is stored", VALUE_ADDRESS, 14, 0},
	[OBJECT] = {"object", "object", "The object that it points into", VALUE_ADDRESS, 14, 1},
	[SIZE] = {"size", "size", "Bytes of that object", VALUE_BYTES, 9, 0},
	[TEXT] = {"text", "text", "Text or bytes that it seems to point at; ~ marks a guess",
			  VALUE_TEXT, 0, 0},
};

struct slots *slots_new(const struct heap *heap, const struct goroutine *goroutine, uint32_t depth)
{
	struct slots *slots = mem_alloc(sizeof *slots);
	bool one = depth != UINT32_MAX;
	slots->goroutine = goroutine;
	slots->first_frame = goroutine->first_frame + (one ? depth : 0);
	slots->frames = one ? 1 : goroutine->frames;
	if (slots->frames) {
		const struct frame *first = &heap->frames[slots->first_frame];
		const struct frame *last = first + slots->frames - 1;
		slots->first_root = first->first_root;
		slots->roots = last->first_root + last->roots - first->first_root;
	}
	return slots;
}

static bool parse_depth(const struct heap *heap, const struct goroutine *goroutine,
						const char *text, uint32_t *depth, struct err *err)
{
	uint64_t number;
	*depth = UINT32_MAX;
	if (!*text)
		return true;
	if (!text_parse_number(text, &number))
		return err_set(err, "\"%.60s\" is no number of a frame, such as 0", text);
	if (number < goroutine->frames) {
		*depth = (uint32_t)number;
		return true;
	}
	err_set(err,
			"Goroutine %" PRIu64 " has %" PRIu32
			" frames, counted from 0; the table frames lists them",
			goroutine->record.id, goroutine->frames);
	return argument_absent(heap, DAMAGE_GOROUTINES, err);
}

/* "GOID [DEPTH]" */
static bool slots_open(struct rows *rows, const char *argument, struct err *err)
{
	const struct heap *heap = rows->analysis->heap;
	uint32_t index, depth;
	if (!argument_next_goroutine(heap, &argument, &index, err) ||
		!parse_depth(heap, &heap->goroutines[index], argument, &depth, err))
		return false;
	struct slots *slots = slots_new(heap, &heap->goroutines[index], depth);
	rows->data = slots;
	rows->count = slots->roots;
	rows->hidden = analysis_typing(rows->analysis) ? 0 : 1U << NAME | 1U << TYPE;
	buf_add(&rows->title, "slots of ");
	if (depth != UINT32_MAX)
		buf_addf(&rows->title, "frame %" PRIu32 " of ", depth);
	buf_addf(&rows->title, "goroutine %" PRIu64, slots->goroutine->record.id);
	if (!rows->count)
		buf_add(&rows->note, depth == UINT32_MAX
								 ? "No frame of it holds a pointer to an object."
								 : "This frame holds no pointer to an object; slots with the "
								   "goroutine's id only shows those of all its frames.");
	return true;
}

static const struct root *root_of(const struct rows *rows, size_t row)
{
	const struct slots *slots = rows->data;
	return &rows->analysis->heap->roots[slots->first_root + row];
}

static void variable_cell(const struct rows *rows, const struct root *root, int column,
						  struct value *value)
{
	const struct analysis *analysis = rows->analysis;
	const struct frame_record *frame = &analysis->heap->frames[root->holder].record;
	struct buf name = {0}, *out = cell_begin(value);
	gotype_id type = 0;
	if (typed_add_local(analysis, frame, root->address, &type, column == NAME ? out : &name)
		&& column == TYPE && type)
		gotype_display(analysis->types, type, out);
	cell_end(value);
	buf_free(&name);
}

static void slots_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	static const enum root_part parts[] = {
		[OFFSET] = ROOT_OFFSET, [ADDRESS] = ROOT_ADDRESS, [TARGET] = ROOT_POINTER,
		[OBJECT] = ROOT_OBJECT, [SIZE] = ROOT_SIZE,       [TEXT] = ROOT_TEXT,
	};
	const struct heap *heap = rows->analysis->heap;
	const struct slots *slots = rows->data;
	const struct root *root = root_of(rows, row);
	if (column == DEPTH)
		cell_number(value, VALUE_ID, root->holder - slots->goroutine->first_frame);
	else if (column == FUNCTION)
		cell_dump_text(value, heap->frames[root->holder].record.function);
	else if (column == NAME || column == TYPE)
		variable_cell(rows, root, column, value);
	else
		cell_root(value, rows->analysis, root, parts[column]);
}

static void slots_link(const struct rows *rows, size_t row, struct buf *command)
{
	link_object(rows->analysis->heap, root_of(rows, row)->target, command);
}

static uint64_t slots_address(const struct rows *rows, size_t row)
{
	return heap_address(rows->analysis->heap, root_of(rows, row)->target);
}

const struct table table_slots = {
	.name = "slots",
	.from = DAMAGE_GOROUTINES,
	.help = "The pointers to objects in a goroutine's frames, or in one of them",
	.argument = "GOID [DEPTH]",
	.needs = STAGE_LINKED,
	.parts = HAS_RUNTIME,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.open = slots_open,
	.cell = slots_cell,
	.link = slots_link,
	.address = slots_address,
	.sort = -1,
	.completes = "goroutines.id",
};
