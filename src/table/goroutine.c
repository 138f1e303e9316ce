#include "table/goroutine.h"

#include "base/text.h"
#include "table/source.h"

#include <inttypes.h>
#include <string.h>

enum { NAME_LIMIT = 200 };

void goroutine_add_function(const struct heap *heap, const struct goroutine *goroutine,
                            struct buf *out)
{
	uint32_t frame = goroutine_significant_frame(heap, goroutine);
	if (frame == UINT32_MAX)
		return;
	struct text function = heap->frames[frame].record.function;
	buf_add_char(out, ' ');
	text_add_symbol(out, function.data, function.len, NAME_LIMIT);
}

void cell_creator(struct value *value, const struct analysis *analysis,
                  const struct goroutine *goroutine)
{
	const char *name;
	if (names_function(analysis_names(analysis), goroutine->record.creator_pc, &name))
		cell_symbol(value, (struct text){name, strlen(name)});
}

void goroutine_add_place(const struct analysis *analysis, const struct goroutine *goroutine,
                         struct buf *out)
{
	uint32_t frame = goroutine_significant_frame(analysis_heap(analysis), goroutine);
	buf_addf(out, "goroutine %" PRIu64, goroutine->record.id);
	goroutine_add_function(analysis_heap(analysis), goroutine, out);
	if (frame != UINT32_MAX)
		source_add_frame(analysis, frame, out);
}

void goroutine_add_creator(const struct analysis *analysis, const struct goroutine *goroutine,
                           struct buf *out)
{
	struct value value = {.text = out};
	size_t before = out->len;
	cell_creator(&value, analysis, goroutine);
	if (out->len > before)
		return;
	const struct frame *frame = frame_of_pc(analysis_heap(analysis), goroutine->record.creator_pc);
	if (frame)
		text_add_symbol(out, frame->record.function.data, frame->record.function.len, NAME_LIMIT);
	else
		buf_add(out, goroutine->record.creator_pc ? "(not known)" : "(none)");
}

void goroutine_add_reason(const struct analysis *analysis, const struct goroutine *goroutine,
                          struct buf *out)
{
	char status[32];
	struct text reason = goroutine->record.wait_reason;
	(void)analysis;
	text_add_escaped(out, reason.data, reason.len, NAME_LIMIT);
	if (!reason.len)
		buf_add(out, goroutine_status_name(goroutine->record.status, status));
}
