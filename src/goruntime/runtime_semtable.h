/* runtime.semtable, where goroutines wait for semaphores (runtime/sema.go), in a program without
   symbols. */
#ifndef GORUNTIME_RUNTIME_SEMTABLE_H
#define GORUNTIME_RUNTIME_SEMTABLE_H

#include "heap/heap.h"

struct runtime_semtable {
	uint64_t address, size; /* bytes */
	size_t words;           /* so many of the words given are in it */
};

/* `word`: addresses of all words in data and bss that point to a sudog. False: fewer than two of
   them are in the table, and its place cannot be told. Takes time in proportion to `count`. */
bool runtime_semtable_find(const struct heap *heap, const uint64_t *word, size_t count,
                           struct runtime_semtable *table);

#endif
