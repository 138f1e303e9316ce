#include "runtime_scheduler.h"

#include "base/mem.h"
#include "base/text.h"
#include "format/record.h"
#include "go/runtime/gomemory.h"
#include "heap/heap.h"
#include "heap/object_ids.h"

enum {
	THREADS_MOST = 10000, /* schedt.maxmcount, unless debug.SetMaxThreads was called */
	SCHED_WORDS = 32,     /* minimum words of a schedt from its list of idle threads on */
	THREAD_WORDS = 128,   /* words of an m with its links */
	G_WORDS = 16,         /* words of a g up to its m */
	LIST_MOST = 1 << 20,
	LATEST_ID = 1000000000, /* goroutine IDs are smaller, times in nanoseconds are larger */
	GOROUTINE_WORDS = 3 /* words of the structs with a goroutine of the runtime: lock, g, flag */
};

static void scheduler_add(struct runtime_variables *v, const struct runtime_variable *one)
{
	size_t kept = 0;
	for (size_t i = 0; i < v->count; i++)
		if (v->item[i].address - one->address >= one->size)
			v->item[kept++] = v->item[i];
	v->count = kept;
	MEM_PUSH(v->item, v->count, v->capacity, *one);
}

/* Returns true if the variables have no other one in a range. */
static bool scheduler_is_free(const struct runtime_variables *v, uint64_t address, uint64_t size)
{
	for (size_t i = 0; i < v->count; i++)
		if (v->item[i].address - address < size || address - v->item[i].address < v->item[i].size)
			return false;
	return true;
}

/* ---- Threads: an m begins with its g0, which refers back */

bool runtime_is_m(const struct heap *heap, uint64_t m)
{
	unsigned width = heap->params.layout.pointer_size;
	uint64_t g0 = gomemory_word_in_dump(heap, m);
	for (unsigned n = 0; g0 && n < G_WORDS; n++)
		if (gomemory_word_in_dump(heap, g0 + n * (uint64_t)width) == m)
			return true;
	return false;
}

/* Follows a list of m's linked by the word at `offset`. Returns its length; 0: it is no list, or
   its last element, the variable m0, is on the heap. */
static size_t scheduler_threads_by(const struct heap *heap, uint64_t m, uint64_t offset,
                                   uint64_t *budget)
{
	size_t count = 0;
	while (m && count < LIST_MOST && *budget && runtime_is_m(heap, m)) {
		--*budget;
		uint64_t next = gomemory_word_in_dump(heap, m + offset);
		count++;
		if (!next)
			return heap_find(heap, m) == OBJECT_NONE ? count : 0;
		m = next;
	}
	return 0;
}

struct runtime_threads runtime_threads_of(const struct heap *heap, uint64_t m, uint64_t *budget)
{
	unsigned width = heap->params.layout.pointer_size;
	struct runtime_threads longest = {.newest = m, .count = 1};
	uint32_t id = heap_find(heap, m);
	uint64_t size = id != OBJECT_NONE ? heap_size(heap, id) : 0;
	for (uint64_t n = 1; n < THREAD_WORDS && (n + 1) * width <= size; n++) {
		size_t count = scheduler_threads_by(heap, m, n * width, budget);
		if (count > longest.count) {
			longest.count = count;
			longest.link = n * width;
		}
	}
	return longest.link ? longest : (struct runtime_threads){0};
}

/* ---- runtime.m0 */

static uint64_t scheduler_last_thread(const struct heap *heap, const struct runtime_threads *t)
{
	uint64_t m = t->newest;
	for (size_t i = 1; i < t->count; i++)
		m = gomemory_word_in_dump(heap, m + t->link);
	return m;
}

/* Returns the bytes up to the last one that any m on the heap has: all of them belong to a
   runtime.m, while the rest of their slots is empty. */
static uint64_t scheduler_thread_size(const struct heap *heap, const struct runtime_threads *t)
{
	unsigned width = heap->params.layout.pointer_size;
	uint64_t used = t->link + width, m = t->newest;
	for (size_t i = 1; i < t->count; i++) {
		struct gomemory_piece piece = {0};
		gomemory_piece(heap, m, &piece);
		for (uint64_t at = piece.size / width * width; at > used; at -= width)
			if (heap_word(heap, piece.data + at - width))
				used = at;
		m = gomemory_word_in_dump(heap, m + t->link);
	}
	return used;
}

static void scheduler_add_m0(const struct heap *heap, const struct runtime_threads *t,
                             struct runtime_variables *v)
{
	scheduler_add(v, &(struct runtime_variable){.address = scheduler_last_thread(heap, t),
	                                            .size = scheduler_thread_size(heap, t),
	                                            .kind = RUNTIME_M0});
}

/* ---- runtime.sched */

struct scheduler_search {
	const struct heap *heap;
	const struct runtime_threads *threads;
	uint64_t latest; /* largest ID of a goroutine */
	const uint8_t *data;
	uint64_t size; /* of the segment */
};

static int64_t scheduler_number(const struct scheduler_search *s, uint64_t at, unsigned bytes)
{
	uint64_t number = gomemory_number(s->heap, s->data + at, bytes);
	return bytes == 4 ? (int32_t)number : (int64_t)number;
}

/* Returns true if a list of exactly `count` threads begins with m, by any link. */
static bool scheduler_has_idle(const struct scheduler_search *s, uint64_t m, int64_t count)
{
	unsigned width = s->heap->params.layout.pointer_size;
	if (!m || !count)
		return !m && !count;
	for (uint64_t n = 1; n < THREAD_WORDS; n++) {
		int64_t left = count;
		for (uint64_t at = m; at && left > 0; left--)
			if (!(at = gomemory_word_in_dump(s->heap, at + n * width)))
				break;
		if (left == 1)
			return true;
	}
	return false;
}

/* Returns true if the list has the flag and the offset of the links in an m. */
static bool scheduler_has_offset(const struct scheduler_search *s, uint64_t at)
{
	unsigned width = s->heap->params.layout.pointer_size;
	uint64_t offset = heap_word(s->heap, s->data + at + 2 * width);
	return s->data[at + width] == 1 && offset && offset % width == 0
	       && offset < THREAD_WORDS * (uint64_t)width;
}

/* midle muintptr, or since Go 1.26 listHeadManual; nmidle, nmidlelocked int32; mnext int64;
   maxmcount, nmsys int32; nmfreed int64 */
static bool scheduler_is_idle_list(const struct scheduler_search *s, uint64_t at, unsigned words)
{
	unsigned width = s->heap->params.layout.pointer_size;
	uint64_t counts = at + words * (uint64_t)width;
	if (s->size - at < SCHED_WORDS * (uint64_t)width || (words > 1 && !scheduler_has_offset(s, at))
	    || scheduler_number(s, counts + 16, 4) != THREADS_MOST)
		return false;
	int64_t idle = scheduler_number(s, counts, 4), locked = scheduler_number(s, counts + 4, 4);
	int64_t next = scheduler_number(s, counts + 8, 8), system = scheduler_number(s, counts + 20, 4);
	int64_t freed = scheduler_number(s, counts + 24, 8), count = (int64_t)s->threads->count;
	return freed >= 0 && next >= count && next - freed == count && idle >= 0 && idle < count
	       && locked >= 0 && locked <= count && system >= 0 && system <= count
	       && scheduler_has_idle(s, heap_word(s->heap, s->data + at), idle);
}

static bool scheduler_is_time(const struct scheduler_search *s, uint64_t at)
{
	int64_t time = scheduler_number(s, at, 8);
	return time == 0 || time >= LATEST_ID;
}

/* Returns the bytes of a schedt before its list of idle threads: goidgen, lastpoll, since Go 1.14
   pollUntil, since 1.26 pollingNet, and the lock. 0: unknown. */
static uint64_t scheduler_before(const struct scheduler_search *s, uint64_t at)
{
	unsigned width = s->heap->params.layout.pointer_size;
	const struct {
		uint64_t bytes;
		unsigned times;
	} starts[] = {{16, 1}, {24, 2}, {24 + width, 2}};
	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
		uint64_t before = starts[i].bytes + width, start = at - before;
		if (before > at)
			continue;
		int64_t id = scheduler_number(s, start, 8);
		bool fits = id >= (int64_t)s->latest && id < LATEST_ID;
		for (unsigned n = 1; n <= starts[i].times; n++)
			fits &= scheduler_is_time(s, start + n * 8);
		if (starts[i].bytes > 24)
			fits &= (scheduler_number(s, start + 24, 4) & ~(int64_t)1) == 0;
		if (fits)
			return before;
	}
	return 0;
}

static void scheduler_add_sched(const struct heap *heap, const struct runtime_threads *t,
                                struct runtime_variables *v)
{
	unsigned width = heap->params.layout.pointer_size;
	struct scheduler_search s = {.heap = heap, .threads = t};
	struct runtime_variable found = {.kind = RUNTIME_SCHED};
	for (uint32_t i = 0; i < heap->thread_count; i++)
		if (heap->threads[i].record.id > s.latest)
			s.latest = heap->threads[i].record.id;
	for (uint32_t i = 0; i < heap->segment_count; i++) {
		s.data = heap->segments[i].data;
		s.size = heap->segments[i].size;
		for (uint64_t at = 0; at + width <= s.size; at += width) {
			bool list = scheduler_is_idle_list(&s, at, 1) || scheduler_is_idle_list(&s, at, 3);
			uint64_t before = list ? scheduler_before(&s, at) : 0;
			if (!before)
				continue;
			if (found.size) /* ambiguous */
				return;
			found.address = heap->segments[i].address + at - before;
			found.size = before + SCHED_WORDS * (uint64_t)width;
		}
	}
	if (found.size)
		scheduler_add(v, &found);
}

/* ---- Goroutines of the runtime, by their function */

static const struct scheduler_goroutine {
	const char *functions[2];
	enum runtime_variable_kind kind;
	unsigned before, words; /* words of the variable before the goroutine, and all */
} scheduler_goroutines[] = {
	{{"runtime.runfinq", "runtime.runFinalizers"}, RUNTIME_FING, 0, 1},
	{{"runtime.forcegchelper"}, RUNTIME_FORCEGC, 1, GOROUTINE_WORDS},
	{{"runtime.bgsweep"}, RUNTIME_SWEEP, 1, GOROUTINE_WORDS},
};

/* Returns the only goroutine that executes one of two functions; 0: none, or several. */
static uint64_t scheduler_thread_in(const struct heap *heap, const char *const functions[2])
{
	uint64_t g = 0;
	for (uint32_t i = 0; i < heap->frame_count; i++) {
		const struct frame *frame = &heap->frames[i];
		if (frame->thread == UINT32_MAX)
			continue;
		for (unsigned n = 0; n < 2 && functions[n]; n++) {
			uint64_t address = heap->threads[frame->thread].record.address;
			if (!text_is(frame->record.function, functions[n]) || g == address)
				continue;
			if (g)
				return 0;
			g = address;
		}
	}
	return g;
}

/* Returns the address of the only word of the variables with a value that is not part of another
   known variable; 0: none, or several. */
static uint64_t scheduler_only_word(const struct heap *heap, uint64_t value,
                                    const struct runtime_variables *v)
{
	unsigned width = heap->params.layout.pointer_size;
	uint64_t found = 0;
	for (uint32_t i = 0; value && i < heap->segment_count; i++) {
		const struct segment_record *segment = &heap->segments[i];
		for (uint64_t at = 0; at + width <= segment->size; at += width) {
			if (heap_word(heap, segment->data + at) != value
			    || !scheduler_is_free(v, segment->address + at, width))
				continue;
			if (found)
				return 0;
			found = segment->address + at;
		}
	}
	return found;
}

static void scheduler_add_goroutine(const struct heap *heap, const struct scheduler_goroutine *one,
                                    struct runtime_variables *v)
{
	unsigned width = heap->params.layout.pointer_size;
	uint64_t g = scheduler_thread_in(heap, one->functions), word = 0;
	for (size_t i = 0; g && i < v->count; i++) {
		if (v->item[i].kind != RUNTIME_OTHER
		    || gomemory_word_in_dump(heap, v->item[i].address) != g)
			continue;
		if (word)
			return;
		word = v->item[i].address;
	}
	if (word > one->before * (uint64_t)width)
		scheduler_add(v, &(struct runtime_variable){.address = word - one->before * width,
		                                            .size = one->words * (uint64_t)width,
		                                            .kind = one->kind});
}

/* ---- Entry points */

void runtime_scheduler_find(const struct heap *heap, const struct runtime_threads *threads,
                            struct runtime_variables *variables)
{
	if (threads->count) {
		scheduler_add_m0(heap, threads, variables);
		scheduler_add_sched(heap, threads, variables);
	}
	for (size_t i = 0; i < sizeof scheduler_goroutines / sizeof *scheduler_goroutines; i++)
		scheduler_add_goroutine(heap, &scheduler_goroutines[i], variables);
}

void runtime_allgptr_find(const struct heap *heap, uint64_t list,
                          struct runtime_variables *variables)
{
	unsigned width = heap->params.layout.pointer_size;
	uint64_t word = scheduler_only_word(heap, list, variables);
	if (word)
		scheduler_add(variables, &(struct runtime_variable){
									 .address = word, .size = width, .kind = RUNTIME_ALLGPTR});
}
