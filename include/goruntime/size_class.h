/* The allocator's size classes, and where their spans begin. */
#ifndef GORUNTIME_SIZE_CLASS_H
#define GORUNTIME_SIZE_CLASS_H

#include <stdbool.h>
#include <stdint.h>

/* Is a slot of `size` bytes what the allocator gives for `bytes`? */
bool size_class_fits(uint64_t size, uint64_t bytes);

/* Is it a class that only Go up to 1.7 had? */
bool size_class_is_old(uint64_t size);

/* Which classes the program's allocator has. */
struct size_classes {
	bool old;   /* those of Go up to 1.7 */
	bool of_24; /* with that of 24 bytes */
};
struct size_class_span {
	uint64_t address, bytes;
	unsigned class; /* its number; 0: of one large object */
};
/* The span that a slot lies in, which its address tells; its slots follow each other from the
   beginning on. False: no span has such a slot. */
bool size_class_span(const struct size_classes *which, uint64_t slot, uint64_t size,
                     struct size_class_span *span);

#endif
