/* Saves the graph of a heap in an index (base/index_file.h), and loads it. */
#ifndef HEAP_HEAP_INDEX_H
#define HEAP_HEAP_INDEX_H

#include "base/index_file.h"
#include "heap/heap.h"

/* Saves the object table and positions of records. Saves nothing for a dump that is damaged or that
   is not a single file. */
void heap_read_save(const struct heap *heap, struct index_writer *writer);
/* Loads them into a heap whose other records are read afterwards. Returns false if the file lacks
   them. */
bool heap_read_load(struct heap *heap, struct index_file *file);
/* Returns true if those other records match the saved counts. */
bool heap_read_fits(const struct heap *heap, struct index_file *file);

/* Save the results of heap_link and heap_reverse, which must stay until the index is written.
   Nothing is saved for a log. */
void heap_link_save(const struct heap *heap, struct index_writer *writer);
void heap_reverse_save(const struct heap *heap, struct index_writer *writer);
/* Load them in place of computing them. Return false if the file lacks them; the heap is unchanged
   then. */
bool heap_link_load(struct heap *heap, struct index_file *file);
bool heap_reverse_load(struct heap *heap, struct index_file *file);

#endif
