/* What dumps of Go programs have, and its words. */
#include <inttypes.h>
#include <stdio.h>

#include "format/format.h"

static bool runtime_go_waits(const struct goroutine_record *goroutine)
{
	return goroutine_status_waits(goroutine->status);
}

static const char *runtime_go_state(uint64_t status, char buf[32])
{
	static const char *const names[] = {
		[GOROUTINE_IDLE] = "idle",           [GOROUTINE_RUNNABLE] = "runnable",
		[GOROUTINE_RUNNING] = "running",     [GOROUTINE_SYSCALL] = "syscall",
		[GOROUTINE_WAITING] = "waiting",     [GOROUTINE_COPYSTACK] = "copystack",
		[GOROUTINE_PREEMPTED] = "preempted", [GOROUTINE_LEAKED] = "leaked",
	};
	if (status < sizeof names / sizeof *names && names[status])
		return names[status];
	snprintf(buf, 32, "status %" PRIu64, status);
	return buf;
}

static const struct runtime_note runtime_go_variables[] = {
	{"runtime.allp", " (Ps, timers)"},
	{"runtime.allm", " (threads)"},
	{"runtime.allgptr", " (goroutines)"},
	{"runtime.allgs", " (goroutines)"},
	{"runtime.finq", " (finalizers)"},
	{"runtime.allfin", " (finalizers)"},
	{"runtime.semtable", " (waits on locks)"},
	{"runtime.sched", " (scheduler)"},
	{0},
};

static const struct runtime_note runtime_go_fields[] = {
	{"timer", "timers"},          {"run", "run queue"},        {"mcache", "memory cache"},
	{"sudog", "sudog cache"},     {"deferpool", "defer pool"}, {"mspancache", "span cache"},
	{"gFree", "free goroutines"}, {"wbBuf", "write barrier"},  {0},
};

static const char *const runtime_go_thread_types[] = {"runtime.g", "runtime.sudog", NULL};

const struct runtime runtime_go = {
	.parts = PART_GO | PART_BREAKDOWN,
	.words = {.thread = THREAD_WORD,
              .threads = THREADS_WORD,
              .globals = "global variables",
              .parked = "goroutines that wait",
              .running = "goroutines that run",
              .own = "runtime variables"},
	.waits = runtime_go_waits,
	.state = runtime_go_state,
	.variables = runtime_go_variables,
	.fields = runtime_go_fields,
	.fields_of = "runtime.p",
	.fields_from = "runtime.allp",
	.thread_types = runtime_go_thread_types,
};
