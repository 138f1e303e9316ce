/* Heaps for tests: random graphs with everything a real one has (shuffled spans, interior and
   dangling pointers, cycles, self-references), and the same graph as a plain adjacency matrix to
   compare with. */
#pragma once

#include "format/dump_writer.h"
#include "heap/heap.h"

enum { RANDOM_OBJECTS = 60, RANDOM_SIZE = 64 };

struct random_heap {
	struct dump_writer writer;
	struct heap *heap;                                    /* with its references */
	unsigned char edge[RANDOM_OBJECTS][RANDOM_OBJECTS];   /* number of pointers from ... to ... */
	bool strong[RANDOM_OBJECTS], passing[RANDOM_OBJECTS]; /* referenced by a global variable, by a
	                                                         running frame */
};

/* Makes a random heap. Object i has id i. */
void random_heap_make(struct random_heap *random, uint64_t seed);
void random_heap_free(struct random_heap *random);
uint64_t random_heap_address(uint32_t object);
