/* The pages of the heap that are in no span: which of its address space the runtime has begun to
   use, and what of that is free (runtime/mpagealloc.go). */
#ifndef FORMAT_CORE_PAGES_H
#define FORMAT_CORE_PAGES_H

#include "core_spans.h"
#include "format/record.h"

#include <stddef.h>

/* Pages in a row that a thread has set apart for its next spans (runtime/mpagecache.go). */
struct core_page_cache {
	uint64_t base, cache, released; /* masks: which it has, which of them are released */
};

struct core_pages {
	const struct core_runtime *rt;
	uint64_t chunks;            /* address of the table of bitmaps; 0: not found */
	struct memory_slice in_use; /* address ranges */
	struct core_page_cache *cache;
	size_t caches, capacity;
};

/* `span`: those that pages are in, by address; they tell whether the table is the right one. */
void core_pages_init(struct core_pages *pages, const struct core_spans *spans,
                     const struct span_record *span, size_t count);
void core_pages_fini(struct core_pages *pages);

/* A run of pages that are in no span. */
struct core_page_run {
	uint64_t start, bytes;
	bool released; /* to the operating system */
};
/* Calls visit with all of them by address, as far as the spans leave room for them. */
void core_pages_free(const struct core_pages *pages, const struct span_record *span, size_t count,
                     void (*visit)(void *self, const struct core_page_run *run), void *self);

#endif
