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

const struct runtime runtime_go = {
	.parts = PART_GO | PART_BREAKDOWN,
	.words = {.thread = "goroutine",
              .threads = "goroutines",
              .globals = "global variables",
              .parked = "goroutines that wait",
              .running = "goroutines that run",
              .own = "runtime variables"},
	.waits = runtime_go_waits,
	.state = runtime_go_state,
};
