/* Memory of glibc's malloc, recognized by its structures (glibc: malloc/malloc.c, malloc/arena.c).
 */
#pragma once

#include "core_memory.h"
#include "format/format.h"

/* The main arena. Its heap grows by brk. Where that fails, it maps memory elsewhere. */
struct malloc_main {
	uint64_t top;   /* its top chunk; 0: not known */
	bool scattered; /* the top chunk is not in the heap */
	uint64_t steps; /* chunks that may still be read in search of such memory */
};

/* Finds the top chunk: the arena is in the variables of glibc, or of a static program, and is
   recognized by its lists of free chunks. */
void core_malloc_find(const struct core_memory *memory, struct malloc_main *arena);

/* Returns the first chunk of the heap of the main arena, which grows by brk, in a mapped range:
   from it on chunks follow each other to the end. In a static program the thread-local memory of
   the first thread is before it. Of many chunks only the first are read. 0: it is no such heap. */
uint64_t core_malloc_first_chunk(const struct core_memory *memory, uint64_t start, uint64_t end);

/* Returns where the chunks of the main arena end that begin at an address: behind its top chunk, or
   where it could not grow; 0: they do not end so, or too many were read. */
uint64_t core_malloc_end(const struct core_memory *memory, struct malloc_main *arena, uint64_t at,
                         uint64_t end);

/* Recognizes what begins at the start of a page: the heap of another arena, a block that was too
   large for an arena, or memory that the main arena has mapped as its heap could not grow. Returns
   its bytes, at most up to `end`, and stores what it is; 0: none of these. */
extern const char core_malloc_region[]; /* the last of these */
uint64_t core_malloc_piece(const struct core_memory *memory, struct malloc_main *arena, uint64_t at,
                           uint64_t end, const char **part);

/* Adds up the chunks of what the functions above recognize. False: they do not reach its end, or
   cancelled. */
bool core_malloc_count(const struct core_memory *memory, uint64_t start, uint64_t end,
                       struct progress *progress, struct malloc_chunks *chunks);
