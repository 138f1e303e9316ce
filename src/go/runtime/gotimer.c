#include "go/runtime/gotimer.h"

#include "base/bound.h"
#include "base/map.h"
#include "base/mem.h"
#include "format/format.h"
#include "go/runtime/gochan.h"
#include "go/runtime/gomemory.h"
#include "go/runtime/size_class.h"
#include "godeadline.h"
#include "gotimer_layout.h"
#include "heap/heap.h"

#include <stdlib.h>

enum {
	TOLD_SINCE = 3,    /* first supported version; unknown versions are not read */
	LENGTHS_OF_32 = 3, /* last version with a runtime in C */
	OWNED_SINCE = 14,  /* since then every P has a heap of timers, before they are in variables */
	/* since then timers of channels are in a heap only while a goroutine waits */
	CHANNELS_SINCE = 23,
	GP_FIRST = 3, /* words before that of a variable: the goroutine that serves it */
	GP_LAST = 5,
	P_LEAST = 1024, /* bytes of a runtime.p: more than this */
	P_MOST = 65536,
	COUNTS = 12 /* bytes after the slice, since Go 1.14: numbers of timers and of stopped ones */
};

enum status { STATUS_DELETED = 3, STATUS_REMOVED = 5, STATUS_EARLIER = 7, STATUS_LATER = 8 };

struct gotimer_finding {
	const struct heap *heap;
	unsigned width, minor, prefix; /* bytes that package time puts before the runtime's struct */
	uint64_t channel_timer;        /* offset of the timer in a channel */
	struct layout_places places;
	struct map goroutines; /* g -> index */
	struct map owners;     /* owners already searched */
	struct map arrays;     /* arrays of heaps already searched */
	struct map taken;      /* timers already listed, by address */
	struct gotimers *timers;
	struct godeadlines deadlines;
	uint64_t p_size, p_offset; /* size of a runtime.p, and offset of its heap of timers */
};

/* A heap of timers. */
struct gotimer_heap {
	uint64_t array, count, owner;
	bool stopped; /* it still contains stopped timers */
};

static uint64_t gotimer_field(const struct gotimer_finding *f, const uint8_t *timer, unsigned field)
{
	uint64_t size = gotimer_layout.fields[field].size;
	if (f->places.at[field] == UINT64_MAX)
		return 0;
	return gomemory_number(f->heap, timer + f->places.at[field], size ? size : f->width);
}

/* ---- One timer */

/* Returns the time in the runtime's clock; 0: it is stopped. */
static uint64_t gotimer_when(const struct gotimer_finding *f, const uint8_t *timer)
{
	uint64_t status = gotimer_field(f, timer, STATUS);
	if (status == STATUS_DELETED || status == STATUS_REMOVED)
		return 0;
	bool moves = status == STATUS_EARLIER || status == STATUS_LATER;
	return gotimer_field(f, timer, moves ? NEXT_WHEN : WHEN);
}

/* Returns the kind of a timer. A time.Timer begins with its channel or nil; the runtime's own
   timers have no such prefix. */
static enum gotimer_kind gotimer_kind_of(struct gotimer_finding *f, const struct gotimer *timer)
{
	uint64_t begin = timer->address - f->prefix, thread;
	if (map_get(&f->goroutines, timer->target, &thread))
		return GOTIMER_SLEEP;
	if (timer->object == OBJECT_NONE || heap_address(f->heap, timer->object) != begin)
		return GOTIMER_RUNTIME;
	const uint8_t *data = gomemory_in_dump(f->heap, begin, f->width);
	uint64_t channel = data ? heap_word(f->heap, data) : 0;
	if (channel && channel == timer->target)
		return timer->period ? GOTIMER_TICKER : GOTIMER_TIMER;
	return channel ? GOTIMER_RUNTIME : GOTIMER_CALL;
}

static void gotimer_add(struct gotimer_finding *f, uint64_t address, const uint8_t *data)
{
	struct gotimers *timers = f->timers;
	uint64_t thread = 0, when = gotimer_when(f, data), taken;
	if (!when || when > INT64_MAX || map_get(&f->taken, address, &taken))
		return;
	map_put(&f->taken, address, 1);
	struct gotimer timer = {
		.object = heap_find(f->heap, address),
		.address = address,
		.when = when,
		.period = gotimer_field(f, data, PERIOD),
		.target = gotimer_field(f, data, ARG),
	};
	timer.kind = gotimer_kind_of(f, &timer);
	const uint8_t *function =
		timer.kind == GOTIMER_CALL ? gomemory_in_dump(f->heap, timer.target, f->width) : NULL;
	timer.code = function ? heap_word(f->heap, function) : 0;
	if (timer.kind == GOTIMER_SLEEP && map_get(&f->goroutines, timer.target, &thread))
		timer.thread = (uint32_t)thread;
	MEM_PUSH(timers->item, timers->count, timers->capacity, timer);
}

/* ---- Heaps of timers */

/* Since Go 1.23 the entry of a heap contains the time as well. */
static uint64_t gotimer_stride(const struct gotimer_finding *f)
{
	return f->minor >= CHANNELS_SINCE ? f->width + 8 : f->width;
}

/* Returns the n-th timer of a heap if it refers back to the heap or its position, or NULL. */
static const uint8_t *gotimer_entry(struct gotimer_finding *f, const struct gotimer_heap *heap,
                                    uint64_t n, uint64_t *address)
{
	unsigned owner = f->minor >= CHANNELS_SINCE ? TIMERS : OWNER;
	uint64_t stride = gotimer_stride(f);
	const uint8_t *entry = gomemory_in_dump(f->heap, heap->array + n * stride, stride);
	*address = entry ? heap_word(f->heap, entry) : 0;
	const uint8_t *timer = *address ? gomemory_in_dump(f->heap, *address, f->places.size) : NULL;
	if (!timer) {
		uint64_t when = entry && stride > f->width ? gomemory_number(f->heap, entry + f->width, 8)
		                                           : 0;
		godeadlines_add(&f->deadlines, *address, when, !heap->stopped);
		return NULL;
	}
	bool there = f->minor >= OWNED_SINCE
	                 ? gotimer_field(f, timer, owner) == heap->owner
	                 : gotimer_field(f, timer, f->minor <= LENGTHS_OF_32 ? INDEX_32 : INDEX) == n;
	return there ? timer : NULL;
}

/* Returns true if a slice is at this place and its array is one object with room for the
   capacity. */
static bool gotimer_heap_at(const struct gotimer_finding *f, const uint8_t *slice, uint64_t owner,
                            struct gotimer_heap *heap)
{
	unsigned size = f->minor <= LENGTHS_OF_32 ? 4 : f->width;
	uint64_t room = gomemory_number(f->heap, slice + f->width + size, size);
	*heap = (struct gotimer_heap){
		.array = heap_word(f->heap, slice),
		.count = gomemory_number(f->heap, slice + f->width, size),
		.owner = owner,
	};
	if (f->minor >= OWNED_SINCE)
		heap->stopped = gomemory_number(f->heap, slice + 3 * f->width + 4, COUNTS - 4) != 0;
	if (!heap->array || !heap->count || heap->count > room
	    || room > f->heap->input->size / gotimer_stride(f))
		return false;
	uint32_t id = heap_find(f->heap, heap->array);
	return id != OBJECT_NONE && heap_address(f->heap, id) == heap->array
	       && gomemory_in_dump(f->heap, heap->array, room * gotimer_stride(f)) != NULL;
}

static void gotimer_add_object(struct gotimer_objects *objects, uint32_t id)
{
	MEM_PUSH(objects->id, objects->count, objects->capacity, id);
}

/* Adds the timers of a heap. Returns false if it is none. */
static bool gotimer_take_heap(struct gotimer_finding *f, const struct gotimer_heap *heap)
{
	uint64_t address, seen;
	bool any = false;
	if (map_get(&f->arrays, heap->array, &seen)) /* an intact file refers to each array once */
		return false;
	map_put(&f->arrays, heap->array, 1);
	for (uint64_t n = 0; n < heap->count; n++) {
		const uint8_t *timer = gotimer_entry(f, heap, n, &address);
		any |= timer != NULL;
		if (timer)
			gotimer_add(f, address, timer);
	}
	if (any)
		gotimer_add_object(&f->timers->heaps, heap_find(f->heap, heap->array));
	return any;
}

/* ---- Up to Go 1.13: variables */

/* Returns true if a goroutine serves the heap. */
static bool gotimer_is_served(const struct gotimer_finding *f, const uint8_t *begin,
                              const uint8_t *slice)
{
	uint64_t thread;
	for (unsigned n = GP_FIRST; n <= GP_LAST; n++)
		if ((size_t)(slice - begin) >= (size_t)n * f->width
		    && map_get(&f->goroutines, heap_word(f->heap, slice - n * f->width), &thread))
			return true;
	return false;
}

static void gotimer_search_variables(struct gotimer_finding *f)
{
	for (uint32_t i = 0; i < f->heap->segment_count; i++) {
		const struct segment_record *segment = &f->heap->segments[i];
		struct gotimer_heap heap;
		for (uint64_t at = 0; segment->size >= 3 * f->width && at <= segment->size - 3 * f->width;
		     at += f->width)
			if (gotimer_is_served(f, segment->data, segment->data + at)
			    && gotimer_heap_at(f, segment->data + at, 0, &heap))
				gotimer_take_heap(f, &heap);
	}
}

/* ---- Since Go 1.14: a P, found through its timers */

static void gotimer_search_p(struct gotimer_finding *f, uint64_t owner)
{
	uint32_t id = heap_find(f->heap, owner);
	struct object_record record;
	struct gotimer_heap heap;
	if (id == OBJECT_NONE || heap_address(f->heap, id) != owner || heap_size(f->heap, id) < P_LEAST
	    || heap_size(f->heap, id) > P_MOST || !heap_object(f->heap, id, &record))
		return;
	for (uint64_t at = record.header; at + 3 * f->width + COUNTS <= record.stored; at += f->width)
		if (gotimer_heap_at(f, record.data + at, owner, &heap) && gotimer_take_heap(f, &heap)) {
			f->p_offset = at - record.header;
			f->p_size = record.size;
			gotimer_add_object(&f->timers->owners, id);
			return;
		}
}

static void gotimer_look_at_owner(struct gotimer_finding *f, uint64_t owner)
{
	struct gotimer_heap heap;
	uint64_t seen;
	if (!owner || map_get(&f->owners, owner, &seen))
		return;
	map_put(&f->owners, owner, 1);
	if (f->minor < CHANNELS_SINCE) {
		gotimer_search_p(f, owner);
		return;
	}
	/* a lock, a slice */
	const uint8_t *data = gomemory_in_dump(f->heap, owner, 4 * f->width + COUNTS);
	uint32_t p = heap_find(f->heap, owner);
	if (!data || p == OBJECT_NONE || !gotimer_heap_at(f, data + f->width, owner, &heap)
	    || !gotimer_take_heap(f, &heap))
		return;
	f->p_size = heap_size(f->heap, p);
	f->p_offset = owner + f->width - heap_address(f->heap, p);
	gotimer_add_object(&f->timers->owners, p);
}

/* Adds a timer that is in no heap because nobody waits for its channel: the channel refers back to
   it. */
static void gotimer_look_at_channel(struct gotimer_finding *f, uint64_t address,
                                    const uint8_t *data)
{
	uint64_t channel = gotimer_field(f, data, ARG);
	const uint8_t *timer = channel ? gomemory_in_dump(f->heap, channel + f->channel_timer, f->width)
	                               : NULL;
	if (timer && heap_word(f->heap, timer) == address)
		gotimer_add(f, address, data);
}

static void gotimer_look(struct gotimer_finding *f, uint64_t address, const uint8_t *data)
{
	bool channels = f->minor >= CHANNELS_SINCE;
	if (!gotimer_field(f, data, WHEN))
		return;
	gotimer_look_at_owner(f, gotimer_field(f, data, channels ? TIMERS : OWNER));
	if (channels)
		gotimer_look_at_channel(f, address, data);
}

static void gotimer_search_run(struct gotimer_finding *f, const struct objects_run_view *run,
                               unsigned prefix)
{
	struct object_reader reader = {.heap = f->heap};
	for (uint32_t id = run->first; id < run->first + run->count; id++) {
		struct object_record record;
		if (object_reader_read(&reader, id, &record)
		    && record.stored >= record.header + prefix + f->places.size)
			gotimer_look(f, heap_address(f->heap, id) + prefix,
			             record.data + record.header + prefix);
	}
}

static void gotimer_search_objects(struct gotimer_finding *f)
{
	struct objects_run_view run;
	size_t runs = objects_run_count(f->heap->objects);
	for (size_t i = 0; i < runs; i++) {
		objects_run(f->heap->objects, i, &run);
		if (size_class_fits(run.size, f->places.size))
			gotimer_search_run(f, &run, 0);
		if (size_class_fits(run.size, f->prefix + f->places.size))
			gotimer_search_run(f, &run, f->prefix);
	}
}

/* ---- Deadlines */

/* If a heap contains only deadlines, no timer leads to its P: the P is an object of the same size
   with its heap at the same offset. */
static void gotimer_search_other_p(struct gotimer_finding *f)
{
	struct objects_run_view run;
	struct object_record record;
	struct gotimer_heap heap;
	size_t runs = f->p_size ? objects_run_count(f->heap->objects) : 0;
	for (size_t i = 0; i < runs; i++) {
		objects_run(f->heap->objects, i, &run);
		for (uint32_t id = run.first; run.size == f->p_size && id < run.first + run.count; id++)
			if (heap_object(f->heap, id, &record)
			    && record.stored >= record.header + f->p_offset + 3 * f->width + COUNTS
			    && gotimer_heap_at(f, record.data + record.header + f->p_offset, 0, &heap))
				gotimer_take_heap(f, &heap);
	}
}

static void gotimer_add_deadlines(struct gotimer_finding *f)
{
	struct gotimers *timers = f->timers;
	gotimer_search_other_p(f);
	godeadlines_find(&f->deadlines, f->heap, f->places.size);
	for (size_t i = 0; i < f->deadlines.count; i++) {
		const struct godeadline *deadline = &f->deadlines.item[i];
		if (deadline->object == OBJECT_NONE)
			continue;
		timers->item =
			mem_grow(timers->item, timers->count, &timers->capacity, sizeof *timers->item);
		timers->item[timers->count++] = (struct gotimer){
			.kind = deadline->writes ? GOTIMER_WRITE_DEADLINE : GOTIMER_READ_DEADLINE,
			.object = deadline->object,
			.address = deadline->timer,
			.when = deadline->when,
			.unsure = !deadline->sure,
		};
	}
}

/* ---- Entry points */

static void gotimer_search(struct gotimer_finding *f, unsigned minor)
{
	f->minor = minor;
	f->prefix = minor >= CHANNELS_SINCE ? 2 * f->width : f->width;
	struct_layout_place(&gotimer_layout, f->width, minor, &f->places);
	f->channel_timer = gochan_timer_offset(f->width, minor);
	if (minor >= OWNED_SINCE)
		gotimer_search_objects(f);
	else
		gotimer_search_variables(f);
	/* results of a wrong version would be wrong, too */
	if (f->timers->count)
		gotimer_add_deadlines(f);
	godeadlines_fini(&f->deadlines);
	map_free(&f->owners);
	map_free(&f->arrays);
}

struct gotimers *gotimers_new(const struct heap *heap)
{
	static const unsigned unsaid[] = {7, 10, 14}; /* versions to try for dumps without a version */
	struct gotimers *timers = mem_alloc(sizeof *timers);
	struct gotimer_finding f = {
		.heap = heap,
		.width = heap->params.layout.pointer_size,
		.timers = timers,
	};
	unsigned minor = record_minor_version(heap->params.version);
	for (uint32_t i = 0; i < heap->thread_count; i++)
		map_put(&f.goroutines, heap->threads[i].record.address, i);
	bool guess = minor == 0 && heap_has(heap, PART_GO | PART_MEMORY);
	if (minor >= TOLD_SINCE)
		gotimer_search(&f, minor);
	for (size_t i = 0; guess && !timers->count && i < sizeof unsaid / sizeof *unsaid; i++)
		gotimer_search(&f, unsaid[i]);
	bound_sort(timers->item, timers->count, BOUND_BY(struct gotimer, address));
	map_free(&f.goroutines);
	map_free(&f.taken);
	return timers;
}

void gotimers_free(struct gotimers *timers)
{
	if (!timers)
		return;
	free(timers->item);
	free(timers->owners.id);
	free(timers->heaps.id);
	free(timers);
}
