/* The graph of a heap in an index (base/index_file.h). */
#ifndef HEAP_HEAP_INDEX_H
#define HEAP_HEAP_INDEX_H

#include "base/index_file.h"
#include "heap/heap.h"

/* What heap_read has found of objects: where they are and where their records stand. Nothing is
   saved of a dump that is damaged in any way, or that is not of one file. */
void heap_read_save(const struct heap *heap, struct index_writer *writer);
/* Into a heap whose other records are to be read; false: it is not in the file. */
bool heap_read_load(struct heap *heap, struct index_file *file);
/* Were these, too, what they were? */
bool heap_read_fits(const struct heap *heap, struct index_file *file);

/* What heap_link and heap_reverse have made, which stays there until it is written. Not of a log.
 */
void heap_link_save(const struct heap *heap, struct index_writer *writer);
void heap_reverse_save(const struct heap *heap, struct index_writer *writer);
/* In their stead; false: it is not in the file, and nothing is changed. */
bool heap_link_load(struct heap *heap, struct index_file *file);
bool heap_reverse_load(struct heap *heap, struct index_file *file);

#endif
