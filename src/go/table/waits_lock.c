/* A lock around its semaphore, by which the runtime identifies it: where it begins, and its state.
 */
#include "analysis/analysis.h"
#include "go/exe/exe.h"
#include "go/runtime/gomemory.h"
#include "heap/heap.h"
#include "waits_parts.h"

#include <inttypes.h>
#include <string.h>

enum waits_lock waits_lock_of(struct text type)
{
	if (text_is(type, "Mutex"))
		return WAITS_MUTEX;
	return text_is(type, "WaitGroup") ? WAITS_WAIT_GROUP : WAITS_OTHER_LOCK;
}

/* ---- Where it begins */

/* What stands in the name of the waiting method or in the wait reason, and what is before the
   semaphore (sync/mutex.go, rwmutex.go, waitgroup.go, cond.go). */
static const struct waits_semaphore {
	const char *method, *reason;
	uint8_t bytes, words;
	bool aligned; /* up to Go 1.17 nothing is before it unless that aligns it to 64 bits */
} semaphores[] = {
	{"sync.(*Mutex)", "sync.Mutex.", 4, 0, false},
	{"sync.(*RWMutex).RLock", "sync.RWMutex.RLock", 12, 0, false},
	{"sync.(*RWMutex)", "sync.RWMutex.", 8, 0, false},
	{"sync.(*WaitGroup)", "sync.WaitGroup.", 8, 0, true},
	{"sync.(*Cond)", "sync.Cond.", 0, 2, false},
};

static bool waits_begins(struct text text, const char *with)
{
	size_t len = strlen(with);
	return text.len >= len && memcmp(text.data, with, len) == 0;
}

bool waits_next_method(struct waits_methods *methods, struct text *method)
{
	const struct heap *heap = analysis_heap(methods->analysis);
	const struct thread *thread = &heap->threads[methods->thread];
	for (; methods->frame < thread->frames; methods->line = 0, methods->frame++) {
		uint32_t frame = thread->first_frame + methods->frame;
		struct pclntab_line lines[EXE_LINES];
		size_t count = names_frame(analysis_names(methods->analysis), heap, frame, lines);
		while (methods->line < count + !count) {
			const char *inlined = count ? lines[methods->line].function : NULL;
			*method = inlined ? (struct text){inlined, strlen(inlined)}
			                  : heap->frames[frame].record.function;
			methods->line++;
			if (waits_begins(*method, "sync.(*") || waits_begins(*method, "internal/sync.(*"))
				return true;
			if (!waits_begins(*method, "runtime.") && !waits_begins(*method, "sync.")
			    && !waits_begins(*method, "internal/sync."))
				return false;
		}
	}
	return false;
}

/* Returns the row of a method or wait reason; NULL: none. From Go 1.24 on Mutex is in
   internal/sync. */
static const struct waits_semaphore *waits_semaphore_row(struct text text, bool is_method)
{
	enum { ROWS = sizeof semaphores / sizeof *semaphores };
	size_t more = waits_begins(text, "internal/") ? strlen("internal/") : 0;
	text = (struct text){text.data + more, text.len - more};
	for (size_t row = 0; row < ROWS; row++)
		if (waits_begins(text, is_method ? semaphores[row].method : semaphores[row].reason))
			return &semaphores[row];
	return NULL;
}

/* Returns the row of the innermost waiting method, else of the wait reason; NULL: unknown. */
static const struct waits_semaphore *waits_semaphore_of(const struct analysis *analysis,
                                                        uint32_t thread)
{
	struct waits_methods methods = {analysis, thread, 0, 0};
	const struct waits_semaphore *row = NULL;
	struct text method;
	while (!row && waits_next_method(&methods, &method))
		row = waits_semaphore_row(method, true);
	return row ? row
	           : waits_semaphore_row(analysis_heap(analysis)->threads[thread].record.wait_reason,
	                                 false);
}

uint64_t waits_lock_offset(const struct analysis *analysis, uint32_t thread, uint64_t semaphore)
{
	const struct heap *heap = analysis_heap(analysis);
	const struct waits_semaphore *of = waits_semaphore_of(analysis, thread);
	if (!of || (of->aligned && semaphore % 8))
		return 0;
	return of->bytes + of->words * (uint64_t)heap->params.layout.pointer_size;
}

/* ---- Its state */

static bool waits_lock_number(const struct heap *heap, uint64_t address, uint64_t size,
                              uint64_t *number)
{
	const uint8_t *data = gomemory_in_dump(heap, address, size);
	if (data)
		*number = gomemory_number(heap, data, size);
	return data;
}

/* sync/mutex.go: state int32 and sema uint32; mutexLocked, mutexStarving, mutexWaiterShift. */
static void waits_add_mutex(const struct heap *heap, uint64_t semaphore, struct buf *out)
{
	enum { LOCKED = 1, STARVING = 4, WAITERS = 3 };
	uint64_t state;
	if (!waits_lock_number(heap, semaphore - 4, 4, &state) || state >> WAITERS == 0 || state >> 31)
		return;
	buf_addf(out, ", %s, %" PRIu64 " wait%s", state & LOCKED ? "locked" : "unlocked",
	         state >> WAITERS, state >> WAITERS == 1 ? "s" : "");
	if (state & STARVING)
		buf_add(out, ", starving");
}

/* sync/waitgroup.go: 64 bits with the counter in the upper half and those who wait in the lower
   one, sema uint32. On 32-bit machines before Go 1.20 they were the other way round where that
   aligns the 64 bits. */
static void waits_add_wait_group(const struct heap *heap, uint64_t semaphore, struct buf *out)
{
	uint64_t state;
	if (semaphore % 8 || !waits_lock_number(heap, semaphore - 8, 8, &state) || !(state & INT32_MAX)
	    || !(state >> 32) || state >> 63)
		return;
	buf_addf(out, ", counter %" PRIu64, state >> 32);
}

void waits_add_lock_state(const struct heap *heap, enum waits_lock lock, uint64_t semaphore,
                          struct buf *out)
{
	if (lock == WAITS_MUTEX)
		waits_add_mutex(heap, semaphore, out);
	if (lock == WAITS_WAIT_GROUP)
		waits_add_wait_group(heap, semaphore, out);
}
