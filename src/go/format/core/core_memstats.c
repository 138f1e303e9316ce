/* Follows runtime/mstats.go: readmemstats_m. That function first flushes the caches of all threads,
   which has not happened in a core file: their content is counted here. */
#include "core_tell.h"

#include "core_debug.h"

enum field { /* in the order of memstats_names */
	         ALLOC,
	         TOTAL_ALLOC,
	         SYS,
	         LOOKUPS,
	         MALLOCS,
	         FREES,
	         HEAP_ALLOC,
	         HEAP_SYS,
	         HEAP_IDLE,
	         HEAP_INUSE,
	         HEAP_RELEASED,
	         HEAP_OBJECTS,
	         STACK_INUSE,
	         STACK_SYS,
	         MSPAN_INUSE,
	         MSPAN_SYS,
	         MCACHE_INUSE,
	         MCACHE_SYS,
	         BUCK_HASH_SYS,
	         GC_SYS,
	         OTHER_SYS,
	         NEXT_GC,
	         LAST_GC,
	         PAUSE_TOTAL_NS,
	         FIELDS
};
_Static_assert((int)FIELDS == (int)MEMSTATS_FIELDS, "the order is that of memstats_names");

struct statistics {
	const struct core_runtime *rt;
	struct core_debug debug;
	struct core_place stats, controller; /* runtime.memstats, runtime.gcController */
	struct memstats_record *record;
};

static void set(struct statistics *s, enum field field, uint64_t value)
{
	s->record->field[field] = value;
	s->record->unknown &= ~(UINT64_C(1) << field);
}

/* Sets a field unless a part of its value was missing since the last call. */
static void set_if_there(struct statistics *s, enum field field, uint64_t value)
{
	if (!s->debug.lacking)
		set(s, field, value);
	s->debug.lacking = false;
}

/* ---- Sums over all spans */

static void count_span(struct statistics *s, uint64_t span)
{
	uint64_t *field = s->record->field;
	uint64_t bytes = rt_field(s->rt, span, RT_MSPAN_NPAGES) * CORE_PAGE;
	uint64_t size = rt_field(s->rt, span, RT_MSPAN_ELEMSIZE);
	uint64_t objects = rt_field(s->rt, span, RT_MSPAN_ALLOCCOUNT);
	switch (rt_field(s->rt, span, RT_MSPAN_STATE)) {
	case CORE_SPAN_IN_USE:
		field[HEAP_INUSE] += bytes;
		field[HEAP_OBJECTS] += objects;
		field[HEAP_ALLOC] += objects * size;
		break;
	case CORE_SPAN_MANUAL:
		/* Only stack spans have an element size; other spans of the runtime have 0. */
		field[STACK_INUSE] += size ? bytes : 0;
		break;
	}
}

static void count_spans(struct statistics *s)
{
	const struct core_runtime *rt = s->rt;
	struct memory_slice all =
		memory_slice(&rt->memory, rt_place(rt, rt->mheap, RT_MHEAP_ALLSPANS), 8);
	for (uint64_t i = 0; i < all.count; i++)
		count_span(s, memory_word(&rt->memory, all.address + i * 8));
	static const enum field told[] = {HEAP_INUSE, HEAP_OBJECTS, HEAP_ALLOC, STACK_INUSE};
	for (size_t i = 0; i < sizeof told / sizeof *told; i++)
		set(s, told[i], s->record->field[told[i]]);
	set(s, ALLOC, s->record->field[HEAP_ALLOC]);
	set(s, LOOKUPS, 0);
}

/* ---- Counters of the runtime */

static uint64_t counted(struct statistics *s, const char *name)
{
	return core_debug_value(&s->debug, s->stats, name);
}

/* Returns a heap counter, the sum of three copies. */
static uint64_t heap_counted(struct statistics *s, const char *name)
{
	struct core_place all = core_debug_field(&s->debug, s->stats, "heapStats.stats");
	uint64_t count = core_debug_count(&s->debug, all), sum = 0;
	s->debug.lacking |= !count;
	for (uint64_t i = 0; i < count; i++)
		sum += core_debug_value(&s->debug, core_debug_element(&s->debug, all, i), name);
	return sum;
}

/* Returns the number of freed small objects, or their bytes. */
static uint64_t small_frees(struct statistics *s, bool bytes)
{
	struct core_place sizes = core_debug_global(&s->debug, "runtime.class_to_size");
	struct core_place all = core_debug_field(&s->debug, s->stats, "heapStats.stats");
	uint64_t sum = 0;
	if (!sizes.type)
		sizes = core_debug_global(&s->debug, "internal/runtime/gc.SizeClassToSize");
	for (uint64_t i = 0; i < core_debug_count(&s->debug, all); i++) {
		struct core_place frees =
			core_debug_field(&s->debug, core_debug_element(&s->debug, all, i), "smallFreeCount");
		uint64_t classes = core_debug_count(&s->debug, frees);
		s->debug.lacking |= !classes;
		for (uint64_t c = 0; c < classes; c++) {
			uint64_t number = core_debug_number(&s->debug, core_debug_element(&s->debug, frees, c));
			sum += number
			       * (bytes ? core_debug_number(&s->debug, core_debug_element(&s->debug, sizes, c))
			                : 1);
		}
	}
	return sum;
}

/* Returns the number of tiny objects, which share slots, in the caches of threads. */
static uint64_t cached_tiny(struct statistics *s)
{
	struct core_place all = core_debug_global(&s->debug, "runtime.allp");
	uint64_t count = core_debug_count(&s->debug, all), sum = 0;
	s->debug.lacking |= !count;
	for (uint64_t i = 0; i < count; i++) {
		struct core_place p = core_debug_target(&s->debug, core_debug_element(&s->debug, all, i));
		struct core_place cache =
			core_debug_target(&s->debug, core_debug_field(&s->debug, p, "mcache"));
		if (cache.type)
			sum += core_debug_value(&s->debug, cache, "tinyAllocs");
	}
	return sum;
}

static void add_counts(struct statistics *s)
{
	uint64_t large = heap_counted(s, "largeFreeCount"), small = small_frees(s, false);
	/* A tiny object counts as freed at once: only its slot counts. */
	uint64_t frees = large + small + heap_counted(s, "tinyAllocCount") + cached_tiny(s);
	bool lacking = s->debug.lacking;
	set_if_there(s, FREES, frees);
	s->debug.lacking = lacking;
	set_if_there(s, MALLOCS, frees + s->record->field[HEAP_OBJECTS]);
	uint64_t bytes = heap_counted(s, "largeFree") + small_frees(s, true);
	set_if_there(s, TOTAL_ALLOC, bytes + s->record->field[HEAP_ALLOC]);
}

/* ---- Memory from the operating system */

/* Up to Go 1.18 the statistics have these counters, later the collector's controller. */
static void add_heap_sizes(struct statistics *s)
{
	uint64_t in_use = s->record->field[HEAP_INUSE], released, idle;
	if (core_debug_field(&s->debug, s->stats, "heap_sys").type) {
		released = counted(s, "heap_released");
		idle = counted(s, "heap_sys") - in_use;
	} else {
		released = core_debug_value(&s->debug, s->controller, "heapReleased");
		idle = core_debug_value(&s->debug, s->controller, "heapFree") + released;
	}
	bool lacking = s->debug.lacking;
	set_if_there(s, HEAP_RELEASED, released);
	s->debug.lacking = lacking;
	set_if_there(s, HEAP_IDLE, idle);
	s->debug.lacking = lacking;
	set_if_there(s, HEAP_SYS, in_use + idle);
}

static void add_system_sizes(struct statistics *s)
{
	static const struct {
		enum field field;
		const char *name;
	} told[] = {
		{MSPAN_SYS, "mspan_sys"}, {MCACHE_SYS, "mcache_sys"}, {BUCK_HASH_SYS, "buckhash_sys"},
		{OTHER_SYS, "other_sys"}, {LAST_GC, "last_gc_unix"},  {PAUSE_TOTAL_NS, "pause_total_ns"},
	};
	for (size_t i = 0; i < sizeof told / sizeof *told; i++)
		set_if_there(s, told[i].field, counted(s, told[i].name));
	set_if_there(s, STACK_SYS, counted(s, "stacks_sys") + s->record->field[STACK_INUSE]);
	struct core_place all = core_debug_field(&s->debug, s->stats, "heapStats.stats");
	struct core_place first = core_debug_element(&s->debug, all, 0);
	uint64_t gc = counted(s, "gcMiscSys") + heap_counted(s, "inWorkBufs");
	/* up to Go 1.25 */
	if (core_debug_field(&s->debug, first, "inPtrScalarBits").type)
		gc += heap_counted(s, "inPtrScalarBits");
	set_if_there(s, GC_SYS, gc);
	struct core_place heap = core_debug_global(&s->debug, "runtime.mheap_");
	set_if_there(s, MSPAN_INUSE, core_debug_value(&s->debug, heap, "spanalloc.inuse"));
	set_if_there(s, MCACHE_INUSE, core_debug_value(&s->debug, heap, "cachealloc.inuse"));
}

static void add_sum(struct statistics *s)
{
	static const enum field parts[] = {HEAP_SYS,      STACK_SYS, MSPAN_SYS, MCACHE_SYS,
	                                   BUCK_HASH_SYS, GC_SYS,    OTHER_SYS};
	uint64_t sum = 0;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (s->record->unknown >> parts[i] & 1)
			return;
		sum += s->record->field[parts[i]];
	}
	set(s, SYS, sum);
}

/* ---- Collections */

static void add_pauses(struct statistics *s)
{
	struct core_place pauses = core_debug_field(&s->debug, s->stats, "pause_ns");
	uint64_t collections = counted(s, "numgc");
	for (uint64_t i = 0; i < MEMSTATS_PAUSES; i++)
		s->record->pause_ns[i] =
			core_debug_number(&s->debug, core_debug_element(&s->debug, pauses, i));
	if (!s->debug.lacking) {
		s->record->num_gc = collections;
		s->record->unknown &= ~MEMSTATS_PAUSES_UNKNOWN;
	}
	s->debug.lacking = false;
}

/* Follows runtime/mgcpacer.go: heapGoalInternal since Go 1.19. With a memory limit, or with
   collections disabled, the goal depends on more values, and stays unknown. */
static void add_goal(struct statistics *s)
{
	enum { RUNWAY = 64 << 10 };
	struct core_debug *debug = &s->debug;
	uint64_t goal = core_debug_value(debug, s->controller, "gcPercentHeapGoal");
	uint64_t limit = core_debug_value(debug, s->controller, "memoryLimit");
	uint64_t swept = core_debug_value(debug, s->controller, "sweepDistMinTrigger");
	uint64_t triggered = core_debug_value(debug, s->controller, "triggered");
	if (swept > goal)
		goal = swept;
	if (triggered != UINT64_MAX && goal < triggered + RUNWAY)
		goal = triggered + RUNWAY;
	debug->lacking |= limit != INT64_MAX || goal >= INT64_MAX / 2;
	set_if_there(s, NEXT_GC, goal);
}

void core_memstats(const struct core_runtime *rt, uint64_t profile_bytes,
                   struct memstats_record *record)
{
	struct statistics s = {.rt = rt, .record = record};
	*record = (struct memstats_record){
		.offset = memory_offset(&rt->memory, rt->mheap),
		.present = true,
		.unknown = (UINT64_C(1) << MEMSTATS_FIELDS) - 1 + MEMSTATS_PAUSES_UNKNOWN,
	};
	count_spans(&s);
	core_debug_init(&s.debug, rt);
	s.stats = core_debug_global(&s.debug, "runtime.memstats");
	s.controller = core_debug_global(&s.debug, "runtime.gcController");
	if (s.stats.type) {
		add_counts(&s);
		add_heap_sizes(&s);
		add_system_sizes(&s);
		add_sum(&s);
		add_pauses(&s);
		add_goal(&s);
	}
	if (!s.stats.type && profile_bytes)
		set(&s, BUCK_HASH_SYS, profile_bytes);
	core_debug_fini(&s.debug);
}
