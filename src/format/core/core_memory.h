/* The memory of the process: what the core holds, and where it holds nothing, what the executable
   was mapped from. Never the other way round: data was written to. */
#ifndef FORMAT_CORE_MEMORY_H
#define FORMAT_CORE_MEMORY_H

#include "core_file.h"
#include "exe/exe.h"

struct core_memory {
	struct core_file file;
	struct exe *exe;
	uint64_t bias; /* what was added to the executable's addresses */
};

/* `size` bytes at an address, borrowed; NULL when they are not all there in a row. */
const uint8_t *memory_at(const struct core_memory *memory, uint64_t address, uint64_t size);
/* A number of 1, 2, 4 or 8 bytes. False: not there; *value is 0 then. */
bool memory_number(const struct core_memory *memory, uint64_t address, unsigned bytes,
                   uint64_t *value);
/* The same; 0 where nothing is. */
uint64_t memory_word(const struct core_memory *memory, uint64_t address);
/* Where the byte at an address stands in the core file; UINT64_MAX: it does not. */
uint64_t memory_offset(const struct core_memory *memory, uint64_t address);

/* A slice or a string of Go; count is bounded by what is there of its elements of `size` bytes. */
struct memory_slice {
	uint64_t address, count;
};
struct memory_slice memory_slice(const struct core_memory *memory, uint64_t address, unsigned size);

#endif
