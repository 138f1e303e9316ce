/* The structures by which Go's runtime ties everything to everything: goroutines, waits, threads
   and processors refer to each other, and a timer leads by its processor to all other timers. Such
   a reference keeps alive, but says nothing of whose memory it is. The table in goplumbing.c lists
   these structures. Found by memory alone, so that it takes no executable. */
#ifndef GORUNTIME_GOPLUMBING_H
#define GORUNTIME_GOPLUMBING_H

#include "base/bits.h"
#include "goruntime/gotimer.h"
#include "goruntime/gowait.h"
#include "goruntime/runtime_variables.h"

enum goplumbing_kind {
	GOPLUMBING_GOROUTINE, /* runtime.g */
	GOPLUMBING_WAIT,      /* runtime.sudog */
	GOPLUMBING_THREAD,    /* runtime.m */
	GOPLUMBING_PROCESSOR, /* runtime.p, and others that have a heap of timers */
	GOPLUMBING_HEAP,      /* the array where one of these has its timers: part of them */
	GOPLUMBING_KINDS
};
/* What all of a kind are called together; NULL: each belongs to its goroutine. */
const char *goplumbing_name(enum goplumbing_kind kind);

struct goplumbing_part {
	uint32_t object;
	uint32_t goroutine; /* that it belongs to, or UINT32_MAX */
	uint32_t kind;      /* enum goplumbing_kind */
};

struct goplumbing {
	struct goplumbing_part *part; /* by object, each once */
	size_t count, capacity;
	uint64_t *bits; /* a bit an object: it is a part */
	struct gotimers *timers;
};

/* After heap_link. `waits` may be NULL. */
struct goplumbing *goplumbing_new(const struct heap *heap, const struct gowaits *waits,
                                  const struct runtime_variables *variables);
void goplumbing_free(struct goplumbing *plumbing);
/* Is an object one of these structures? `plumbing` may be NULL: none is. */
static inline bool goplumbing_has(const struct goplumbing *plumbing, uint32_t object)
{
	return plumbing && word_bit_is_set(plumbing->bits, object);
}

#endif
