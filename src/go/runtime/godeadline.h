/* Deadlines of connections: timers in memory of the runtime's network poller, outside the heap. The
   heaps of timers have their addresses, and a file or connection has the address of its poller
   struct (internal/poll.FD.pd, runtime.pollDesc.rt and wt). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heap;

struct godeadline {
	uint64_t timer;  /* its address */
	uint64_t when;   /* 0: not in the dump */
	uint32_t object; /* file or connection; OBJECT_NONE: not found */
	bool writes;
	bool sure; /* it is not stopped */
};
struct godeadlines { /* start with {0} */
	struct godeadline *item;
	size_t count, capacity;
};

/* Adds a timer that is in no object and no variable. */
void godeadlines_add(struct godeadlines *deadlines, uint64_t timer, uint64_t when, bool sure);
/* Finds the files and connections of the deadlines; `size` is that of a runtime.timer. */
void godeadlines_find(struct godeadlines *deadlines, const struct heap *heap, uint64_t size);
void godeadlines_fini(struct godeadlines *deadlines);
