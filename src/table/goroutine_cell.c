#include "table/goroutine_cell.h"

#include "base/text.h"
#include "table/source.h"

#include <inttypes.h>
#include <string.h>

enum { NAME_LIMIT = 200 };

void cell_status(struct value *value, const struct goroutine *goroutine)
{
	char name[32];
	cell_text(value, goroutine_status_name(goroutine->record.status, name));
}

void cell_telling_function(struct value *value, const struct heap *heap,
						   const struct goroutine *goroutine)
{
	uint32_t frame = goroutine_telling_frame(heap, goroutine);
	if (frame != UINT32_MAX)
		cell_dump_text(value, heap->frames[frame].record.function);
}

void cell_telling_source(struct value *value, const struct analysis *analysis,
						 const struct goroutine *goroutine)
{
	uint32_t frame = goroutine_telling_frame(analysis->heap, goroutine);
	struct pclntab_line line;
	if (frame == UINT32_MAX || !source_of_frame(analysis, frame, &line))
		return;
	source_add(&line, cell_begin(value));
	cell_end(value);
}

void cell_creator(struct value *value, const struct analysis *analysis,
				  const struct goroutine *goroutine)
{
	const char *name;
	if (names_function(analysis_names(analysis), goroutine->record.creator_pc, &name))
		cell_dump_text(value, (struct text){name, strlen(name)});
}

void goroutine_add_place(const struct analysis *analysis, const struct goroutine *goroutine,
						 struct buf *out)
{
	struct value place = {.text = out};
	buf_addf(out, "goroutine %" PRIu64 " ", goroutine->record.id);
	cell_telling_function(&place, analysis->heap, goroutine);
	buf_add_char(out, ' ');
	cell_telling_source(&place, analysis, goroutine);
}

void goroutine_add_creator(const struct analysis *analysis, const struct goroutine *goroutine,
						   struct buf *out)
{
	struct value value = {.text = out};
	size_t before = out->len;
	cell_creator(&value, analysis, goroutine);
	if (out->len > before)
		return;
	const struct frame *frame = frame_of_pc(analysis->heap, goroutine->record.creator_pc);
	if (frame)
		text_add_visible(out, frame->record.function.data, frame->record.function.len, NAME_LIMIT);
	else
		buf_add(out, goroutine->record.creator_pc ? "(not known)" : "(none)");
}

void goroutine_add_reason(const struct analysis *analysis, const struct goroutine *goroutine,
						  struct buf *out)
{
	char status[32];
	struct text reason = goroutine->record.wait_reason;
	(void)analysis;
	text_add_visible(out, reason.data, reason.len, NAME_LIMIT);
	if (!reason.len)
		buf_add(out, goroutine_status_name(goroutine->record.status, status));
}
