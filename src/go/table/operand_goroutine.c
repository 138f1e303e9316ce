/* Parses goroutines, frames and words of frames by their names: part of table/naming/operand.h. */
#include "table/naming/operand_parts.h"

#include "heap/heap.h"
#include "heap/root.h"
#include "table/naming/argument.h"
#include "table/naming/entity_parts.h"
#include "table/naming/root.h"
#include "table/naming/source.h"
#include "table/naming/thread.h"

#include <inttypes.h>
#include <string.h>

/* Returns the length of the frame's name at `text`, with or without the line; 0: it does not
   match. */
static size_t operand_match_frame(const struct analysis *analysis, uint32_t frame, const char *text)
{
	SCOPED_BUF name = {0};
	entity_add_function(analysis_heap(analysis), frame, &name);
	size_t function = name.len, length = 0;
	if (function && strncmp(text, name.data, function) == 0 && operand_ends_here(text + function)) {
		source_add_frame(analysis, frame, &name);
		bool all = strncmp(text, name.data, name.len) == 0 && operand_ends_here(text + name.len);
		length = all ? name.len : function;
	}
	return length;
}

/* Finds the word of a frame whose name is at `text`, and returns the length of the name; 0:
   none. */
static size_t operand_match_slot(const struct analysis *analysis, uint32_t frame, const char *text,
                                 uint32_t *root)
{
	const struct frame *f = &analysis_heap(analysis)->frames[frame];
	SCOPED_BUF name = {0};
	size_t best = 0, mark = *text == '~'; /* of a guess, which may be left out */
	for (uint32_t r = f->first_root; r < f->first_root + f->roots; r++) {
		buf_clear(&name);
		entity_add_slot(analysis, &analysis_heap(analysis)->roots[r], &name);
		size_t marked = *buf_text(&name) == '~', length = name.len - marked;
		if (length <= best || strncmp(text + mark, name.data + marked, length) != 0
		    || !operand_ends_here(text + mark + length))
			continue;
		best = length;
		*root = r;
	}
	return best ? best + mark : 0;
}

/* Among the goroutine's frames with a matching name, selects the first one that has the named
   word. */
static void operand_read_frame(const struct analysis *analysis, const char *text, struct operand *o)
{
	const struct thread *g = &analysis_heap(analysis)->threads[o->index];
	for (uint32_t frame = g->first_frame; frame < g->first_frame + g->frames; frame++) {
		size_t length = operand_match_frame(analysis, frame, text), slot = 0;
		const char *word = text + length + strspn(text + length, operand_blanks);
		if (length && *word)
			slot = operand_match_slot(analysis, frame, word, &o->root);
		/* with its line */
		bool longer = o->kind == OPERAND_FRAME && length > (size_t)(o->end - text);
		if (length && (slot || longer || o->kind == OPERAND_THREAD)) {
			o->kind = OPERAND_FRAME;
			o->index = frame;
			o->end = text + length;
		}
		if (slot == 0)
			continue;
		o->kind = OPERAND_VALUE;
		o->end = word + slot;
		o->size = analysis_heap(analysis)->params.layout.pointer_size;
		o->value.place = root_value(analysis, &analysis_heap(analysis)->roots[o->root]);
		return;
	}
}

bool operand_read_thread(const struct analysis *analysis, const char *text, struct operand *o,
                         bool *good, struct err *err)
{
	const struct heap *heap = analysis_heap(analysis);
	uint64_t id;
	uint32_t index = 0;
	if (!operand_read_number(text, "goroutine ", &id, &o->end)
	    && !operand_read_number(text, "goroutine=", &id, &o->end))
		return false;
	while (index < heap->thread_count && heap->threads[index].record.id != id)
		index++;
	*good = index < heap->thread_count;
	o->kind = OPERAND_THREAD;
	o->index = index;
	if (!*good) {
		err_set(err, "The dump has no goroutine %" PRIu64 "; the table goroutines lists them all",
		        id);
		argument_absent(heap, DAMAGE_THREADS, err);
	} else if (*o->end == ' ') {
		const char *name = o->end;
		SCOPED_BUF function = {0}, reason = {0};
		buf_add(&reason, " in ");
		thread_add_reason(analysis, &heap->threads[index], &reason);
		if (strncmp(name, buf_text(&reason), reason.len) == 0 && !name[reason.len]) {
			o->end = name + reason.len;
			return true;
		}
		operand_read_frame(analysis, o->end + strspn(o->end, operand_blanks), o);
		if (analysis_has(analysis, STAGE_TYPED)) /* names are being written until then */
			thread_add_function(analysis, &heap->threads[index], &function);
		if (o->kind == OPERAND_THREAD && function.len
		    && strncmp(name, buf_text(&function), function.len) == 0
		    && operand_ends_here(name + function.len))
			o->end = name + function.len;
	}
	return true;
}

bool operand_is_thread(const struct analysis *analysis, const struct operand *operand)
{
	const struct frame *frame = &analysis_heap(analysis)->frames[operand->index];
	SCOPED_BUF label = {0};
	if (frame->thread == UINT32_MAX)
		return false;
	entity_add_label(analysis, (struct entity){ENTITY_THREAD, frame->thread, 0}, &label);
	return label.len == (size_t)(operand->end - operand->start)
	       && strncmp(buf_text(&label), operand->start, label.len) == 0;
}

/* ---- Whether a printed text resolves to its root */

static bool is_only_frame(const struct analysis *analysis, uint32_t index)
{
	const struct heap *heap = analysis_heap(analysis);
	const struct frame *frame = &heap->frames[index];
	if (frame->thread == UINT32_MAX)
		return false;
	const struct thread *g = &heap->threads[frame->thread];
	for (uint32_t i = g->first_frame; i < g->first_frame + g->frames; i++)
		if (i != index && text_equal(heap->frames[i].record.function, frame->record.function))
			return false;
	return true;
}

bool root_is_clear(const struct analysis *analysis, const struct root *root)
{
	SCOPED_BUF name = {0};
	uint32_t found = UINT32_MAX;
	if (root->kind == ROOT_DATA || root->kind == ROOT_BSS)
		return true;
	if (root->kind != ROOT_FRAME || !is_only_frame(analysis, root->holder))
		return false;
	entity_add_slot(analysis, root, &name);
	return operand_match_slot(analysis, root->holder, buf_text(&name), &found) == name.len
	       && found == (uint32_t)(root - analysis_heap(analysis)->roots);
}
