/* The pointers of a piece of memory, one by one: pointer_walk of heap/heap.h. */
#include "heap/columns.h"

void pointer_walk_object(struct pointer_walk *walk, const struct heap *heap,
                         const struct object_record *record)
{
	*walk = (struct pointer_walk){.heap = heap,
	                              .fields = record->fields,
	                              .data = record->data,
	                              .size = record->stored,
	                              .header = record->header};
	if (heap->log)
		walk->ids = heap_references(heap, heap_find(heap, record->slot));
}

void pointer_walk_frame(struct pointer_walk *walk, const struct heap *heap,
                        const struct frame_record *frame)
{
	*walk = (struct pointer_walk){
		.heap = heap, .fields = frame->fields, .data = frame->data, .size = frame->size};
}

void pointer_walk_segment(struct pointer_walk *walk, const struct heap *heap,
                          const struct segment_record *segment)
{
	*walk = (struct pointer_walk){
		.heap = heap, .fields = segment->fields, .data = segment->data, .size = segment->size};
}

static void take_log(struct pointer_walk *walk, struct pointer *pointer)
{
	uint32_t target = *walk->ids.id++;
	walk->ids.count--;
	*pointer = (struct pointer){UINT64_MAX, heap_address(walk->heap, target), target};
}

bool pointer_walk_next(struct pointer_walk *walk, struct pointer *pointer)
{
	uint64_t offset;
	unsigned width = walk->heap->params.layout.pointer_size;
	if (walk->ids.count) {
		take_log(walk, pointer);
		return true;
	}
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
