/* Saves the graph of a heap in an index (base/index_io.h), and loads it. */
#pragma once

#include "base/index_io.h"

struct heap;

/* Writes the object table and positions of records to an index; nothing for a dump that is damaged
   or that is not a single file. Or reads them into a heap whose other records are read afterwards:
   false if the file lacks them. */
bool heap_read_index(struct heap *heap, const struct index_io *io);
/* Returns true if those other records match the saved counts. */
bool heap_read_fits(const struct heap *heap, struct index_file *file);

/* Write the results of heap_link and heap_reverse, which must stay until the index is written, or
   read them in place of computing them: false if the file lacks them; the heap is unchanged
   then. */
bool heap_link_index(struct heap *heap, const struct index_io *io);
bool heap_reverse_index(struct heap *heap, const struct index_io *io);
