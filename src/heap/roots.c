/* The roots: every pointer into the heap from a place outside of it. Which places those are, and
   that an object is not kept by merely having a finalizer, is what Go's collector does
   (runtime/mgcmark.go: markroot). */
#include "heap/columns.h"

#include "base/mem.h"

static void add(struct heap *heap, struct root root)
{
	struct heap_columns *c = heap->columns;
	if (root.target == OBJECT_NONE || heap->root_count == UINT32_MAX - 1)
		return;
	heap->roots = mem_grow(heap->roots, heap->root_count, &c->root_capacity, sizeof *heap->roots);
	heap->roots[heap->root_count++] = root;
}

static void add_walk(struct heap *heap, struct pointer_walk *walk, struct root root)
{
	struct pointer pointer;
	uint64_t start = root.address;
	while (pointer_walk_next(walk, &pointer)) {
		root.target = pointer.target;
		root.address = start + pointer.offset;
		add(heap, root);
	}
}

static void add_segments(struct heap *heap, enum root_kind kind)
{
	for (uint32_t i = 0; i < heap->segment_count; i++) {
		const struct segment_record *segment = &heap->segments[i];
		struct pointer_walk walk;
		if (segment->bss != (kind == ROOT_BSS))
			continue;
		pointer_walk_segment(&walk, heap, segment);
		add_walk(heap, &walk, (struct root){.kind = (uint8_t)kind, .holder = i,
		                                    .address = segment->address});
	}
}

static void add_frames(struct heap *heap, enum root_kind kind)
{
	for (uint32_t i = 0; i < heap->frame_count; i++) {
		struct frame *frame = &heap->frames[i];
		struct pointer_walk walk;
		pointer_walk_frame(&walk, heap, &frame->record);
		frame->first_root = heap->root_count;
		add_walk(heap, &walk, (struct root){.kind = (uint8_t)kind, .holder = i,
		                                    .address = frame->record.sp});
		frame->roots = heap->root_count - frame->first_root;
	}
}

/* What the object refers to must live until its finalizer has run; the object itself does not count. */
static void add_finalizer_references(struct heap *heap, struct root root, uint32_t object)
{
	struct object_record record;
	struct pointer_walk walk;
	if (object == OBJECT_NONE || !heap_object(heap, object, &record))
		return;
	pointer_walk_object(&walk, heap, &record);
	root.part = FINALIZER_REFERENCE;
	root.address = record.slot + record.header;
	add_walk(heap, &walk, root);
}

static void add_finalizers(struct heap *heap, enum root_kind kind)
{
	for (uint32_t i = 0; i < heap->finalizer_count; i++) {
		const struct finalizer_record *f = &heap->finalizers[i];
		uint32_t object = columns_find(heap, f->object);
		if (f->queued != (kind == ROOT_QUEUED_FINALIZER))
			continue;
		add(heap, (struct root){.kind = (uint8_t)kind, .holder = i, .part = FINALIZER_FUNCTION,
		                        .target = columns_find(heap, f->function)});
		if (f->queued)
			add(heap, (struct root){.kind = (uint8_t)kind, .holder = i,
			                        .part = FINALIZER_OBJECT, .target = object});
		else
			add_finalizer_references(heap, (struct root){.kind = (uint8_t)kind, .holder = i}, object);
	}
}

static void add_defers(struct heap *heap, enum root_kind kind)
{
	for (uint32_t i = 0; i < heap->defer_count; i++) {
		const uint64_t held[] = {heap->defers[i].address, heap->defers[i].function};
		for (uint8_t part = 0; part < 2; part++)
			add(heap, (struct root){.kind = (uint8_t)kind, .holder = i, .part = part,
			                        .target = columns_find(heap, held[part])});
	}
}

static void add_panics(struct heap *heap, enum root_kind kind)
{
	for (uint32_t i = 0; i < heap->panic_count; i++)
		add(heap, (struct root){.kind = (uint8_t)kind, .holder = i,
		                        .target = columns_find(heap, heap->panics[i].data)});
}

static void add_others(struct heap *heap, enum root_kind kind)
{
	for (uint32_t i = 0; i < heap->otherroot_count; i++)
		add(heap, (struct root){.kind = (uint8_t)kind, .holder = i,
		                        .target = columns_find(heap, heap->otherroots[i].target)});
}

void heap_link_roots(struct heap *heap)
{
	static void (*const collect[ROOT_KINDS])(struct heap *, enum root_kind) = {
		[ROOT_DATA] = add_segments, [ROOT_BSS] = add_segments, [ROOT_FRAME] = add_frames,
		[ROOT_FINALIZER] = add_finalizers, [ROOT_QUEUED_FINALIZER] = add_finalizers,
		[ROOT_DEFER] = add_defers, [ROOT_PANIC] = add_panics, [ROOT_OTHER] = add_others,
	};
	for (int kind = 0; kind < ROOT_KINDS; kind++) {
		heap->root_kind_first[kind] = heap->root_count;
		collect[kind](heap, (enum root_kind)kind);
	}
	heap->root_kind_first[ROOT_KINDS] = heap->root_count;
}
