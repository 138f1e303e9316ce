/* Deadlines of connections: timers in memory of the runtime's poller, which is no part of the heap.
   The heaps of timers have their addresses, and an open file or connection that of the poller's
   struct for it (internal/poll.FD.pd, runtime.pollDesc.rt and wt). */
#ifndef GORUNTIME_GODEADLINE_H
#define GORUNTIME_GODEADLINE_H

#include "heap/heap.h"

struct godeadline {
	uint64_t timer;  /* its address */
	uint64_t when;   /* 0: the dump does not say */
	uint32_t object; /* with the file or connection; OBJECT_NONE: not found */
	bool writes;
	bool sure; /* it has not been stopped */
};
struct godeadlines { /* start with {0} */
	struct godeadline *item;
	size_t count, capacity;
};

/* A timer that is in no object and no variable. */
void godeadlines_add(struct godeadlines *deadlines, uint64_t timer, uint64_t when, bool sure);
/* Whose they are; `size` is that of a runtime.timer. */
void godeadlines_find(struct godeadlines *deadlines, const struct heap *heap, uint64_t size);
void godeadlines_fini(struct godeadlines *deadlines);

#endif
