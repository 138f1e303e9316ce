/* Finds runtime.semtable, where goroutines wait for semaphores (runtime/sema.go), in a program
   without symbols. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heap;

struct runtime_semtable {
	uint64_t address, size; /* in bytes */
	size_t words;           /* number of the given words in it */
};

/* `word` are the addresses of all words in data and bss that point to a sudog. Returns false if
   fewer than two of them are in the table, which then cannot be located. Takes time in proportion
   to `count`. */
bool runtime_semtable_find(const struct heap *heap, const uint64_t *word, size_t count,
                           struct runtime_semtable *table);
