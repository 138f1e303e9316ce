/* Size classes of the allocator, and the spans of slots. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Returns true if the allocator uses a slot of `size` bytes for an allocation of `bytes`. */
bool size_class_fits(uint64_t size, uint64_t bytes);
/* Returns how many bytes an allocation may have at most that gets a slot smaller than `size` bytes.
 */
uint64_t size_class_below(uint64_t size);

/* Returns true for a size class that existed only up to Go 1.7. */
bool size_class_is_old(uint64_t size);

/* Returns true for the slot of a chunk of package arena, since Go 1.22: 8 MB, or 4 MB where the
   runtime maps memory in such pieces, without the bitmap and the type at its end. No other slot has
   this size, which is no multiple of a page. It holds values of any types. */
bool size_class_is_arena_chunk(uint64_t address, uint64_t size, unsigned word);

/* Set of size classes of the program's allocator. */
struct size_classes {
	bool old;   /* that of Go up to 1.7 */
	bool of_24; /* with the class of 24 bytes */
};
struct size_class_span {
	uint64_t address, bytes;
	unsigned class; /* number of the class; 0: one large object */
};
/* Finds the span of a slot from its address: slots are consecutive from the start of the span.
   Returns false if no span has such a slot. */
bool size_class_span(const struct size_classes *which, uint64_t slot, uint64_t size,
                     struct size_class_span *span);
