/* A sudog: a goroutine in a queue of waiters (runtime/runtime2.go). */
#pragma once

#include "go/exe/struct_layout.h"

struct heap;
struct object_record;

/* Groups of versions with the same layout, by the first version of each. */
enum { GOSUDOG_LAYOUTS = 6, GOSUDOG_SAYS_CHANNEL = 7 };
extern const struct struct_layout gosudog_layout;
extern const unsigned gosudog_minors[GOSUDOG_LAYOUTS];

struct gosudog {
	uint64_t g, next, prev;
	uint64_t wait_link; /* the next sudog of the same goroutine */
	/* channel: the element to send or the place for the received one; semaphore: its address */
	uint64_t elem;
	uint64_t channel; /* 0: no channel, or before Go 1.7, which does not store it */
};

/* Reads the sudog at an address. Returns false if no object of sufficient size begins there. */
bool gosudog_read(const struct heap *heap, const struct layout_places *places, uint64_t address,
                  struct gosudog *sudog);

/* Returns the object that begins at an address, with its contents. Returns false if there is
   none. */
bool gosudog_object(const struct heap *heap, uint64_t address, struct object_record *record,
                    uint32_t *id);
