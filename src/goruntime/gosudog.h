/* A sudog: a goroutine in a queue of those who wait for something (runtime/runtime2.go). */
#ifndef GORUNTIME_GOSUDOG_H
#define GORUNTIME_GOSUDOG_H

#include "exe/struct_layout.h"
#include "heap/heap.h"

/* Versions of Go that lay them out alike, by the first of each. */
enum { GOSUDOG_LAYOUTS = 6, GOSUDOG_SAYS_CHANNEL = 7 };
extern const struct struct_layout gosudog_layout;
extern const unsigned gosudog_minors[GOSUDOG_LAYOUTS];

struct gosudog {
	uint64_t g, next, prev;
	uint64_t wait_link; /* the next that the same goroutine waits by */
	uint64_t elem;      /* of a channel what is sent or where to put it; of a semaphore its word */
	uint64_t channel;   /* 0: of none, or before Go 1.7, which does not say */
};

/* False: no object of at least that size begins at the address. */
bool gosudog_read(const struct heap *heap, const struct layout_places *places, uint64_t address,
                  struct gosudog *sudog);

/* The object that begins at an address, with its contents; false: there is none. */
bool gosudog_object(const struct heap *heap, uint64_t address, struct object_record *record,
                    uint32_t *id);

#endif
