#include "table/naming/alloc_site.h"

#include "heap/heap.h"
#include "heap/profile.h"
#include "table/naming/argument.h"

#include <inttypes.h>

void cell_function(struct value *value, const struct stack_frame *frame)
{
	cell_symbol(value, frame->function);
}

void cell_line(struct value *value, const struct stack_frame *frame)
{
	if (!frame->file.len)
		return;
	cell_dump_text(value, frame->file);
	buf_addf(value->text, ":%" PRIu64, frame->line);
}

static bool find_site(const struct heap *heap, uint32_t profile, struct stack_frame *frame)
{
	return profile != PROFILE_NONE && profile_site(&heap->profiles.profile[profile], frame);
}

void cell_site_function(struct value *value, const struct heap *heap, uint32_t profile)
{
	struct stack_frame frame;
	if (find_site(heap, profile, &frame))
		cell_function(value, &frame);
}

void cell_site_line(struct value *value, const struct heap *heap, uint32_t profile)
{
	struct stack_frame frame;
	if (find_site(heap, profile, &frame))
		cell_line(value, &frame);
}

uint64_t site_code(uint32_t profile)
{
	return profile == PROFILE_NONE ? 0 : 1 + (uint64_t)profile;
}

void site_function_cell(const struct rows *rows, uint64_t code, struct value *value)
{
	cell_site_function(value, analysis_heap(rows->analysis), (uint32_t)(code - 1));
}

void site_line_cell(const struct rows *rows, uint64_t code, struct value *value)
{
	cell_site_line(value, analysis_heap(rows->analysis), (uint32_t)(code - 1));
}

bool argument_profile(const struct heap *heap, const char *text, uint32_t *index, struct err *err)
{
	uint64_t id;
	if (!argument_address(text, &id))
		return err_set(err, "\"%.60s\" is no id of a profile; the table profiles has them", text);
	*index = profiles_find(&heap->profiles, id);
	if (*index != PROFILE_NONE)
		return true;
	err_set(err, "The dump has no allocation profile 0x%" PRIx64 "; the table profiles lists them",
	        id);
	return argument_absent(heap, DAMAGE_PROFILE, err);
}
