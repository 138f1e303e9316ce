/* The graph of a heap in an index (base/index_file.h). */
#ifndef HEAP_HEAP_INDEX_H
#define HEAP_HEAP_INDEX_H

#include "base/index_file.h"
#include "heap/heap.h"

/* Takes into a key which objects heap_read has found, and how much else. */
struct index_key heap_index_key(const struct heap *heap, struct index_key key);

/* What heap_link and heap_reverse have made, which stays there until it is written. Not of a log.
 */
void heap_link_save(const struct heap *heap, struct index_writer *writer);
void heap_reverse_save(const struct heap *heap, struct index_writer *writer);
/* In their stead; false: it is not in the file, and nothing is changed. */
bool heap_link_load(struct heap *heap, struct index_file *file);
bool heap_reverse_load(struct heap *heap, struct index_file *file);

#endif
