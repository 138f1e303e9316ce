#include "heap/heap.h"

#include "base/bound.h"
#include "base/mem.h"
#include "heap/columns.h"
#include "heap/edges.h"
#include "heap/name_part.h"
#include "heap/outline.h"
#include "heap/reference.h"
#include "log_objects.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

static const char *const root_kind_names[ROOT_INTERNAL] = {
	"data",  "bss",   "frame", "finalizer", "queued_finalizer",
	"defer", "panic", "other", "cleanup",   "weak_handle",
};

const char *heap_root_kind(const struct heap *heap, int kind)
{
	if (kind < ROOT_INTERNAL)
		return root_kind_names[kind];
	return heap->format->root_kinds ? heap->format->root_kinds[kind - ROOT_INTERNAL].name : NULL;
}

const struct objects *heap_objects(const struct heap *heap)
{
	return heap->objects;
}

const struct root *heap_root(const struct heap *heap, uint32_t index)
{
	return &heap->roots[index];
}

bool heap_has(const struct heap *heap, unsigned parts)
{
	return (heap->parts & parts) == parts;
}

struct root_kinds heap_root_kinds(const struct heap *heap)
{
	return heap->format->root_kinds ? (struct root_kinds){ROOT_INTERNAL, ROOT_KINDS}
	                                : (struct root_kinds){ROOT_DATA, ROOT_INTERNAL};
}

#define LIST(first, items, number)                                   \
	{                                                                \
		offsetof(struct heap, items), offsetof(struct heap, number), \
			sizeof *((struct heap *)NULL)->items, first              \
	}

struct heap_list heap_list(struct heap *heap, enum record_kind kind)
{
	static const struct {
		size_t items, count, stride;
		enum record_kind first;
	} lists[RECORD_KINDS] = {
		[RECORD_TYPE] = LIST(RECORD_TYPE, types, type_count),
		[RECORD_ITAB] = LIST(RECORD_ITAB, itabs, itab_count),
		[RECORD_GOROUTINE] = LIST(RECORD_GOROUTINE, threads, thread_count),
		[RECORD_FRAME] = LIST(RECORD_FRAME, frames, frame_count),
		[RECORD_FINALIZER] = LIST(RECORD_FINALIZER, finalizers, finalizer_count),
		[RECORD_QUEUED_FINALIZER] = LIST(RECORD_FINALIZER, finalizers, finalizer_count),
		[RECORD_OS_THREAD] = LIST(RECORD_OS_THREAD, os_threads, os_thread_count),
		[RECORD_DATA] = LIST(RECORD_DATA, segments, segment_count),
		[RECORD_BSS] = LIST(RECORD_DATA, segments, segment_count),
		[RECORD_OTHERROOT] = LIST(RECORD_OTHERROOT, otherroots, otherroot_count),
		[RECORD_FOUNDROOT] = LIST(RECORD_FOUNDROOT, foundroots, foundroot_count),
		[RECORD_DEFER] = LIST(RECORD_DEFER, defers, defer_count),
		[RECORD_PANIC] = LIST(RECORD_PANIC, panics, panic_count),
		[RECORD_PROFILE] = LIST(RECORD_PROFILE, profiles.profile, profiles.count),
		[RECORD_MAPPING] = LIST(RECORD_MAPPING, mappings, mapping_count),
		[RECORD_SPAN] = LIST(RECORD_SPAN, spans, span_count),
		[RECORD_SAMPLE] = LIST(RECORD_SAMPLE, profiles.sample, profiles.sample_count),
	};
	char *base = (char *)heap;
	if (!lists[kind].stride)
		return (struct heap_list){0};
	return (struct heap_list){(void **)(base + lists[kind].items),
	                          (uint32_t *)(base + lists[kind].count), lists[kind].stride,
	                          lists[kind].first};
}

struct heap_records heap_records(const struct heap *heap, enum record_kind kind)
{
	struct heap_list list = heap_list((struct heap *)heap, kind);
	if (kind == RECORD_PARAMS)
		return (struct heap_records){&heap->params, 1, sizeof heap->params};
	if (kind == RECORD_MEMSTATS)
		return (struct heap_records){&heap->memstats, 1, sizeof heap->memstats};
	if (!list.stride)
		return (struct heap_records){0};
	return (struct heap_records){*list.items, *list.count, list.stride};
}

void heap_free(struct heap *heap)
{
	if (!heap)
		return;
	struct heap_columns *c = heap->columns;
	mem_column_free(c->target, c->target_size);
	if (c->place)
		mem_column_free(c->place, c->place_size);
	long_holders_free(c->long_holders);
	outline_free(c->outline);
	starts_fini(&c->starts);
	starts_fini(&c->back_starts);
	mem_column_free(c->source, c->source_size);
	for (uint32_t i = 0; i < heap->warning_count; i++)
		free(heap->warnings[i].text);
	for (int kind = 0; kind < RECORD_KINDS; kind++) {
		struct heap_list list = heap_list(heap, (enum record_kind)kind);
		if (list.stride && list.first == (enum record_kind)kind)
			free(*list.items);
	}
	objects_free(heap->objects);
	profiles_fini(&heap->profiles);
	record_index_fini(&heap->index);
	if (heap->reader)
		heap->format->close(heap->reader);
	free(c->weak);
	free(c->soft);
	free(c->stack_word);
	free(c);
	free(heap->warnings);
	free(heap->roots);
	free(heap);
}

uint32_t heap_object_count(const struct heap *heap)
{
	return objects_count(heap->objects);
}

uint32_t heap_find(const struct heap *heap, uint64_t address)
{
	return objects_find(heap->objects, address);
}

uint64_t heap_address(const struct heap *heap, uint32_t id)
{
	struct object_place place;
	objects_place(heap->objects, id, &place);
	return place.slot + place.header;
}

static uint64_t heap_address_at(const void *heap, size_t id)
{
	return heap_address(heap, (uint32_t)id);
}

uint32_t heap_first_from(const struct heap *heap, uint64_t address)
{
	uint32_t count = heap_object_count(heap);
	size_t at = lower_bound_of(heap, 0, count, heap_address_at, address);
	return at < count ? (uint32_t)at : OBJECT_NONE;
}

uint64_t heap_size(const struct heap *heap, uint32_t id)
{
	return objects_size(heap->objects, id);
}

/* The record that this thread has decoded last, since the next one is often close behind it: its
   row, the number of records before it there, and the heap, which may be gone. */
static _Thread_local struct {
	uint64_t serial, offset;
	uint32_t skip;
	struct object_record record;
} heap_last;

/* Decodes the records of a row up to that of an object. Only formats with `next` have them in
   mapped memory, where a record stays as it is. */
static bool heap_object_in_row(const struct heap *heap, const struct object_place *place)
{
	struct object_record *record = &heap_last.record;
	bool near = heap_last.serial == heap->columns->serial && heap_last.offset == place->offset
	            && heap_last.skip <= place->skip && heap->format->next;
	bool read = near || heap->format->object(heap->reader, place->offset, record);
	for (uint32_t i = near ? heap_last.skip : 0; i < place->skip && read; i++)
		read = format_row(heap->format, heap->reader, 0, record);
	heap_last.serial = read ? heap->columns->serial : 0;
	heap_last.offset = place->offset;
	heap_last.skip = place->skip;
	return read;
}

bool heap_object(const struct heap *heap, uint32_t id, struct object_record *record)
{
	struct object_place place;
	objects_place(heap->objects, id, &place);
	if (heap->log) {
		*record =
			(struct object_record){.offset = place.offset, .slot = place.slot, .size = place.size};
		return true;
	}
	if (!heap_object_in_row(heap, &place))
		return false;
	*record = heap_last.record;
	return record->slot == place.slot && record->size == place.size;
}

uint32_t heap_type(const struct heap *heap, uint32_t id)
{
	return (uint32_t)heap->log->object[id].type;
}

uint32_t heap_section(const struct heap *heap, uint32_t id)
{
	return heap->log->object[id].section;
}

bool heap_all_linked(const struct heap *heap, uint64_t *low, uint64_t *span)
{
	*low = heap->columns->low;
	*span = heap->columns->span;
	return heap->columns->all_linked;
}

struct edges heap_edges(const struct heap *heap)
{
	return (struct edges){&heap->columns->starts, heap->columns->target};
}

struct ids heap_references(const struct heap *heap, uint32_t id)
{
	return edges_of(heap_edges(heap), id);
}

bool heap_lacks_cleanups(const struct heap *heap)
{
	enum { CLEANUPS_SINCE = 24 };
	return heap_has(heap, PART_GO) && !heap_has(heap, PART_PROCESS)
	       && record_minor_version(heap->params.version) >= CLEANUPS_SINCE;
}

/* ---- Threads */

enum {
	STACK_LEAST = 1024, /* alignment of stacks */
	ALLOCATED = 7       /* word of struct g: in Go 1.5 to 1.8 a stack ends before its memory */
};

static bool thread_stack_is_size(uint64_t size)
{
	return size >= STACK_LEAST && (size & (size - 1)) == 0;
}

/* Returns the bytes of a thread's stack and its address; 0: not known. Since Go 1.4 the
   runtime's g is an object that begins with the bounds of its stack. The bounds are accepted only
   if the size is a power of two and sp lies inside. */
static uint64_t thread_stack_size(const struct heap *heap, const struct thread *g,
                                  uint64_t *address)
{
	const struct goroutine_record *record = &g->record;
	uint64_t word = heap->params.pointer_size;
	uint32_t id = heap_find(heap, record->address);
	struct object_record object;
	if (id == OBJECT_NONE || heap_address(heap, id) != record->address
	    || !heap_object(heap, id, &object)
	    || object.stored < object.header + (ALLOCATED + 1) * word)
		return 0;
	const uint8_t *words = object.data + object.header;
	uint64_t low = heap_word(heap, words), high = heap_word(heap, words + word);
	uint64_t size = high - low, allocated = heap_word(heap, words + ALLOCATED * word);
	*address = low;
	if (low >= high || low % STACK_LEAST || record->sp < low || record->sp > high)
		return 0;
	if (thread_stack_is_size(size))
		return size;
	bool fits = allocated > size && size > allocated / 2;
	return fits && thread_stack_is_size(allocated) ? allocated : 0;
}

struct thread_stack heap_thread_stack(const struct heap *heap, uint32_t thread)
{
	const struct thread *g = &heap->threads[thread];
	struct thread_stack stack = {0};
	stack.bytes = thread_stack_size(heap, g, &stack.address);
	stack.exact = stack.bytes;
	for (uint32_t i = 0; !stack.exact && i < g->frames; i++)
		stack.bytes += heap->frames[g->first_frame + i].record.size;
	return stack;
}

struct thread_stack heap_stacks(const struct heap *heap)
{
	struct thread_stack sum = {.exact = true};
	for (uint32_t i = 0; i < heap->thread_count; i++) {
		struct thread_stack stack = heap_thread_stack(heap, i);
		sum.bytes += stack.bytes;
		sum.exact &= stack.exact;
	}
	return sum;
}

void thread_add_name(const struct heap *heap, const struct thread *thread, struct buf *out)
{
	buf_add(out, heap_words(heap)->thread);
	if (name_wants(out, NAME_ID))
		buf_addf(out, " %" PRIu64, thread->record.id);
}
