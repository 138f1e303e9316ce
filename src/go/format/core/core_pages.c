#include "core_pages.h"

#include "base/bits.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum {
	CHUNK_PAGES = 512, /* pages per bitmap */
	CHUNK_BYTES = CHUNK_PAGES * CORE_PAGE,
	BITMAP = 64, /* bytes of the bitmap of used pages; a bitmap of released pages follows */
	CHUNK = 2 * BITMAP,
	LEVEL = 1 << 13, /* entries of each of the two levels */
	RANGE = 16,
	CACHE_BYTES = 64 * CORE_PAGE,
	MOST_CACHES = 1024,
	HEADERS_SINCE = 22, /* since this version objects of this size begin with a header */
	P_LEAST = 8 << 10,  /* range of slot sizes of struct p in all versions */
	P_MOST = 16 << 10,
	STEPS_LEAST = 1 << 22
};

/* Returns the bitmaps of an address, or NULL. */
static const uint8_t *pages_chunk(const struct core_pages *pages, uint64_t address)
{
	const struct core_memory *memory = &pages->rt->memory;
	uint64_t index = (address - pages->rt->arena_base) / CHUNK_BYTES;
	uint64_t second = memory_word(memory, pages->chunks + index / LEVEL % LEVEL * 8);
	return second ? memory_at(memory, second + index % LEVEL * CHUNK, CHUNK) : NULL;
}

static bool pages_has(const struct core_pages *pages, uint64_t address)
{
	const struct core_memory *memory = &pages->rt->memory;
	for (uint64_t i = 0; i < pages->in_use.count; i++) {
		uint64_t range = pages->in_use.address + i * RANGE;
		uint64_t start = memory_word(memory, range), end = memory_word(memory, range + 8);
		if (start <= address && address < end)
			return true;
	}
	return false;
}

/* Returns true if the table marks the pages of all spans as used. */
static bool pages_fit(const struct core_pages *pages, const struct span_record *span, size_t spans)
{
	enum { MOST = 1000 };
	for (size_t i = 0; i < spans && i < MOST; i++) {
		const uint8_t *bits = pages_chunk(pages, span[i].address);
		uint64_t page = (span[i].address - pages->rt->arena_base) % CHUNK_BYTES / CORE_PAGE;
		if (!bits || !bit_is_set(bits, page) || !pages_has(pages, span[i].address))
			return false;
	}
	return spans;
}

/* ---- Caches */

/* Reads a page cache where one may be. Returns false if there is none: the pages of a cache are
   marked as used, but are in no span. */
static bool page_cache_read(const struct core_pages *pages, uint64_t at,
                            struct core_page_cache *cache)
{
	const struct core_memory *memory = &pages->rt->memory;
	uint64_t chunk = 0;
	*cache = (struct core_page_cache){memory_peek_word(memory, at),
	                                  memory_peek_word(memory, at + 8),
	                                  memory_peek_word(memory, at + 16)};
	bool sane = cache->base && cache->base % CACHE_BYTES == 0 && cache->cache
	            && !(cache->released & ~cache->cache);
	const uint8_t *bits = sane ? pages_chunk(pages, cache->base) : NULL;
	if (!bits)
		return false;
	uint64_t page = (cache->base - pages->rt->arena_base) % CHUNK_BYTES / CORE_PAGE;
	memcpy(&chunk, bits + page / 8, sizeof chunk);
	bool found = (chunk & cache->cache) == cache->cache;
	if (found)
		memory_at(memory, at, sizeof *cache);
	return found;
}

/* Collects the page caches, which are in p structs on the heap. */
static void pages_find_caches(struct core_pages *pages, const struct core_spans *spans)
{
	uint64_t offset = rt_place(pages->rt, 0, RT_P_PCACHE);
	for (size_t i = 0; i < spans->count; i++) {
		const struct core_span *span = &spans->span[i];
		if (span->size < P_LEAST || span->size > P_MOST)
			continue;
		uint64_t header = pages->rt->layout.minor >= HEADERS_SINCE ? 8 : 0;
		for (uint64_t slot = core_span_next(spans, span, 0);
		     slot < span->slots && pages->caches < MOST_CACHES;
		     slot = core_span_next(spans, span, slot + 1)) {
			struct core_page_cache cache;
			if (!page_cache_read(pages, span->start + slot * span->size + header + offset, &cache))
				continue;
			MEM_PUSH(pages->cache, pages->caches, pages->capacity, cache);
		}
	}
}

/* Returns whether a page that is marked as used, but in no span, is released. It is in the cache of
   a thread, or one of the pages at the start of the heap that Go 1.26 never uses to randomize
   addresses. */
static bool pages_unused_is_released(const struct core_pages *pages, uint64_t address)
{
	for (size_t i = 0; i < pages->caches; i++) {
		uint64_t page = (address - pages->cache[i].base) / CORE_PAGE;
		if (address >= pages->cache[i].base && page < 64 && pages->cache[i].cache >> page & 1)
			return pages->cache[i].released >> page & 1;
	}
	return true;
}

void core_pages_init(struct core_pages *pages, const struct core_spans *spans,
                     const struct span_record *span, size_t count)
{
	const struct core_runtime *rt = spans->rt;
	*pages = (struct core_pages){.rt = rt};
	uint64_t allocator = rt_place(rt, rt->mheap, RT_MHEAP_PAGES);
	pages->chunks = rt_place(rt, allocator, RT_PAGEALLOC_CHUNKS);
	pages->in_use = memory_slice(&rt->memory, rt_place(rt, allocator, RT_PAGEALLOC_INUSE), RANGE);
	if (pages_fit(pages, span, count))
		pages_find_caches(pages, spans);
	else
		pages->chunks = 0;
}

void core_pages_fini(struct core_pages *pages)
{
	free(pages->cache);
}

/* ---- Free pages */

struct page_walk {
	const struct core_pages *pages;
	const struct span_record *span;
	size_t spans, at; /* index of the span that contains or follows the address */
	struct core_page_run run;
	void (*visit)(void *self, const struct core_page_run *run);
	void *self;
	uint64_t steps;
};

static void pages_end_run(struct page_walk *w)
{
	if (w->run.bytes)
		w->visit(w->self, &w->run);
	w->run = (struct core_page_run){0};
}

static void pages_add(struct page_walk *w, uint64_t address, bool released)
{
	while (w->at < w->spans && w->span[w->at].address + w->span[w->at].bytes <= address)
		w->at++;
	bool in_span = w->at < w->spans && w->span[w->at].address <= address;
	if (in_span || released != w->run.released || w->run.start + w->run.bytes != address)
		pages_end_run(w);
	if (in_span)
		return;
	if (!w->run.bytes)
		w->run = (struct core_page_run){address, 0, released};
	w->run.bytes += CORE_PAGE;
}

static void pages_walk_chunk(struct page_walk *w, uint64_t start, uint64_t end)
{
	const uint8_t *bits = pages_chunk(w->pages, start);
	uint64_t chunk = start - (start - w->pages->rt->arena_base) % CHUNK_BYTES;
	for (uint64_t at = start; bits && at < end; at += CORE_PAGE) {
		uint64_t page = (at - chunk) / CORE_PAGE;
		pages_add(w, at,
		          bit_is_set(bits, page) ? pages_unused_is_released(w->pages, at)
		                                 : bit_is_set(bits + BITMAP, page));
	}
}

static void pages_walk_range(struct page_walk *w, uint64_t start, uint64_t end)
{
	uint64_t base = w->pages->rt->arena_base;
	for (uint64_t at = start; at < end && w->steps; w->steps--) {
		uint64_t next = at - (at - base) % CHUNK_BYTES + CHUNK_BYTES;
		if (next < at || next > end)
			next = end;
		pages_walk_chunk(w, at, next);
		at = next;
	}
}

void core_pages_free(const struct core_pages *pages, const struct span_record *span, size_t count,
                     void (*visit)(void *self, const struct core_page_run *run), void *self)
{
	const struct core_memory *memory = &pages->rt->memory;
	struct page_walk w = {.pages = pages,
	                      .span = span,
	                      .spans = count,
	                      .visit = visit,
	                      .self = self,
	                      .steps = STEPS_LEAST};
	uint64_t last = 0;
	for (uint64_t i = 0; pages->chunks && i < pages->in_use.count && w.steps; i++, w.steps--) {
		uint64_t range = pages->in_use.address + i * RANGE;
		uint64_t start = memory_word(memory, range), end = memory_word(memory, range + 8);
		/* Ranges ascend except in damaged files. */
		if (start < last || start % CORE_PAGE || end % CORE_PAGE || end < start)
			continue;
		pages_walk_range(&w, start, end);
		last = end;
	}
	pages_end_run(&w);
}
