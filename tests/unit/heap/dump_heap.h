/* Heaps of written dumps. Each fails the test if the dump cannot be read; the writer must live as
   long as the heap. */
#pragma once

#include "format/dump_writer.h"
#include "heap/heap.h"

struct heap *dump_heap(struct dump_writer *w);     /* as it is read */
struct heap *dump_linked(struct dump_writer *w);   /* with references */
struct heap *dump_reversed(struct dump_writer *w); /* with referrers, too */

/* Declares a heap that is freed where its block ends: SCOPED_HEAP heap = dump_heap(&w); */
#define SCOPED_HEAP __attribute__((cleanup(dump_heap_free))) struct heap *
void dump_heap_free(struct heap **heap);
