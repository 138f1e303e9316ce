/* A lock around its semaphore, by which the runtime identifies it: where it begins, and its state.
 */
#include "goruntime/gomemory.h"
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
	static const char internal[] = "internal/"; /* there Mutex is from Go 1.24 on */
	size_t len = strlen(with), more = strlen(internal);
	if (text.len > more && memcmp(text.data, internal, more) == 0)
		text = (struct text){text.data + more, text.len - more};
	return text.len >= len && memcmp(text.data, with, len) == 0;
}

/* Returns the row of the innermost waiting method, else of the wait reason; NULL: unknown. */
static const struct waits_semaphore *waits_semaphore_of(const struct heap *heap,
                                                        const struct thread *thread)
{
	enum { ROWS = sizeof semaphores / sizeof *semaphores };
	for (uint32_t i = 0; i < thread->frames; i++)
		for (size_t row = 0; row < ROWS; row++)
			if (waits_begins(heap->frames[thread->first_frame + i].record.function,
			                 semaphores[row].method))
				return &semaphores[row];
	for (size_t row = 0; row < ROWS; row++)
		if (waits_begins(thread->record.wait_reason, semaphores[row].reason))
			return &semaphores[row];
	return NULL;
}

uint64_t waits_lock_offset(const struct heap *heap, const struct thread *thread, uint64_t semaphore)
{
	const struct waits_semaphore *of = waits_semaphore_of(heap, thread);
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
