#include "table/goroutine_cell.h"

#include "base/text.h"
#include "table/columns.h"
#include "table/source.h"

#include <inttypes.h>
#include <string.h>

enum { NAME_LIMIT = 200 };

static const struct goroutine *goroutine_of_row(const struct rows *rows, size_t row)
{
	return rows->table->goroutine(rows, row);
}

void goroutine_id_cell(const struct rows *rows, size_t row, struct value *value)
{
	if (goroutine_of_row(rows, row))
		cell_number(value, VALUE_ID, goroutine_of_row(rows, row)->record.id);
}

void goroutine_status_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct goroutine *goroutine = goroutine_of_row(rows, row);
	char name[32];
	if (goroutine)
		cell_text(value, goroutine_status_name(goroutine->record.status, name));
}

static void add_significant_function(const struct heap *heap, const struct goroutine *goroutine,
                                     struct buf *out)
{
	uint32_t frame = goroutine_significant_frame(heap, goroutine);
	struct value place = {.text = out};
	if (frame != UINT32_MAX)
		cell_dump_text(&place, heap->frames[frame].record.function);
}

void goroutine_function_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct goroutine *goroutine = goroutine_of_row(rows, row);
	if (!goroutine)
		return;
	add_significant_function(rows->analysis->heap, goroutine, cell_begin(value));
	cell_end(value);
}

/* "server.go:42", of that function's frame. */
static void add_significant_source(const struct analysis *analysis,
                                   const struct goroutine *goroutine, struct buf *out)
{
	uint32_t frame = goroutine_significant_frame(analysis->heap, goroutine);
	struct pclntab_line line;
	if (frame != UINT32_MAX && source_of_frame(analysis, frame, &line))
		source_add(&line, out);
}

void goroutine_source_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct goroutine *goroutine = goroutine_of_row(rows, row);
	if (!goroutine)
		return;
	add_significant_source(rows->analysis, goroutine, cell_begin(value));
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
	buf_addf(out, "goroutine %" PRIu64 " ", goroutine->record.id);
	add_significant_function(analysis->heap, goroutine, out);
	buf_add_char(out, ' ');
	add_significant_source(analysis, goroutine, out);
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
		text_add_escaped(out, frame->record.function.data, frame->record.function.len, NAME_LIMIT);
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
