#include "table/naming/thread.h"

#include "base/text.h"
#include "heap/heap.h"
#include "table/naming/source.h"

#include <string.h>

enum { NAME_LIMIT = 200 };

bool thread_place_of(const struct analysis *analysis, const struct thread *thread,
                     struct thread_place *place)
{
	return thread_place(analysis_heap(analysis), analysis_names(analysis), thread, place);
}

static void thread_add_place_function(const struct thread_place *place, struct buf *out)
{
	buf_add_char(out, ' ');
	text_add_symbol(out, place->function.data, place->function.len, NAME_LIMIT);
}

void thread_add_function(const struct analysis *analysis, const struct thread *thread,
                         struct buf *out)
{
	struct thread_place place;
	if (thread_place_of(analysis, thread, &place))
		thread_add_place_function(&place, out);
}

void cell_creator(struct value *value, const struct analysis *analysis, const struct thread *thread)
{
	const char *name;
	if (names_function(analysis_names(analysis), thread->record.creator_pc, &name))
		cell_symbol(value, (struct text){name, strlen(name)});
}

void thread_add_place(const struct analysis *analysis, const struct thread *thread, struct buf *out)
{
	struct thread_place place;
	thread_add_name(analysis_heap(analysis), thread, out);
	if (!thread_place_of(analysis, thread, &place))
		return;
	thread_add_place_function(&place, out);
	if (place.line.line) {
		buf_add_char(out, ' ');
		source_add(&place.line, out);
	}
}

void thread_add_creator(const struct analysis *analysis, const struct thread *thread,
                        struct buf *out)
{
	struct value value = {.text = out};
	size_t before = out->len;
	cell_creator(&value, analysis, thread);
	if (out->len > before)
		return;
	const struct frame *frame = frame_of_pc(analysis_heap(analysis), thread->record.creator_pc);
	if (frame)
		text_add_symbol(out, frame->record.function.data, frame->record.function.len, NAME_LIMIT);
	else
		buf_add(out, thread->record.creator_pc ? "(not known)" : "(none)");
}

void thread_add_reason(const struct analysis *analysis, const struct thread *thread,
                       struct buf *out)
{
	char status[32];
	struct text reason = thread->record.wait_reason;
	(void)analysis;
	text_add_escaped(out, reason.data, reason.len, NAME_LIMIT);
	if (!reason.len)
		buf_add(out, thread_state(analysis_heap(analysis), thread->record.status, status));
}
