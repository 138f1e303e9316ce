/* Heap pages outside of spans: the used address space of the heap, and its free pages
   (runtime/mpagealloc.go). */
#pragma once

#include "core_spans.h"
#include "format/record.h"

#include <stddef.h>

/* Consecutive pages reserved by a thread for its next spans (runtime/mpagecache.go). */
struct core_page_cache {
	uint64_t base, cache, released; /* bit masks: reserved pages, released pages among them */
};

struct core_pages {
	const struct core_runtime *rt;
	uint64_t chunks;            /* address of the table of bitmaps; 0: not found */
	struct memory_slice in_use; /* used address ranges */
	struct core_page_cache *cache;
	size_t caches, capacity;
};

/* Finds the table. `span` are the spans, sorted by address; they verify it. */
void core_pages_init(struct core_pages *pages, const struct core_spans *spans,
                     const struct span_record *span, size_t count);
void core_pages_fini(struct core_pages *pages);

/* A run of pages outside of spans. */
struct core_page_run {
	uint64_t start, bytes;
	bool released; /* returned to the operating system */
};
/* Calls visit for all free runs in ascending order, limited to the gaps between the spans. */
void core_pages_free(const struct core_pages *pages, const struct span_record *span, size_t count,
                     void (*visit)(void *self, const struct core_page_run *run), void *self);
