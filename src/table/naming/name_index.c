/* The names of all types, and of the functions of recorded stacks, to find one by its text: part of
   table/naming/typed.h. Computed at the first question, since most texts name nothing of these. */
#include "table/naming/operand_parts.h"

#include "analysis/kept.h"
#include "base/mem.h"
#include "base/plugin.h"
#include "base/string_set.h"
#include "base/text.h"
#include "heap/heap.h"
#include "table/naming/typed.h"

#include <stdlib.h>

enum { SHOWN = 200 }; /* bytes of a function's name */

struct name_index {
	struct string_set types, functions;
	gotype_id *type; /* by the number of its name: the first with it */
};

static void name_index_add_types(struct name_index *index, const struct gotypes *types)
{
	size_t capacity = 0, count = 0;
	SCOPED_BUF text = {0};
	for (gotype_id id = 1; id <= gotypes_count(types); id++) {
		bool is_new;
		buf_clear(&text);
		gotype_display(types, id, &text);
		string_set_number(&index->types, buf_text(&text), &is_new);
		if (is_new)
			MEM_PUSH(index->type, count, capacity, id);
	}
}

static void name_index_add_functions(struct name_index *index, const struct profiles *profiles)
{
	struct stack_frame frame;
	SCOPED_BUF text = {0};
	for (uint32_t i = 0; i < profiles->count; i++) {
		struct stack_walk walk = stack_walk(&profiles->profile[i]);
		while (stack_walk_next(&walk, &frame)) {
			buf_clear(&text);
			text_add_symbol(&text, frame.function.data, frame.function.len, SHOWN);
			string_set_number(&index->functions, buf_text(&text), NULL);
		}
	}
}

static void *name_index_make(const struct analysis *analysis, enum retain retain,
                             struct progress *progress)
{
	struct name_index *index = mem_alloc(sizeof *index);
	(void)retain, (void)progress;
	*index = (struct name_index){0};
	if (analysis_typing(analysis))
		name_index_add_types(index, typing_types(analysis_typing(analysis)));
	name_index_add_functions(index, &analysis_heap(analysis)->profiles);
	return index;
}

static void name_index_free(void *made)
{
	struct name_index *index = made;
	string_set_free(&index->types);
	string_set_free(&index->functions);
	free(index->type);
	free(index);
}

DEFINE_PLUGIN(kept_kinds, struct kept_kind, name_index_kept) = {
	.needs = STAGE_TYPED,
	.make = name_index_make,
	.free = name_index_free,
};

static const struct name_index *name_index_of(const struct analysis *analysis)
{
	return analysis_kept(analysis, &name_index_kept, RETAIN_ALIVE, NULL);
}

gotype_id typed_named(const struct analysis *analysis, const char *name)
{
	const struct name_index *index = name_index_of(analysis);
	uint32_t found = string_set_find(&index->types, type_unmarked(name));
	if (!found)
		found = string_set_find(&index->types, typed_without_count(name));
	return found ? index->type[found - 1] : 0;
}

bool operand_is_on_stack(const struct analysis *analysis, const char *function)
{
	return string_set_find(&name_index_of(analysis)->functions, function);
}
