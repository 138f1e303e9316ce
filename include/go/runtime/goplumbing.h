/* Runtime structures that connect everything: goroutines, waits, threads and processors refer to
   each other, and a timer leads through its processor to all other timers. Such a reference keeps
   objects alive, but says nothing about their owner. The table in goplumbing.c lists these
   structures. They are found in memory alone, without an executable. */
#pragma once

#include "go/runtime/gowait.h"
#include "go/runtime/runtime_variables.h"

struct gotimers;

enum goplumbing_kind {
	GOPLUMBING_THREAD,    /* runtime.g */
	GOPLUMBING_WAIT,      /* runtime.sudog */
	GOPLUMBING_OS_THREAD, /* runtime.m */
	GOPLUMBING_PROCESSOR, /* runtime.p, and other structs with a heap of timers */
	GOPLUMBING_HEAP,      /* the array of timers of a processor: a part of it */
	GOPLUMBING_KINDS
};
/* Returns the common name of a kind; NULL: each belongs to its goroutine. */
const char *goplumbing_name(enum goplumbing_kind kind);

struct goplumbing_part {
	uint32_t object;
	uint32_t thread; /* its goroutine, or UINT32_MAX */
	uint32_t kind;   /* enum goplumbing_kind */
};

struct goplumbing {
	struct goplumbing_part *part; /* sorted by object, unique */
	size_t count, capacity;
	uint64_t *bits; /* one bit per object: it is a part */
	struct gotimers *timers;
};

/* Finds all structures. Requires heap_link. `waits` may be NULL. */
struct goplumbing *goplumbing_new(const struct heap *heap, const struct gowaits *waits,
                                  const struct runtime_variables *variables);
void goplumbing_free(struct goplumbing *plumbing);
