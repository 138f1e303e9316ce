/* Pointer masks of types, from their descriptors in a core file: abi.Type. */
#pragma once

#include "core_runtime.h"
#include "go/exe/gotype.h"

/* The common part of a type descriptor. */
struct core_type {
	uint64_t size, covered; /* bytes of a value, and of it up to the last pointer */
	enum gokind kind;
	const uint8_t *mask; /* a bit per word of `covered`, borrowed; NULL: the runtime has none yet */
};
/* Reads a descriptor; all 0 if it is none. */
struct core_type core_type_at(const struct core_runtime *rt, uint64_t address);

/* Masks that are built here, kept until the core file is closed. Any thread may ask for one. */
struct core_type_masks *core_type_masks_new(void);
void core_type_masks_free(struct core_type_masks *masks); /* accepts NULL */
/* Returns the mask of a type, built on the first request if the runtime has none; NULL: fields or
   elements of the type cannot be read. Cost of the first: the words of the type. */
const uint8_t *core_type_mask(const struct core_runtime *rt, uint64_t address,
                              const struct core_type *type);
