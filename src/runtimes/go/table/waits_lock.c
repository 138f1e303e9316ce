/* The state of a lock, from the words beside its semaphore, by which the runtime identifies it. */
#include "goruntime/gomemory.h"
#include "waits_parts.h"

#include <inttypes.h>

enum waits_lock waits_lock_of(struct text type)
{
	if (text_is(type, "Mutex"))
		return WAITS_MUTEX;
	return text_is(type, "WaitGroup") ? WAITS_WAIT_GROUP : WAITS_OTHER_LOCK;
}

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
