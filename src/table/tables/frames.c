/* The frames of a goroutine. */
#include "table/argument.h"
#include "table/node.h"
#include "table/source.h"

#include "base/text.h"

#include <inttypes.h>
#include <string.h>

enum { DEPTH, FUNCTION, FILE_NAME, LINE, SLOTS, SIZE, PC, SP, ENTRY, CONTINUE, INLINED, PATH,
	   RETAINED };

static const struct column columns[] = {
	[DEPTH] = {"depth", "#", "0 is the innermost call", VALUE_ID, 5, 0},
	[FUNCTION] = {"function", "function", "Function of the call", VALUE_TEXT, 0, 0},
	[FILE_NAME] = {"file", "file", "File of the source, without its folder", VALUE_TEXT, 14, 0},
	[LINE] = {"line", "line", "Line of the file that the call is in", VALUE_ID, 5, 0},
	[SLOTS] = {"slots", "slots", "Pointers to objects in the frame", VALUE_COUNT, 6, 0},
	[SIZE] = {"size", "size", "Bytes of the frame", VALUE_BYTES, 8, 0},
	[PC] = {"pc", "pc", "Where the call is in the code", VALUE_ADDRESS, 14, 1},
	[SP] = {"sp", "sp", "Where the frame is in memory", VALUE_ADDRESS, 14, 2},
	[ENTRY] = {"entry_pc", "entry", "Where the function begins", VALUE_ADDRESS, 14, 3},
	[CONTINUE] = {"continue_pc", "goes on at",
				  "Where the call will go on: its pc but in the frame that has faulted; 0: nowhere",
				  VALUE_ADDRESS, 14, 4},
	[INLINED] = {"inlined", "inlined calls",
				 "Calls that it is in and that the compiler has put into it, innermost first",
				 VALUE_TEXT, 30, 4},
	[RETAINED] = {"retained_bytes", "retained",
				  "Bytes that would be freed with the call: what its slots hold alone", VALUE_BYTES,
				  9, 1},
	[PATH] = {"path", "path", "File of the source, with its folder", VALUE_TEXT, 40, 5},
};

static const enum stage column_needs[sizeof columns / sizeof *columns] = {
	[RETAINED] = STAGE_DOMINATED,
};

static const struct frame *frame_of(const struct rows *rows, size_t row)
{
	const struct goroutine *goroutine = rows->data;
	return &rows->analysis->heap->frames[goroutine->first_frame + row];
}

static bool frames_open(struct rows *rows, const char *argument, struct err *err)
{
	uint32_t index;
	const struct heap *heap = rows->analysis->heap;
	if (!argument_goroutine(heap, argument, &index, err))
		return false;
	rows->data = &heap->goroutines[index];
	rows->count = heap->goroutines[index].frames;
	buf_addf(&rows->title, "frames of goroutine %" PRIu64, heap->goroutines[index].record.id);
	if (!rows->count)
		buf_add(&rows->note,
				"The dump has no frames of this goroutine.");
	return true;
}

static void inlined_cell(const struct pclntab_line *lines, size_t count, struct value *value)
{
	struct buf *out = cell_begin(value);
	for (size_t i = 0; i + 1 < count; i++) {
		buf_add(out, i ? ", " : "");
		source_add_call(&lines[i], out);
	}
	cell_end(value);
}

/* What only the executable tells. */
static void source_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	const struct heap *heap = rows->analysis->heap;
	struct pclntab_line lines[EXE_LINES];
	uint32_t frame = (uint32_t)(frame_of(rows, row) - heap->frames);
	size_t count = names_frame(analysis_names(rows->analysis), heap, frame, lines);
	if (!count)
		return;
	const struct pclntab_line *own = &lines[count - 1];
	const char *file = column == PATH ? own->file : names_file_base(own->file);
	if (column == INLINED)
		inlined_cell(lines, count, value);
	else if (column != LINE)
		cell_dump_text(value, (struct text){file, strlen(file)});
	else if (own->line)
		cell_number(value, VALUE_ID, own->line);
}

static void frames_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	const struct frame *frame = frame_of(rows, row);
	switch (column) {
	case DEPTH:
		cell_number(value, VALUE_ID, row);
		break;
	case FUNCTION:
		cell_dump_text(value, frame->record.function);
		break;
	case SLOTS:
		cell_number(value, VALUE_COUNT, frame->roots);
		break;
	case SIZE:
		cell_number(value, VALUE_BYTES, frame->record.size);
		break;
	case PC:
		cell_number(value, VALUE_ADDRESS, frame->record.pc);
		break;
	case SP:
		cell_number(value, VALUE_ADDRESS, frame->record.sp);
		break;
	case ENTRY:
		cell_number(value, VALUE_ADDRESS, frame->record.entry_pc);
		break;
	case CONTINUE:
		cell_number(value, VALUE_ADDRESS, frame->record.continue_pc);
		break;
	case RETAINED:
		cell_retained_frame(value, rows->analysis, (uint32_t)(frame - rows->analysis->heap->frames));
		break;
	default:
		source_cell(rows, row, column, value);
	}
}

static void frames_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct goroutine *goroutine = rows->data;
	buf_addf(command, "slots %" PRIu64 " %zu", goroutine->record.id, row);
}

static void frames_close(struct rows *rows)
{
	rows->data = NULL; /* the heap's */
}

const struct table table_frames = {
	.name = "frames",
	.from = DAMAGE_GOROUTINES,
	.help = "The frames of a goroutine, innermost first",
	.argument = "GOID",
	.needs = STAGE_LINKED,
	.parts = HAS_RUNTIME,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.column_needs = column_needs,
	.open = frames_open,
	.cell = frames_cell,
	.link = frames_link,
	.close = frames_close,
	.sort = -1,
	.completes = "goroutines.id",
};
