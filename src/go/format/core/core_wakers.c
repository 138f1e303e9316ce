#include "core_wakers.h"

#include "core_search.h"

#include "base/map.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum {
	CHANNELS_SINCE = 23, /* since then a timer in a heap follows its time, and p.timers is a struct
	                      */
	P_IDLE = 0,
	STATUS_DELETED = 3,
	STATUS_REMOVED = 5,
	SCANNING = 0x1000, /* flag in the status of a goroutine */
	MOST_THREADS = 1 << 20
};

static uint64_t wakers_variable(const struct core_runtime *rt, const char *name)
{
	uint64_t address;
	bool found = image_symbol_named(exe_image(rt->memory.exe), name, &address);
	return found ? address + rt->memory.bias : 0;
}

/* ---- Timers */

/* Returns the name of a function by its func value; empty: unknown. */
static const char *wakers_function(const struct core_runtime *rt, uint64_t function)
{
	const struct pclntab *table = exe_pclntab(rt->memory.exe);
	uint64_t code = memory_word(&rt->memory, function);
	size_t at = code ? pclntab_find(table, code - rt->memory.bias) : SIZE_MAX;
	return at == SIZE_MAX ? "" : pclntab_name(table, at);
}

static bool wakers_is_stopped(const struct core_runtime *rt, uint64_t timer)
{
	uint64_t status = rt_field(rt, timer, RT_TIMER_STATUS);
	return status == STATUS_DELETED || status == STATUS_REMOVED
	       || !rt_field(rt, timer, RT_TIMER_WHEN);
}

/* The scavenger returns memory to the system, and wakes none of the program. */
static bool wakers_is_scavenger(const char *function)
{
	static const char *const begins[] = {"runtime.bgscavenge", "runtime.(*scavengerState)."};
	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
		if (strncmp(function, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

static void wakers_take_timer(const struct core_runtime *rt, uint64_t timer,
                              struct wakers_note *note, uint64_t **channels, size_t *capacity)
{
	if (wakers_is_stopped(rt, timer))
		return;
	const char *function = wakers_function(rt, rt_field(rt, timer, RT_TIMER_F));
	if (strcmp(function, "time.sendTime") == 0)
		MEM_PUSH(*channels, note->channel_count, *capacity,
		         memory_word(&rt->memory, rt_place(rt, timer, RT_TIMER_ARG) + 8));
	else
		note->timers += !wakers_is_scavenger(function);
}

/* Returns the heap of timers of a processor: a slice, whose length the runtime keeps twice. False:
   it is not known. */
static bool wakers_heap(const struct core_runtime *rt, uint64_t p, struct memory_slice *heap)
{
	bool one = rt->layout.minor >= CHANNELS_SINCE;
	uint64_t timers = rt_place(rt, p, RT_P_TIMERS);
	uint64_t slice = one ? rt_place(rt, timers, RT_TIMERS_HEAP) : timers;
	uint64_t copy = one ? rt_place(rt, timers, RT_TIMERS_LEN) : rt_place(rt, p, RT_P_NUMTIMERS);
	uint64_t count;
	if (!timers || !slice || !copy || !memory_peek(&rt->memory, slice, 24)
	    || !memory_number(&rt->memory, copy, 4, &count))
		return false;
	*heap = memory_slice(&rt->memory, slice, one ? 16 : 8);
	return heap->count == memory_word(&rt->memory, slice + 8) && heap->count == count
	       && heap->count <= memory_word(&rt->memory, slice + 16);
}

static bool wakers_take_p(const struct core_runtime *rt, uint64_t p, struct wakers_note *note,
                          uint64_t **channels, size_t *capacity)
{
	uint64_t status, stride = rt->layout.minor >= CHANNELS_SINCE ? 16 : 8;
	struct memory_slice heap;
	if (!p || !memory_number(&rt->memory, rt_place(rt, p, RT_P_STATUS), 4, &status)
	    || !wakers_heap(rt, p, &heap))
		return false;
	note->busy |= status != P_IDLE;
	for (uint64_t i = 0; i < heap.count; i++) {
		uint64_t timer = memory_word(&rt->memory, heap.address + i * stride);
		if (!timer || !memory_peek(&rt->memory, rt_place(rt, timer, RT_TIMER_ARG), 16))
			return false;
		wakers_take_timer(rt, timer, note, channels, capacity);
	}
	return true;
}

static void wakers_find_timers(struct core_runtime *rt, struct wakers_note *note)
{
	uint64_t allp = wakers_variable(rt, "runtime.allp"), *channels = NULL;
	size_t capacity = 0;
	if (!allp)
		allp = core_search_allp(rt);
	struct memory_slice ps = {0};
	if (allp)
		ps = memory_slice(&rt->memory, allp, 8);
	/* of a release that nobody has looked at zeros may be another field */
	bool known = ps.count && ps.count == memory_word(&rt->memory, allp + 8)
	             && (!rt->tried || rt->has_debug_layout)
	             && rt->layout.offset[RT_TIMER_WHEN] != RT_NONE;
	for (uint64_t i = 0; i < ps.count && known; i++)
		known = wakers_take_p(rt, memory_word(&rt->memory, ps.address + i * 8), note, &channels,
		                      &capacity);
	note->timers_known = known;
	note->channels = channels;
}

/* ---- Threads */

/* Collects the threads that the runtime keeps for code that is not of Go to call in: each has a
   goroutine that is dead meanwhile, and the id of the thread that called last. */
static void wakers_find_extra(const struct core_runtime *rt, struct map *extra)
{
	struct memory_slice list = memory_slice(&rt->memory, rt->allgs, 8);
	for (uint64_t i = 0; rt->allgs && i < list.count; i++) {
		uint64_t g = memory_word(&rt->memory, list.address + i * 8);
		uint64_t status = rt_field(rt, g, RT_G_ATOMICSTATUS) & ~(uint64_t)SCANNING;
		uint64_t m = rt_field(rt, g, RT_G_M);
		if (m && (status == GOROUTINE_DEAD || status == GOROUTINE_DEAD_EXTRA))
			map_put(extra, m, 1);
	}
}

static void wakers_find_threads(struct core_runtime *rt, struct wakers_note *note)
{
	const struct core_file *file = &rt->memory.file;
	SCOPED_MAP extra = {0};
	SCOPED_MAP own = {0};
	uint64_t m = rt->allm ? rt->allm : core_search_allm(rt), value, count = 0, starting = 0;
	wakers_find_extra(rt, &extra);
	for (; m && count < MOST_THREADS; count++) {
		uint64_t id = rt_field(rt, m, RT_M_PROCID);
		bool runs_go = !map_get(&extra, m, &value);
		if (id && runs_go)
			map_put(&own, id, 1);
		starting += runs_go && !id;
		m = rt_field(rt, m, RT_M_ALLLINK);
	}
	for (size_t i = 0; i < file->threads; i++)
		note->foreign += !map_get(&own, file->thread[i].id, &value);
	/* None is known where a debugger has written other numbers than the process has. */
	note->threads_known = rt->allgs && !m && file->threads && note->foreign < file->threads
	                      && !file->notes_broken && !file->cut;
	/* The runtime has made these, and they have not yet written down their numbers. */
	note->busy |= note->foreign && starting;
	note->foreign -= note->foreign < starting ? note->foreign : starting;
}

void core_wakers_find(struct core_runtime *rt, struct wakers_note *note)
{
	const struct image_symbol *signals =
		image_variable_named(exe_image(rt->memory.exe), "os/signal.handlers");
	*note = (struct wakers_note){0};
	wakers_find_timers(rt, note);
	wakers_find_threads(rt, note);
	if (signals) {
		note->signals_start = signals->address + rt->memory.bias;
		note->signals_end = note->signals_start + signals->size;
	}
}

void core_wakers_fini(struct wakers_note *note)
{
	free((void *)note->channels);
}
