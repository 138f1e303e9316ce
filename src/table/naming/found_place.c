#include "table/naming/found_place.h"

#include "heap/heap.h"
#include "table/naming/entity_parts.h"
#include "table/naming/step.h"
#include "table/naming/typed.h"

void found_add_name(const struct analysis *analysis, const struct find_hit *hit, struct buf *out)
{
	const struct heap *heap = analysis_heap(analysis);
	if (hit->place == FIND_OBJECT)
		step_add(analysis, hit->index, hit->offset, out);
	else if (hit->place == FIND_SEGMENT)
		typed_add_global(analysis, heap->segments[hit->index].address + hit->offset, NULL, out);
	else if (analysis_typing(analysis)) {
		const struct frame_record *frame = &heap->frames[hit->index].record;
		typed_add_local(analysis, frame, frame->sp + hit->offset, NULL, out);
	}
}

void found_add_expression(const struct analysis *analysis, const struct find_hit *hit,
                          struct buf *out)
{
	size_t before = out->len;
	if (hit->place == FIND_OBJECT) {
		step_add_object(analysis, hit->index, out);
	} else if (hit->place == FIND_FRAME) {
		entity_frame_name(&(struct naming){
			.analysis = analysis,
			.heap = analysis_heap(analysis),
			.id = hit->index,
			.out = out,
		});
		buf_add_char(out, ' ');
	}
	size_t place = out->len;
	if (place > before || hit->place == FIND_SEGMENT)
		found_add_name(analysis, hit, out);
	if (hit->place == FIND_FRAME && out->len == place)
		buf_truncate(out, place - 1);
}
