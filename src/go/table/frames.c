/* The table of a goroutine's frames. */
#include "table/columns.h"
#include "table/naming/argument.h"
#include "table/naming/source.h"
#include "table/owners/node.h"

#include "base/text.h"
#include "format/format.h"
#include "heap/heap.h"

#include <inttypes.h>
#include <string.h>

static const void *frames_row_of(const struct rows *rows, size_t row)
{
	const struct thread *thread = rows->data;
	return &analysis_heap(rows->analysis)->frames[thread->first_frame + row];
}

static bool frames_open(struct rows *rows, const char *argument, struct err *err)
{
	uint32_t index;
	const struct heap *heap = analysis_heap(rows->analysis);
	if (!argument_thread(heap, argument, &index, err))
		return false;
	rows->data = &heap->threads[index];
	rows->count = heap->threads[index].frames;
	buf_addf(&rows->title, "frames of goroutine %" PRIu64, heap->threads[index].record.id);
	return true;
}

static void frames_function_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct frame *frame = rows_record(rows, row);
	cell_symbol(value, frame->record.function);
}

static uint32_t frame_index(const struct rows *rows, size_t row)
{
	const struct thread *thread = rows->data;
	return thread->first_frame + (uint32_t)row;
}

/* Stores the lines of inlined calls and last the frame's own, and returns their number. 0: the
   executable does not have them. */
static size_t frame_lines(const struct rows *rows, size_t row, struct pclntab_line lines[EXE_LINES])
{
	const struct analysis *analysis = rows->analysis;
	return names_frame(analysis_names(analysis), analysis_heap(analysis), frame_index(rows, row),
	                   lines);
}

static void frames_path_cell(const struct rows *rows, size_t row, struct value *value)
{
	struct pclntab_line lines[EXE_LINES];
	size_t count = frame_lines(rows, row, lines);
	if (count)
		cell_dump_text(value, (struct text){lines[count - 1].file, strlen(lines[count - 1].file)});
}

static void frames_file_cell(const struct rows *rows, size_t row, struct value *value)
{
	struct pclntab_line lines[EXE_LINES];
	size_t count = frame_lines(rows, row, lines);
	const char *file = count ? names_file_base(lines[count - 1].file) : "";
	cell_dump_text(value, (struct text){file, strlen(file)});
}

static void frames_line_cell(const struct rows *rows, size_t row, struct value *value)
{
	struct pclntab_line lines[EXE_LINES];
	size_t count = frame_lines(rows, row, lines);
	if (count && lines[count - 1].line)
		cell_number(value, VALUE_ID, lines[count - 1].line);
}

static void frames_inlined_cell(const struct rows *rows, size_t row, struct value *value)
{
	struct pclntab_line lines[EXE_LINES];
	size_t count = frame_lines(rows, row, lines);
	struct buf *out = cell_begin(value);
	for (size_t i = 0; i + 1 < count; i++) {
		buf_add(out, i ? ", " : "");
		source_add_call(&lines[i], out);
	}
}

static void frames_retained_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_retained_frame(value, rows->analysis, frame_index(rows, row));
}

static const struct column columns[] = {
	{"depth", "#", "0 is the innermost call", VALUE_ID, 5, 0, .cell = row_number_cell},
	{"function", "function", "Function of the call", VALUE_TEXT, 0, 0,
     .cell = frames_function_cell},
	{"file", "file", "File of the source, without its folder", VALUE_TEXT, 14, 0,
     .cell = frames_file_cell, .wants = STAGE_NAMED},
	{"line", "line", "Line of the file that the call is in", VALUE_ID, 5, 0,
     .cell = frames_line_cell, .wants = STAGE_NAMED},
	{"slots", "slots", "Pointers to objects in the frame", VALUE_COUNT, 6, 0,
     FIELD(struct frame, roots)},
	{"size", "size", "Bytes of the frame", VALUE_BYTES, 8, 0, FIELD(struct frame, record.size)},
	{"pc", "pc", "Program counter of the call", VALUE_ADDRESS, 14, 1,
     FIELD(struct frame, record.pc)},
	{"sp", "sp", "Address of the frame", VALUE_ADDRESS, 14, 2, FIELD(struct frame, record.sp)},
	{"entry_pc", "entry", "Address of the function", VALUE_ADDRESS, 14, 3,
     FIELD(struct frame, record.entry_pc)},
	{"continue_pc", "goes on at",
     "Program counter at which the call will continue: its pc, except in the frame that has "
     "faulted; 0: nowhere",
     VALUE_ADDRESS, 14, 4, FIELD(struct frame, record.continue_pc)},
	{"inlined", "inlined calls", "Inlined calls at this program counter, innermost first",
     VALUE_TEXT, 30, 4, .cell = frames_inlined_cell, .wants = STAGE_NAMED},
	{"path", "path", "File of the source, with its folder", VALUE_TEXT, 40, 5,
     .cell = frames_path_cell, .wants = STAGE_NAMED},
	{"retained_bytes", "retained",
     "Bytes that would be freed without the call's frame: those that only its slots keep alive",
     VALUE_BYTES, 9, 1, .cell = frames_retained_cell, .stages = STAGE_DOMINATED},
};

static void frames_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct thread *thread = rows->data;
	buf_addf(command, "slots %" PRIu64 " %zu", thread->record.id, row);
}

static bool frames_source(const struct rows *rows, size_t row, struct buf *file, uint64_t *line)
{
	struct pclntab_line at;
	return source_of_frame(rows->analysis, frame_index(rows, row), &at)
	       && source_place(&at, file, line);
}

static void frames_close(struct rows *rows)
{
	rows->data = NULL; /* the heap owns it */
}

DEFINE_PLUGIN(tables, struct table, table_frames) = {
	.rank = 250,
	.name = "frames",
	.from = DAMAGE_THREADS,
	.help = "The frames of a goroutine, innermost first",
	.argument = "GOID",
	.needs = STAGE_LINKED,
	.parts = PART_GO,
	COLUMNS(columns),
	.open = frames_open,
	.none = "The dump has no frames of this goroutine.",
	.record = frames_row_of,
	.link = frames_link,
	.source = frames_source,
	.close = frames_close,
	.completes = "goroutines.id",
};
