/* Memory of glibc's malloc, recognized by its structures (glibc: malloc/malloc.c, malloc/arena.c).
 */
#ifndef FORMAT_CORE_MALLOC_H
#define FORMAT_CORE_MALLOC_H

#include "core_memory.h"
#include "format/format.h"

/* Returns the first chunk of the heap of the main arena, which grows by brk, in a mapped range:
   from it on chunks follow each other to the end. In a static program the thread-local memory of
   the first thread is before it. Of many chunks only the first are read. 0: it is no such heap. */
uint64_t core_malloc_first_chunk(const struct core_memory *memory, uint64_t start, uint64_t end);

/* Recognizes what begins at the start of a page: the heap of another arena, or a block that was too
   large for an arena. Returns its bytes, at most up to `end`, and stores what it is; 0: neither. */
uint64_t core_malloc_piece(const struct core_memory *memory, uint64_t at, uint64_t end,
                           const char **part);

/* Adds up the chunks of what the functions above recognize. False: they do not reach its end, or
   cancelled. */
bool core_malloc_count(const struct core_memory *memory, uint64_t start, uint64_t end,
                       struct progress *progress, struct malloc_chunks *chunks);

#endif
