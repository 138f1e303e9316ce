#include "table/goroutine_cell.h"

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
