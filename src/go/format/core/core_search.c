#include "core_search.h"

#include "format/record.h"

#include <string.h>

enum { FIRST_SPANS = 256 };

bool core_is_mheap(struct core_runtime *rt, uint64_t mheap)
{
	rt->mheap = mheap;
	struct memory_slice spans =
		memory_slice(&rt->memory, rt_place(rt, mheap, RT_MHEAP_ALLSPANS), 8);
	size_t seen = 0;
	for (uint64_t i = 0; i < spans.count && i < FIRST_SPANS; i++) {
		uint64_t span = memory_word(&rt->memory, spans.address + i * 8);
		if (rt_field(rt, span, RT_MSPAN_STATE) != 1)
			continue;
		uint64_t start = rt_field(rt, span, RT_MSPAN_STARTADDR);
		uint64_t page = (start - rt->arena_base) % CORE_ARENA_BYTES / CORE_PAGE;
		uint64_t arena = core_arena(rt, start);
		if (!arena
		    || memory_word(&rt->memory, rt_place(rt, arena, RT_HEAPARENA_SPANS) + page * 8) != span)
			return false;
		seen++;
	}
	return seen;
}

/* Returns true if a goroutine is at an address, by its status and stack; dead ones may have freed
   the stack. A truncated core file may lack it. */
static bool is_goroutine(const struct core_runtime *rt, uint64_t g)
{
	enum { STATUSES = 16, FLAGS = 0x1000 };
	uint64_t stack = rt_place(rt, g, RT_G_STACK);
	uint64_t low = memory_word(&rt->memory, stack), high = memory_word(&rt->memory, stack + 8);
	if (!memory_peek(&rt->memory, g, rt->layout.offset[RT_G_SIZEOF]))
		return g && rt->memory.file.cut;
	uint64_t status = rt_field(rt, g, RT_G_ATOMICSTATUS) & ~(uint64_t)FLAGS;
	/* One is idle only before it is in the list: so zeros are none. */
	return (low < high || !low) && status != GOROUTINE_IDLE && status < STATUSES;
}

/* Returns true if a slice is at an address whose element 0 began with a function. It is goroutine 1
   unless that has ended, as in every library: its record is reused. */
static bool starts_allgs(struct core_runtime *rt, uint64_t address)
{
	struct memory_slice gs = memory_slice(&rt->memory, address, 8);
	if (!gs.count || gs.count > memory_word(&rt->memory, address + 16))
		return false;
	const struct pclntab *table = exe_pclntab(rt->memory.exe);
	uint64_t pc = rt_field(rt, memory_word(&rt->memory, gs.address), RT_G_STARTPC)
	              - rt->memory.bias;
	size_t function = pclntab_find(table, pc);
	return function != SIZE_MAX && table->functions[function].entry == pc;
}

/* Checks all elements of a slice, and subtracts their number from *left. */
static bool are_goroutines(const struct core_runtime *rt, struct memory_slice gs, uint64_t *left)
{
	for (uint64_t i = 0; i < gs.count; i++, --*left)
		if (!*left || !is_goroutine(rt, memory_word(&rt->memory, gs.address + i * 8)))
			return false;
	return true;
}

/* Finds the array of wait reasons: strings, of which the first is empty and the second is "GC
   assist marking". */
static bool is_wait_reasons(struct core_runtime *rt, uint64_t address)
{
	static const char second[] = "GC assist marking";
	uint64_t len = sizeof second - 1;
	if (memory_word(&rt->memory, address + 24) != len || memory_word(&rt->memory, address + 8))
		return false;
	const uint8_t *text = memory_at(&rt->memory, memory_word(&rt->memory, address + 16), len);
	return text && memcmp(text, second, len) == 0;
}

static bool starts_mheap(struct core_runtime *rt, uint64_t address)
{
	/* Treats the address as that of allspans: a slice of several elements, not longer than its
	   capacity. */
	uint64_t count = memory_word(&rt->memory, address + 8);
	if (count < 8 || count > memory_word(&rt->memory, address + 16) || count > UINT32_MAX)
		return false;
	return core_is_mheap(rt, address - rt->layout.offset[RT_MHEAP_ALLSPANS]);
}

/* Calls `is` for every word of the program's variables from `from` on (0: all). Returns the address
   of the first match, or 0. */
static uint64_t search_variables(struct core_runtime *rt, uint64_t from,
                                 bool (*is)(struct core_runtime *rt, uint64_t address))
{
	struct core_run range = core_module_variables(rt, rt->module);
	struct redaction *redaction = rt->memory.file.redaction;
	rt->memory.file.redaction = NULL; /* most of the words are none of the runtime's */
	uint64_t found = 0;
	for (uint64_t at = from > range.start ? from : range.start;
	     !found && at < range.end && range.end - at >= 8; at += 8)
		if (is(rt, at))
			found = at;
	rt->memory.file.redaction = redaction;
	if (found && redaction)
		is(rt, found);
	return found;
}

uint64_t core_search_mheap(struct core_runtime *rt)
{
	uint64_t allspans = search_variables(rt, 0, starts_mheap);
	return allspans ? allspans - rt->layout.offset[RT_MHEAP_ALLSPANS] : 0;
}

uint64_t core_search_allgs(struct core_runtime *rt)
{
	/* An older copy of the slice may be nearby: the longer one wins. The address of its first
	   element also occurs alone, followed by numbers that may look like a slice: so all elements
	   are checked, within a budget for damaged files. */
	uint64_t best = 0, most = 0, left = rt->memory.file.size / 8;
	for (uint64_t at = 0; (at = search_variables(rt, at, starts_allgs)); at += 8) {
		struct memory_slice gs = memory_slice(&rt->memory, at, 8);
		if (gs.count <= most || !are_goroutines(rt, gs, &left))
			continue;
		best = at;
		most = gs.count;
	}
	return best;
}

uint64_t core_search_wait_reasons(struct core_runtime *rt)
{
	return search_variables(rt, 0, is_wait_reasons);
}

/* ---- Processors of the scheduler, and threads */

static bool is_allp(struct core_runtime *rt, uint64_t address)
{
	enum { MOST = 1 << 16, STATUSES = 6 };
	struct memory_slice ps = memory_slice(&rt->memory, address, 8);
	if (!ps.count || ps.count > MOST || ps.count > memory_word(&rt->memory, address + 16))
		return false;
	for (uint64_t i = 0; i < ps.count; i++) {
		uint64_t p = memory_word(&rt->memory, ps.address + i * 8);
		uint64_t cache = rt_field(rt, p, RT_P_MCACHE);
		if (!p || p % 8 || rt_field(rt, p, RT_P_ID) != i || rt_field(rt, p, RT_P_STATUS) >= STATUSES
		    || !cache || cache % 8 || !memory_peek(&rt->memory, cache, 8))
			return false;
	}
	return true;
}

uint64_t core_search_allp(struct core_runtime *rt)
{
	return search_variables(rt, 0, is_allp);
}

/* Returns true if a thread begins at an address: with its g0, which refers back. */
static bool is_thread(const struct core_runtime *rt, uint64_t m)
{
	uint64_t g0 = m && m % 8 == 0 ? memory_word(&rt->memory, m) : 0;
	return g0 && g0 % 8 == 0 && rt_field(rt, g0, RT_G_M) == m;
}

static bool is_allm(struct core_runtime *rt, uint64_t address)
{
	return is_thread(rt, memory_word(&rt->memory, address));
}

/* Returns the length of a list of threads; 0: it does not end with the first one, a variable. */
static uint64_t threads_from(const struct core_runtime *rt, uint64_t m, uint64_t *left)
{
	struct core_run variables = core_module_variables(rt, rt->module);
	for (uint64_t count = 1; *left && is_thread(rt, m); count++, --*left) {
		uint64_t next = rt_field(rt, m, RT_M_ALLLINK);
		if (!next)
			return m >= variables.start && m < variables.end ? count : 0;
		m = next;
	}
	return 0;
}

uint64_t core_search_allm(struct core_runtime *rt)
{
	uint64_t best = 0, most = 0, left = rt->memory.file.size / 8;
	for (uint64_t at = 0; left && (at = search_variables(rt, at, is_allm)); at += 8) {
		uint64_t m = memory_word(&rt->memory, at), count = threads_from(rt, m, &left);
		if (count > most) {
			best = m;
			most = count;
		}
	}
	return best;
}
