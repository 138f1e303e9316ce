/* Heaps of written dumps. Each fails the test if the dump cannot be read; the writer must live as
   long as the heap. */
#pragma once

#include "format/dump_writer.h"
#include "heap/heap.h"

struct heap *dump_heap(struct dump_writer *w);     /* as it is read */
struct heap *dump_linked(struct dump_writer *w);   /* with references */
struct heap *dump_reversed(struct dump_writer *w); /* with referrers, too */
