/* Words for what the memory of a process is used for; private to the tables memory and mappings. */
#ifndef RUNTIMES_GO_MEMORY_USE_H
#define RUNTIMES_GO_MEMORY_USE_H

#include "format/record.h"

/* Returns the word of the table memory for mapped memory of a kind (enum mapping_kind): "malloc",
   "other files". */
const char *memory_use_of(uint64_t kind);
/* Returns true for uses that are neither the heap nor the runtime's nor the executable: C code's,
   files, mappings. */
bool memory_use_is_outside(const char *use);

#endif
