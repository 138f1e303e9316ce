/* Goroutines, with their deferred calls and panics. */
#include "core_tell.h"

#include "core_stacks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
	SCANNING = 0x1000,       /* flag in the status (_Gscan) */
	SIGNAL_STACK = 32 << 10, /* bytes of a signal stack allocated by the runtime */
	STEP = 64
};

struct goroutines {
	const struct core_runtime *rt;
	const struct sink *sink;
	struct core_walk *walk;
};

static struct text goroutine_wait_reason(const struct core_runtime *rt, uint64_t g)
{
	uint64_t reason = rt_field(rt, g, RT_G_WAITREASON);
	struct text text = {0};
	if (!rt->wait_reasons)
		return text;
	uint64_t len = memory_word(&rt->memory, rt->wait_reasons + reason * 16 + 8);
	if (len > 64)
		return text;
	text.data = (const char *)memory_at(
		&rt->memory, memory_word(&rt->memory, rt->wait_reasons + reason * 16), len);
	text.len = text.data ? len : 0;
	return text;
}

/* Returns true if a goroutine for finalizers or cleanups is running one now, instead of waiting for
   work. */
static bool goroutine_runs_callback(const char *function, struct text reason)
{
	static const char *const begins[] = {"runtime.runfinq", "runtime.runFinalizers",
	                                     "runtime.runCleanups"};
	static const char *const idle[] = {"finalizer wait", "cleanup wait"};
	for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
		if (text_is(reason, idle[i]))
			return false;
	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
		if (strncmp(function, begins[i], strlen(begins[i])) == 0)
			return reason.len;
	return false;
}

/* Returns true for a goroutine of the runtime itself, which tracebacks omit (runtime/traceback.go:
   isSystemGoroutine). */
static bool goroutine_is_system(const struct core_runtime *rt, uint64_t g, struct text reason)
{
	static const char *const users[] = {"runtime.main", "runtime.handleAsyncEvent",
	                                    "runtime.corostart"};
	const struct pclntab *table = exe_pclntab(rt->memory.exe);
	size_t function = pclntab_find(table, rt_field(rt, g, RT_G_STARTPC) - rt->memory.bias);
	const char *name = function == SIZE_MAX ? "" : pclntab_name(table, function);
	for (size_t i = 0; i < sizeof users / sizeof *users; i++)
		if (strcmp(name, users[i]) == 0)
			return false;
	return strncmp(name, "runtime.", 8) == 0 && !goroutine_runs_callback(name, reason);
}

static const struct core_thread *thread_of(const struct core_runtime *rt, uint64_t g)
{
	uint64_t id = rt_field(rt, rt_field(rt, g, RT_G_M), RT_M_PROCID);
	for (size_t i = 0; id && i < rt->memory.file.threads; i++)
		if (rt->memory.file.thread[i].id == id)
			return &rt->memory.file.thread[i];
	return NULL;
}

/* Returns the place of a goroutine whose thread handles a signal: the kernel has saved its
   registers on the signal stack, pc after sp. sp 0: it handles none. */
static struct stack_place signal_place(const struct goroutines *all, const struct core_stack *own,
                                       uint64_t m, const struct core_thread *thread)
{
	const struct core_memory *memory = &all->rt->memory;
	const struct pclntab *table = exe_pclntab(memory->exe);
	uint64_t g = rt_field(all->rt, m, RT_M_GSIGNAL), stack = rt_place(all->rt, g, RT_G_STACK);
	uint64_t low = memory_word(memory, stack), high = memory_word(memory, stack + 8);
	struct stack_place none = {0};
	if (!g || thread->sp < low || thread->sp >= high)
		return none;
	uint64_t words = (high - thread->sp) / 8;
	if (words > SIGNAL_STACK / 8)
		words = SIGNAL_STACK / 8;
	for (uint64_t word = 2; word <= words && core_walk_spend(all->walk, 1); word++) {
		uint64_t at = high - word * 8;
		struct stack_place place = {memory_peek_word(memory, at), memory_peek_word(memory, at + 8)};
		if (place.sp >= own->low && place.sp < own->high
		    && pclntab_find(table, place.pc - memory->bias) != SIZE_MAX
		    && memory_at(memory, at, 16))
			return place;
	}
	return none;
}

static bool is_on_stack(const struct core_stack *stack, uint64_t sp)
{
	return sp >= stack->low && sp < stack->high;
}

/* Finds the place of a goroutine that was running when the core file was written, if its saved
   place is outdated. */
static void find_running(const struct goroutines *all, uint64_t g, struct core_stack *stack)
{
	const struct core_thread *thread = thread_of(all->rt, g);
	uint64_t m = rt_field(all->rt, g, RT_G_M);
	struct stack_place place = {0};
	if (thread && is_on_stack(stack, thread->sp))
		place = (struct stack_place){thread->sp, thread->pc};
	else if (thread)
		place = signal_place(all, stack, m, thread);
	stack->conservative = place.sp;
	/* Otherwise its thread is on the scheduler's stack, and the goroutine has saved its place. vDSO
	   calls for the time run there, too, and save their caller's place. */
	uint64_t sp = rt_field(all->rt, m, RT_M_VDSOSP);
	if (!place.sp && is_on_stack(stack, sp))
		place = (struct stack_place){sp, rt_field(all->rt, m, RT_M_VDSOPC)};
	if (place.sp)
		stack->place = place;
}

static void tell_deferred(const struct goroutines *all, uint64_t g)
{
	const struct core_runtime *rt = all->rt;
	const struct sink *sink = all->sink;
	uint64_t at = rt_field(rt, g, RT_G_DEFER);
	while (at && core_walk_spend(all->walk, 1)) {
		uint64_t function = memory_word(&rt->memory, rt_place(rt, at, RT_DEFER_FN));
		struct defer_record record = {
			.offset = memory_offset(&rt->memory, at),
			.address = at,
			.goroutine = g,
			.sp = rt_field(rt, at, RT_DEFER_SP),
			.pc = rt_field(rt, at, RT_DEFER_PC),
			.function = function,
			.entry_pc = memory_word(&rt->memory, function),
			.link = rt_field(rt, at, RT_DEFER_LINK),
		};
		sink->record(sink->self, RECORD_DEFER, &record);
		at = record.link;
	}
}

static void tell_panics(const struct goroutines *all, uint64_t g)
{
	const struct core_runtime *rt = all->rt;
	const struct sink *sink = all->sink;
	uint64_t at = rt_field(rt, g, RT_G_PANIC);
	while (at && core_walk_spend(all->walk, 1)) {
		uint64_t argument = rt_place(rt, at, RT_PANIC_ARG);
		struct panic_record record = {
			.offset = memory_offset(&rt->memory, at),
			.address = at,
			.goroutine = g,
			.type = memory_word(&rt->memory, argument),
			/* not for a redacted copy: it may lead to a constant, which tells the value */
			.data = memory_peek_word(&rt->memory, argument + 8),
			.link = rt_field(rt, at, RT_PANIC_LINK),
		};
		sink->record(sink->self, RECORD_PANIC, &record);
		at = record.link;
	}
}

static struct core_stack goroutine_stack(const struct goroutines *all, uint64_t g, uint64_t status)
{
	const struct core_runtime *rt = all->rt;
	uint64_t sched = rt_place(rt, g, RT_G_SCHED), stack = rt_place(rt, g, RT_G_STACK);
	uint64_t in_call = rt_field(rt, g, RT_G_SYSCALLSP);
	struct core_stack own = {
		.low = memory_word(&rt->memory, stack),
		.high = memory_word(&rt->memory, stack + 8),
		.place = {rt_field(rt, sched, RT_GOBUF_SP), rt_field(rt, sched, RT_GOBUF_PC)},
		.defer = rt_field(rt, g, RT_G_DEFER),
		.panic = rt_field(rt, g, RT_G_PANIC),
		.context = rt_field(rt, sched, RT_GOBUF_CTXT),
	};
	if (in_call)
		own.place = (struct stack_place){in_call, rt_field(rt, g, RT_G_SYSCALLPC)};
	else if (status == GOROUTINE_RUNNING)
		find_running(all, g, &own);
	return own;
}

static void tell_goroutine(const struct goroutines *all, uint64_t g)
{
	const struct core_runtime *rt = all->rt;
	uint64_t status = rt_field(rt, g, RT_G_ATOMICSTATUS) & ~(uint64_t)SCANNING;
	if (status == GOROUTINE_IDLE || status == GOROUTINE_DEAD || status == GOROUTINE_DEAD_EXTRA)
		return;
	struct core_stack stack = goroutine_stack(all, g, status);
	/* For a goroutine that does not wait the field has the reason of its last wait. */
	struct text reason = goroutine_status_waits(status) || status == GOROUTINE_PREEMPTED
	                         ? goroutine_wait_reason(rt, g)
	                         : (struct text){0};
	struct goroutine_record record = {
		.offset = memory_offset(&rt->memory, g),
		.address = g,
		.sp = stack.place.sp,
		.id = rt_field(rt, g, RT_G_GOID),
		.creator_pc = rt_field(rt, g, RT_G_GOPC),
		.status = status,
		.system = goroutine_is_system(rt, g, reason),
		.wait_since = rt_field(rt, g, RT_G_WAITSINCE),
		.wait_reason = reason,
		.context = rt_field(rt, rt_place(rt, g, RT_G_SCHED), RT_GOBUF_CTXT),
		.m = rt_field(rt, g, RT_G_M),
		.defer = rt_field(rt, g, RT_G_DEFER),
		.panic = rt_field(rt, g, RT_G_PANIC),
	};
	all->sink->record(all->sink->self, RECORD_GOROUTINE, &record);
	core_walk_stack(all->walk, &stack);
	tell_deferred(all, g);
	tell_panics(all, g);
}

static void tell_unended(const struct sink *sink, uint64_t count)
{
	char text[200];
	snprintf(text, sizeof text,
	         "%" PRIu64
	         " %s cannot be followed to the end: of what is left every word that leads to "
	         "an object counts as a pointer",
	         count, count == 1 ? "stack" : "stacks");
	sink->notice(sink->self, ERR_NO_OFFSET, text);
}

static void tell_unfit(const struct sink *sink, uint64_t count)
{
	char text[240];
	snprintf(text, sizeof text,
	         "What the executable says of the variables in %" PRIu64
	         " %s cannot be used: there every word that leads to an object counts as a pointer",
	         count, count == 1 ? "frame" : "frames");
	sink->notice(sink->self, ERR_NO_OFFSET, text);
}

bool core_tell_goroutines(const struct core_runtime *rt, const struct sink *sink,
                          struct core_store *store, struct progress *progress)
{
	struct goroutines all = {rt, sink, core_walk_new(rt, sink, store)};
	struct memory_slice list = memory_slice(&rt->memory, rt->allgs, 8);
	bool going = true;
	for (uint64_t i = 0; rt->allgs && going && i < list.count; i++) {
		going = i % STEP || progress_step(progress, 0);
		uint64_t g = memory_word(&rt->memory, list.address + i * 8);
		if (memory_peek(&rt->memory, g, rt->layout.offset[RT_G_SIZEOF]))
			tell_goroutine(&all, g);
	}
	uint64_t unended = core_walk_unended(all.walk);
	if (unended)
		tell_unended(sink, unended);
	uint64_t unfit = core_walk_unfit(all.walk);
	if (unfit)
		tell_unfit(sink, unfit);
	if (!core_walk_free(all.walk))
		sink->warning(sink->self, ERR_NO_OFFSET,
		              "The stacks of the core file are damaged: goroutines and frames are missing");
	return going;
}
