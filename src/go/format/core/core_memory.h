/* Process memory: what the core file stores, otherwise the executable's file content. The core file
   comes first, since data was modified. */
#pragma once

#include "core_file.h"
#include "go/exe/exe.h"

struct core_memory {
	struct core_file file;
	struct exe *exe;
	uint64_t bias; /* load bias: process address minus link-time address */
};

/* Returns `size` consecutive bytes at an address, borrowed; NULL if they are not all present. They
   are data of the runtime, which stays when the file is redacted. */
const uint8_t *memory_at(const struct core_memory *memory, uint64_t address, uint64_t size);
/* Like memory_at, for bytes that may be of the program, or nothing at all. */
const uint8_t *memory_peek(const struct core_memory *memory, uint64_t address, uint64_t size);
/* Reads a number of 1, 2, 4 or 8 bytes. Returns false with *value 0 if it is missing. */
bool memory_number(const struct core_memory *memory, uint64_t address, unsigned bytes,
                   uint64_t *value);
/* Reads a word; 0 if it is missing. */
uint64_t memory_word(const struct core_memory *memory, uint64_t address);
uint64_t memory_peek_word(const struct core_memory *memory, uint64_t address);
/* Returns the offset of an address in the core file; UINT64_MAX: not stored. */
uint64_t memory_offset(const struct core_memory *memory, uint64_t address);

/* A Go slice or string; count is limited to elements of `size` bytes that are present. */
struct memory_slice {
	uint64_t address, count;
};
struct memory_slice memory_slice(const struct core_memory *memory, uint64_t address, unsigned size);
