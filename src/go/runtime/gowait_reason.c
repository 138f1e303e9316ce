/* Wait reasons of all versions (runtime/runtime2.go: waitReasonStrings). */
#include "gowait_reason.h"

#include "base/text.h"
#include "format/record.h"
#include "heap/heap.h"

#include <string.h>

static bool gowait_reason_begins(const struct thread *g, const char *with)
{
	struct text reason = g->record.wait_reason;
	size_t len = strlen(with);
	return reason.len >= len && memcmp(reason.data, with, len) == 0;
}

enum gowait_kind gowait_reason_kind(const struct thread *g)
{
	static const struct {
		const char *begins;
		enum gowait_kind kind;
	} reasons[] = {
		{"chan receive (nil chan)", GOWAIT_FOREVER},
		{"chan send (nil chan)", GOWAIT_FOREVER},
		{"select (no cases)", GOWAIT_FOREVER},
		{"chan receive", GOWAIT_CHANNEL},
		{"chan send", GOWAIT_CHANNEL},
		{"select", GOWAIT_SELECT},
		{"sync.Cond.Wait", GOWAIT_CONDITION},
		{"sync.", GOWAIT_SEMAPHORE},
		{"semacquire", GOWAIT_SEMAPHORE},
		{"coroutine", GOWAIT_COROUTINE},
	};
	if (g->dumping || !goroutine_status_waits(g->record.status))
		return GOWAIT_NONE;
	for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
		if (gowait_reason_begins(g, reasons[i].begins))
			return reasons[i].kind;
	return GOWAIT_NONE;
}

bool gowait_reason_is_outside(const struct thread *g)
{
	static const char *const begins[] = {
		"GC ",
		"GOMAXPROCS updater",
		"IO wait",
		"cleanup wait",
		"dumping heap",
		"finalizer wait",
		"flushing proc caches",
		"force gc",
		"garbage collection",
		"page trace flush",
		"preempted",
		"sleep",
		"stopping the world",
		"timer goroutine",
		"trace ",
		"wait for GC cycle",
	};
	if (g->dumping || g->record.system || !goroutine_status_waits(g->record.status))
		return true;
	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
		if (gowait_reason_begins(g, begins[i]))
			return true;
	return false;
}
