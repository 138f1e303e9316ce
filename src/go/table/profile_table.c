/* The table of one allocation profile: its call stack. */
#include "table/columns.h"
#include "table/naming/alloc_site.h"

#include "base/mem.h"
#include "format/format.h"
#include "heap/heap.h"
#include "heap/profile.h"

#include <inttypes.h>
#include <stdlib.h>

struct stack {
	uint32_t profile;
	struct stack_frame *frames;
	size_t capacity;
};

static bool profile_open(struct rows *rows, const char *argument, struct err *err)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	struct stack *stack = rows->data = mem_alloc(sizeof *stack);
	struct stack_frame frame;
	if (!argument_profile(heap, argument, &stack->profile, err))
		return false;
	const struct profile_record *profile = &heap->profiles.profile[stack->profile];
	for (struct stack_walk walk = stack_walk(profile); stack_walk_next(&walk, &frame);)
		MEM_PUSH(stack->frames, rows->count, stack->capacity, frame);
	buf_addf(&rows->title, "stack that allocated objects of %" PRIu64 " bytes", profile->size);
	return true;
}

static void profile_close(struct rows *rows)
{
	struct stack *stack = rows->data;
	free(stack->frames);
}

static const struct stack_frame *profile_frame(const struct rows *rows, size_t row)
{
	return &((const struct stack *)rows->data)->frames[row];
}

static void profile_function_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_function(value, profile_frame(rows, row));
}

static void profile_line_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_line(value, profile_frame(rows, row));
}

static const struct column columns[] = {
	{"depth", "#", "0 is the innermost call", VALUE_ID, 5, 0, .cell = row_number_cell},
	{"function", "function", "Function of the call", VALUE_TEXT, 0, 0,
     .cell = profile_function_cell},
	{"line", "line", "File and line of the call", VALUE_TEXT, 40, 0, .cell = profile_line_cell},
};

static void profile_link(const struct rows *rows, size_t row, struct buf *command)
{
	(void)row;
	const struct stack *stack = rows->data;
	buf_addf(command, "profiles-object 0x%" PRIx64,
	         analysis_heap(rows->analysis)->profiles.profile[stack->profile].id);
}

static bool profile_source(const struct rows *rows, size_t row, struct buf *file, uint64_t *line)
{
	const struct stack_frame *frame = profile_frame(rows, row);
	buf_add_bytes(file, frame->file.data, frame->file.len);
	*line = frame->line;
	return frame->file.len && frame->line;
}

DEFINE_PLUGIN(tables, struct table, table_profile) = {
	.rank = 410,
	.name = "profiles-stack",
	.form_of = "profiles",
	.former = "profile",
	.from = DAMAGE_PROFILE,
	.help = "The stack of an allocation profile; a row opens the objects that were allocated "
			"there",
	.argument = "ID",
	.needs = STAGE_READ,
	.parts = PART_GO,
	COLUMNS(columns),
	.open = profile_open,
	.none = "The profile has an empty stack.",
	.link = profile_link,
	.source = profile_source,
	.close = profile_close,
	.completes = "profiles.id",
};
