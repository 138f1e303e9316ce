/* Roots: pointers into the heap from outside of it, as Go's collector defines them
   (runtime/mgcmark.go: markroot). An object is not kept alive by having a finalizer. */
#include "heap/columns.h"
#include "log_objects.h"

#include "base/bound.h"
#include "base/map.h"
#include "base/mem.h"
#include "heap/pointer_walk.h"

static void roots_add(struct heap *heap, struct root root)
{
	struct heap_columns *c = heap->columns;
	if (root.target == OBJECT_NONE || heap->root_count == UINT32_MAX - 1)
		return;
	MEM_PUSH(heap->roots, heap->root_count, c->root_capacity, root);
}

static void add_walk(struct heap *heap, struct pointer_walk *walk, struct root root)
{
	struct pointer pointer;
	uint64_t start = root.address;
	while (pointer_walk_next(walk, &pointer)) {
		root.target = pointer.target;
		root.address = start + pointer.offset;
		roots_add(heap, root);
	}
}

/* Adds pointers that the early format of Go 1.3 found in data or bss; it does not say in which. */
static void add_found_globals(struct heap *heap)
{
	for (uint32_t i = 0; i < heap->foundroot_count; i++) {
		const struct foundroot_record *f = &heap->foundroots[i];
		if (!f->on_stack)
			roots_add(heap, (struct root){.kind = ROOT_DATA,
			                              .address = f->address,
			                              .target = columns_find(heap, f->target)});
	}
}

/* Adds pointers that it found in frames, in the order of frames. If frames have the same sp, the
   first one gets them. */
static void add_found_locals(struct heap *heap, struct map *found, uint32_t index)
{
	uint64_t i = UINT32_MAX, sp = heap->frames[index].record.sp;
	if (!map_get(found, sp, &i))
		return;
	for (; i != UINT32_MAX; i = heap->foundroots[i].next)
		roots_add(heap, (struct root){.kind = ROOT_FRAME,
		                              .holder = index,
		                              .address = heap->foundroots[i].address,
		                              .target = columns_find(heap, heap->foundroots[i].target)});
	map_put(found, sp, UINT32_MAX);
}

/* Returns a map from sp to the first found pointer of a frame; `next` links the others. */
static struct map chain_found_locals(struct heap *heap)
{
	struct map found = {0};
	for (uint32_t i = heap->foundroot_count; i-- > 0;) {
		struct foundroot_record *f = &heap->foundroots[i];
		uint64_t next = UINT32_MAX;
		if (!f->on_stack)
			continue;
		map_get(&found, f->frame_sp, &next);
		f->next = (uint32_t)next;
		map_put(&found, f->frame_sp, i);
	}
	return found;
}

static void add_segments(struct heap *heap, enum root_kind kind)
{
	if (kind == ROOT_DATA)
		add_found_globals(heap);
	for (uint32_t i = 0; i < heap->segment_count; i++) {
		const struct segment_record *segment = &heap->segments[i];
		struct pointer_walk walk;
		if (segment->bss != (kind == ROOT_BSS))
			continue;
		pointer_walk_segment(&walk, heap, segment);
		add_walk(heap, &walk,
		         (struct root){.kind = (uint8_t)kind, .holder = i, .address = segment->address});
	}
}

/* Adds the pointers of a frame that its record does not list. */
static void add_stack_words(struct heap *heap, uint32_t index)
{
	const struct frame_record *frame = &heap->frames[index].record;
	struct stack_words words = heap_stack_words(heap, index);
	for (size_t i = 0; i < words.count; i++) {
		const struct stack_word *word = &words.word[i];
		uint32_t target = columns_find(heap, heap_word(heap, frame->data + word->offset));
		roots_add(heap, (struct root){.kind = ROOT_FRAME,
		                              .holder = index,
		                              .address = frame->sp + word->offset,
		                              .flags = (uint8_t)((word->guess ? ROOT_GUESS : 0)
		                                                 | (word->unlikely ? ROOT_UNLIKELY : 0)),
		                              .target = target});
	}
}

static void roots_add_frames(struct heap *heap, enum root_kind kind)
{
	struct map found = chain_found_locals(heap);
	heap_find_stack_words(heap);
	for (uint32_t i = 0; i < heap->frame_count; i++) {
		struct frame *frame = &heap->frames[i];
		struct pointer_walk walk;
		pointer_walk_frame(&walk, heap, &frame->record);
		frame->first_root = heap->root_count;
		add_walk(heap, &walk,
		         (struct root){.kind = (uint8_t)kind, .holder = i, .address = frame->record.sp});
		add_found_locals(heap, &found, i);
		add_stack_words(heap, i);
		frame->roots = heap->root_count - frame->first_root;
	}
	map_free(&found);
}

/* Adds the references of an object with a finalizer: they must live until it has run; the object
   itself is no root. The collector skips pointers back into what it is scanning, which is an
   object or 128 KB of a larger one (runtime.scanobject): they keep no object alive. */
static void add_finalizer_references(struct heap *heap, struct root root, uint32_t object)
{
	enum { OBLET = 128 << 10 };
	struct object_record record;
	struct pointer_walk walk;
	struct pointer pointer;
	if (object == OBJECT_NONE || !heap_object(heap, object, &record))
		return;
	pointer_walk_object(&walk, heap, &record);
	root.part = FINALIZER_REFERENCE;
	while (pointer_walk_next(&walk, &pointer)) {
		root.address = record.slot + record.header + pointer.offset;
		uint64_t scanned = root.address - (root.address - record.slot) % OBLET;
		root.target = pointer.target;
		if (pointer.target != object || pointer.value - scanned >= OBLET)
			roots_add(heap, root);
	}
}

static void roots_add_finalizers(struct heap *heap, enum root_kind kind)
{
	struct map seen = {0}; /* Go allows one finalizer per object; a damaged file may have more */
	for (uint32_t i = 0; i < heap->finalizer_count; i++) {
		const struct finalizer_record *f = &heap->finalizers[i];
		uint32_t object = columns_find(heap, f->object);
		if (f->queued != (kind == ROOT_QUEUED_FINALIZER))
			continue;
		roots_add(heap, (struct root){.kind = (uint8_t)kind,
		                              .holder = i,
		                              .part = FINALIZER_FUNCTION,
		                              .target = columns_find(heap, f->function)});
		if (f->queued)
			roots_add(heap, (struct root){.kind = (uint8_t)kind,
			                              .holder = i,
			                              .part = FINALIZER_OBJECT,
			                              .target = object});
		else if (map_add(&seen, object, &(uint64_t){1}))
			add_finalizer_references(heap, (struct root){.kind = (uint8_t)kind, .holder = i},
			                         object);
	}
	map_free(&seen);
}

static void add_defers(struct heap *heap, enum root_kind kind)
{
	for (uint32_t i = 0; i < heap->defer_count; i++) {
		const uint64_t held[] = {heap->defers[i].address, heap->defers[i].function};
		for (uint8_t part = 0; part < 2; part++)
			roots_add(heap, (struct root){.kind = (uint8_t)kind,
			                              .holder = i,
			                              .part = part,
			                              .target = columns_find(heap, held[part])});
	}
}

static void add_panics(struct heap *heap, enum root_kind kind)
{
	for (uint32_t i = 0; i < heap->panic_count; i++)
		roots_add(heap, (struct root){.kind = (uint8_t)kind,
		                              .holder = i,
		                              .target = columns_find(heap, heap->panics[i].data)});
}

/* The pointers of a cleanup are adjacent records of one offset, and one holder. */
static void roots_add_others(struct heap *heap, enum root_kind kind)
{
	const struct otherroot_record *all = heap->otherroots;
	for (uint32_t i = 0, first = 0; i < heap->otherroot_count; i++) {
		bool same = kind == ROOT_CLEANUP && all[first].role == all[i].role
		            && all[first].offset == all[i].offset && all[first].object == all[i].object
		            && i - first <= UINT8_MAX;
		first = same ? first : i;
		if (all[i].role == kind - ROOT_OTHER)
			roots_add(heap, (struct root){.kind = (uint8_t)kind,
			                              .holder = first,
			                              .part = (uint8_t)(i - first),
			                              .target = columns_find(heap, all[i].target)});
	}
}

static enum root_kind log_root_kind(const struct log_root *root)
{
	uint64_t kind = root->record.kind;
	return kind < LOG_KINDS ? ROOT_INTERNAL + (enum root_kind)kind : ROOT_UNKNOWN;
}

static void roots_add_log(struct heap *heap, enum root_kind kind)
{
	const struct log_objects *log = heap->log;
	for (size_t i = 0; log && i < log->root_count; i++) {
		const struct log_root *root = &log->root[i];
		if (log_root_kind(root) != kind)
			continue;
		roots_add(heap, (struct root){
							.kind = (uint8_t)kind,
							.holder = (uint32_t)i,
							.flags = root->record.flags,
							.target = log_objects_find_in(log, root->section, root->record.id)});
	}
}

void heap_link_roots(struct heap *heap)
{
	static void (*const collect[ROOT_KINDS])(struct heap *, enum root_kind) = {
		[ROOT_DATA] = add_segments,
		[ROOT_BSS] = add_segments,
		[ROOT_FRAME] = roots_add_frames,
		[ROOT_FINALIZER] = roots_add_finalizers,
		[ROOT_QUEUED_FINALIZER] = roots_add_finalizers,
		[ROOT_DEFER] = add_defers,
		[ROOT_PANIC] = add_panics,
		[ROOT_OTHER] = roots_add_others,
		[ROOT_CLEANUP] = roots_add_others,
		[ROOT_WEAK_HANDLE] = roots_add_others,
		[ROOT_INTERNAL] = roots_add_log,
		[ROOT_LOCAL] = roots_add_log,
		[ROOT_FINALIZER_QUEUE] = roots_add_log,
		[ROOT_HANDLE] = roots_add_log,
		[ROOT_STATIC] = roots_add_log,
		[ROOT_SPECIFIC] = roots_add_log,
		[ROOT_UNKNOWN] = roots_add_log,
	};
	for (int kind = 0; kind < ROOT_KINDS; kind++) {
		heap->root_kind_first[kind] = heap->root_count;
		collect[kind](heap, (enum root_kind)kind);
	}
	heap->root_kind_first[ROOT_KINDS] = heap->root_count;
}

uint32_t heap_root_count(const struct heap *heap, enum root_kind kind)
{
	return heap->root_kind_first[kind + 1] - heap->root_kind_first[kind];
}

static uint64_t roots_threads_before(const void *of, size_t at)
{
	const struct heap *heap = of;
	const struct root *root = &heap->roots[at];
	return root->kind == ROOT_DEFER ? heap->defers[root->holder].behind
	                                : heap->panics[root->holder].behind;
}

uint32_t roots_behind(const struct heap *heap, enum root_kind kind, uint32_t threads)
{
	return (uint32_t)lower_bound_of(heap, heap->root_kind_first[kind],
	                                heap->root_kind_first[kind + 1], roots_threads_before, threads);
}
