/* heap/pointer_walk.h: iterates over the pointers of a piece of memory. */
#include "heap/columns.h"
#include "heap/edges.h"
#include "heap/pointer_walk.h"

void pointer_walk_object(struct pointer_walk *walk, const struct heap *heap,
                         const struct object_record *record)
{
	*walk = (struct pointer_walk){.heap = heap,
	                              .fields = record->fields,
	                              .data = record->data,
	                              .size = record->stored,
	                              .header = record->header};
	walk->listed = heap->log;
	if (heap->log)
		walk->ids = heap_references(heap, heap_find(heap, record->slot));
}

static inline bool pointer_walk_word(struct pointer_walk *walk, uint64_t *offset, uint64_t *word)
{
	unsigned width = walk->heap->params.layout.pointer_size;
	while (fields_next(&walk->fields, offset)) {
		if (walk->size < width || *offset > walk->size - width)
			continue;
		*word = heap_word(walk->heap, walk->data + *offset);
		return true;
	}
	return false;
}

/* Dangling pointers have no reference: if there are any, the references do not say which pointers
   they belong to. Returns true if the object has none. */
static bool pointer_walk_all_linked(const struct pointer_walk *walk)
{
	struct pointer_walk counted = *walk;
	uint64_t offset, word;
	size_t count = 0;
	if (walk->heap->columns->all_linked)
		return true;
	while (pointer_walk_word(&counted, &offset, &word))
		count += columns_may_find(walk->heap, word);
	return count == walk->ids.count;
}

void pointer_walk_linked(struct pointer_walk *walk, const struct heap *heap, uint32_t id,
                         const struct object_record *record)
{
	pointer_walk_object(walk, heap, record);
	if (walk->listed)
		return;
	walk->ids = heap_references(heap, id);
	walk->linked = pointer_walk_all_linked(walk);
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

static uint32_t take_id(struct pointer_walk *walk)
{
	walk->ids.count--;
	return *walk->ids.id++;
}

static uint32_t pointer_walk_target(struct pointer_walk *walk, uint64_t word)
{
	if (!walk->linked)
		return columns_find(walk->heap, word);
	return columns_may_find(walk->heap, word) && walk->ids.count ? take_id(walk) : OBJECT_NONE;
}

bool pointer_walk_next(struct pointer_walk *walk, struct pointer *pointer)
{
	uint64_t offset, word;
	if (walk->listed && walk->ids.count) {
		uint32_t target = take_id(walk);
		*pointer = (struct pointer){PLACE_NUMBER | walk->number++, heap_address(walk->heap, target),
		                            target};
		return true;
	}
	while (!walk->listed && pointer_walk_word(walk, &offset, &word)) {
		uint32_t target = pointer_walk_target(walk, word);
		if (offset < walk->header)
			continue;
		*pointer = (struct pointer){offset - walk->header, word, target};
		return true;
	}
	return false;
}
