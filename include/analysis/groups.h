/* Goroutines grouped by identical stack (the same pcs), state and wait reason. */
#ifndef ANALYSIS_GROUPS_H
#define ANALYSIS_GROUPS_H

#include "heap/heap.h"

struct group {
	uint32_t first, count; /* members[first ...] are goroutine indices, ascending by id */
	uint64_t longest_wait; /* ns, relative to the longest waiter of the dump; see groups_waited */
};
struct groups {
	struct group *group;
	uint32_t count; /* most goroutines first, then as in the file */
	uint32_t *members;
	uint32_t *of; /* group of each goroutine */
};
struct groups *groups_new(const struct heap *heap); /* after heap_read */
void groups_free(struct groups *groups);
/* By group: that of another dump of the process whose goroutines do the same, UINT32_MAX: none.
   free() it. */
uint32_t *groups_in(const struct heap *heap, const struct groups *groups,
                    const struct heap *other_heap, const struct groups *other);

/* wait_since is a monotonic clock without a known zero: the only now that the dump gives is the
   latest wait_since of any goroutine. A goroutine has waited at least this many ns; false when no
   collection has seen it waiting. */
bool goroutine_waited(const struct heap *heap, const struct goroutine *goroutine,
                      uint64_t *nanoseconds);

/* A frame of the function that a pc is in, as far as frames tell: one that begins before it and
   runs behind it. NULL where none does. */
const struct frame *frame_of_pc(const struct heap *heap, uint64_t pc);

/* "waiting", "running", "runnable", "syscall", "idle" or "status N" in buf. */
const char *goroutine_status_name(uint64_t status, char buf[32]);

#endif
