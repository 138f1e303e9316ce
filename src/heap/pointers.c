/* The pointers of a piece of memory, one by one: pointer_walk of heap/heap.h. */
#include "heap/columns.h"

void pointer_walk_object(struct pointer_walk *walk, const struct heap *heap,
                         const struct object_record *record)
{
	*walk = (struct pointer_walk){heap, record->fields, record->data, record->stored, record->header};
}

void pointer_walk_frame(struct pointer_walk *walk, const struct heap *heap,
                        const struct frame_record *frame)
{
	*walk = (struct pointer_walk){heap, frame->fields, frame->data, frame->size, 0};
}

void pointer_walk_segment(struct pointer_walk *walk, const struct heap *heap,
                          const struct segment_record *segment)
{
	*walk = (struct pointer_walk){heap, segment->fields, segment->data, segment->size, 0};
}

bool pointer_walk_next(struct pointer_walk *walk, struct pointer *pointer)
{
	uint64_t offset;
	unsigned width = walk->heap->params.layout.pointer_size;
	while (fields_next(&walk->fields, &offset)) {
		if (walk->size < width || offset > walk->size - width || offset < walk->header)
			continue;
		pointer->offset = offset - walk->header;
		pointer->value = heap_word(walk->heap, walk->data + offset);
		pointer->target = columns_find(walk->heap, pointer->value);
		return true;
	}
	return false;
}
