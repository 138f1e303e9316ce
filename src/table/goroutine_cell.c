#include "table/goroutine_cell.h"

#include "table/source.h"

#include <inttypes.h>
#include <string.h>

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
