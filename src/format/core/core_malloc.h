/* Memory of glibc's malloc, recognized by its structures (glibc: malloc/malloc.c, malloc/arena.c).
 */
#ifndef FORMAT_CORE_MALLOC_H
#define FORMAT_CORE_MALLOC_H

#include "core_memory.h"
#include "format/format.h"

/* Returns true if a mapped range is the heap of the main arena, which grows by brk: chunks follow
   each other from its start to its end. Of many only the first are read. */
bool core_malloc_is_heap(const struct core_memory *memory, uint64_t start, uint64_t end);

/* Recognizes what begins at the start of a page: the heap of another arena, or a block that was too
   large for an arena. Returns its bytes, at most up to `end`, and stores what it is; 0: neither. */
uint64_t core_malloc_piece(const struct core_memory *memory, uint64_t at, uint64_t end,
                           const char **part);

/* Adds up the chunks of what the functions above recognize. False: they do not reach its end, or
   cancelled. */
bool core_malloc_count(const struct core_memory *memory, uint64_t start, uint64_t end,
                       struct progress *progress, struct malloc_chunks *chunks);

#endif
