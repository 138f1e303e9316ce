/* The allocator's size classes. */
#ifndef GORUNTIME_SIZE_CLASS_H
#define GORUNTIME_SIZE_CLASS_H

#include <stdbool.h>
#include <stdint.h>

/* Is a slot of `size` bytes what the allocator gives for `bytes`? */
bool size_class_fits(uint64_t size, uint64_t bytes);

#endif
