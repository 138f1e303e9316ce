/* The steps from a root: part of table/naming/step_class.h. */
#include "table/naming/step_root.h"

#include "base/text.h"
#include "heap/heap.h"
#include "heap/root.h"
#include "table/naming/entity_parts.h"
#include "table/naming/thread.h"

#include <string.h>

enum { NAME_LIMIT = 200 };

/* Returns the function that describes the thread of a frame, if the frame was called from it;
   else an empty text. Stores the function of the frame: of a wrapper, the one that it calls. */
static struct text step_class_caller(const struct analysis *analysis, uint32_t frame,
                                     struct text *function)
{
	const struct heap *heap = analysis_heap(analysis);
	uint32_t thread = heap->frames[frame].thread;
	struct thread_place place;
	*function = heap->frames[frame].record.function;
	if (thread == UINT32_MAX || !thread_place_of(analysis, &heap->threads[thread], &place))
		return (struct text){0};
	if (frame == place.frame && place.wraps)
		*function = place.function;
	return frame < place.frame ? place.function : (struct text){0};
}

static void step_class_add_function(struct text function, struct buf *out)
{
	text_add_symbol(out, function.data, function.len, NAME_LIMIT);
}

/* Appends a variable of a function, the same for all threads with the same task. In a function
   of the runtime that parks a thread, the variable counts as the thread's. */
static void add_local(const struct analysis *analysis, const struct root *root, struct buf *out)
{
	const struct heap *heap = analysis_heap(analysis);
	struct text function, caller = step_class_caller(analysis, root->holder, &function);
	if (caller.len && symbol_is_of_runtime(function)) {
		const struct typing *typing = analysis_typing(analysis);
		gotype_id type = typing ? typing_type(typing, root->target) : 0;
		bool wait = type
		            && strcmp(gotype_get(typing_types(typing), type)->name, "runtime.sudog") == 0;
		buf_addf(out, "%s ", wait ? "wait of" : heap_words(heap)->thread);
		step_class_add_function(caller, out);
		return;
	}
	if (caller.len) {
		step_class_add_function(caller, out);
		buf_add(out, " > ");
	}
	step_class_add_function(function, out);
	buf_add_char(out, ' ');
	entity_add_slot(analysis, root, out);
}

void step_root_add(const struct analysis *analysis, const struct root *root, struct buf *out)
{
	if (root->kind == ROOT_FRAME)
		add_local(analysis, root, out);
	else if (root->kind == ROOT_DATA || root->kind == ROOT_BSS || root->kind >= ROOT_INTERNAL)
		entity_add_name(analysis, entity_of_root(analysis_heap(analysis), root), out);
	else
		buf_add(out, heap_root_kind(analysis_heap(analysis), root->kind));
}
