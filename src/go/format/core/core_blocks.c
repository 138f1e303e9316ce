#include "core_blocks.h"

#include "base/bound.h"
#include "base/mem.h"

#include <stdlib.h>

enum {
	PAGE = 4096,
	CHUNK = 256 << 10, /* persistentChunkSize (runtime/malloc.go) */
	MOST_CHUNKS = 1 << 20,
	ORDER_EVERY = 1 << 10, /* blocks that are added, at least */
	ARENAS = 4 << 20,      /* entries of the second level of mheap.arenas */
	ARENA_PAGES = 8192,
	BITMAPS = 1 << 13,        /* entries of the first level of pageAlloc.chunks, */
	BITMAP = (1 << 13) * 128, /* bytes of one of the second */
	LEVELS = 5,               /* of the summaries of pages */
	INDEX_OF_WORDS = 21,      /* since then the index for the scavenger has words, before bytes */
	/* Bits of the collector come in such blocks, and buffers of the tracer. What no list names is
	   not larger, queues of spans that the collector has while it marks included, unless it has
	   more than 8,192 of them for one processor. */
	BLOCK = 64 << 10,
	/* Where no list of summaries is known, nothing else is larger, of a heap of 500 GB. */
	SUMMARIES_MOST = 1 << 20,
};

/* Sorts them, and joins those that overlap. */
static void blocks_order(struct core_blocks *blocks)
{
	size_t kept = 0;
	bound_sort(blocks->run, blocks->count, BOUND_BY(struct core_run, start));
	for (size_t i = 0; i < blocks->count; i++) {
		struct core_run next = blocks->run[i];
		if (kept && next.start <= blocks->run[kept - 1].end) {
			if (next.end > blocks->run[kept - 1].end)
				blocks->run[kept - 1].end = next.end;
		} else {
			blocks->run[kept++] = next;
		}
	}
	blocks->count = kept;
}

static void blocks_add(struct core_blocks *blocks, uint64_t start, uint64_t bytes)
{
	const struct core_run *last = blocks->count ? &blocks->run[blocks->count - 1] : NULL;
	if (!start || start + bytes < start
	    || (last && start >= last->start && start + bytes <= last->end))
		return;
	/* Most are in blocks that are there, which take no memory for each span. */
	if (blocks->count >= blocks->limit) {
		blocks_order(blocks);
		blocks->limit = 2 * blocks->count + ORDER_EVERY;
	}
	MEM_PUSH(blocks->run, blocks->count, blocks->capacity,
	         ((struct core_run){start, start + bytes}));
}

/* ---- The list of chunks that small structures are in */

static bool blocks_is_chunk(const struct core_runtime *rt, uint64_t chunk)
{
	return chunk && chunk % PAGE == 0 && memory_peek(&rt->memory, chunk, CHUNK);
}

/* Returns the length of a list of chunks that ends, and has an address in one of them; 0: it is no
   such list. */
static uint64_t blocks_length(const struct core_runtime *rt, uint64_t chunk, uint64_t within,
                              uint64_t *left)
{
	bool has = false;
	uint64_t length = 0;
	for (; blocks_is_chunk(rt, chunk) && *left; --*left, length++) {
		has |= within - chunk < CHUNK;
		chunk = memory_peek_word(&rt->memory, chunk);
	}
	return has && !chunk ? length : 0;
}

/* Finds the variable with the first chunk, which all others follow (runtime.persistentChunks); 0:
   there is none. A span record is in one of them. Other variables have the chunk that is in use,
   which only older ones follow. */
static uint64_t blocks_find(const struct core_runtime *rt, uint64_t span)
{
	struct core_run range = core_module_variables(rt, rt->module);
	uint64_t left = MOST_CHUNKS, most = 0, found = 0;
	for (uint64_t at = range.start; at < range.end && range.end - at >= 8; at += 8) {
		uint64_t first = memory_peek_word(&rt->memory, at);
		uint64_t length = blocks_length(rt, first, span, &left);
		if (length > most && !core_arena(rt, first)) { /* looked up last: the table is large */
			most = length;
			found = at;
		}
	}
	return left ? found : 0;
}

static void blocks_add_chunks(struct core_blocks *blocks, const struct core_runtime *rt,
                              uint64_t variable)
{
	uint64_t chunk = variable ? memory_word(&rt->memory, variable) : 0;
	blocks->known = chunk;
	for (int i = 0; chunk && i < MOST_CHUNKS; i++) {
		blocks_add(blocks, chunk, CHUNK);
		chunk = memory_word(&rt->memory, chunk);
	}
}

/* ---- What has mappings of its own */

/* Returns the start of the block that bits are in (runtime.gcBitsArena): it begins with the number
   of bytes that are used and with the next block. 0: unknown. */
static uint64_t blocks_bits_start(const struct core_blocks *blocks, const struct core_runtime *rt,
                                  uint64_t bits)
{
	enum { HEADER = 16 };
	uint64_t page = bits - bits % PAGE;
	const struct core_run *last = blocks->count ? &blocks->run[blocks->count - 1] : NULL;
	if (!bits || (last && bits >= last->start && bits < last->end))
		return 0; /* it is there */
	for (uint64_t start = page - BLOCK + PAGE; start <= page; start += PAGE) {
		uint64_t used = memory_peek_word(&rt->memory, start);
		uint64_t next = memory_peek_word(&rt->memory, start + 8);
		if (memory_peek(&rt->memory, start, BLOCK) && used <= BLOCK - HEADER
		    && used + HEADER > bits - start && next % PAGE == 0
		    && (!next || memory_peek(&rt->memory, next, BLOCK)))
			return start;
	}
	return page;
}

static void blocks_add_span(struct core_blocks *blocks, const struct core_runtime *rt,
                            uint64_t span)
{
	uint64_t arena = core_arena(rt, rt_field(rt, span, RT_MSPAN_STARTADDR));
	const uint64_t bits[] = {rt_field(rt, span, RT_MSPAN_ALLOCBITS),
	                         rt_field(rt, span, RT_MSPAN_GCMARKBITS)};
	if (arena)
		blocks_add(blocks, arena, rt_place(rt, 0, RT_HEAPARENA_SPANS) + ARENA_PAGES * 8);
	for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
		blocks_add(blocks, blocks_bits_start(blocks, rt, bits[i]), BLOCK);
	blocks_add(blocks, span - span % PAGE, PAGE);
}

static void blocks_add_bitmaps(struct core_blocks *blocks, const struct core_runtime *rt)
{
	uint64_t allocator = rt_place(rt, rt->mheap, RT_MHEAP_PAGES);
	uint64_t first = allocator ? rt_place(rt, allocator, RT_PAGEALLOC_CHUNKS) : 0;
	for (uint64_t i = 0; first && i < BITMAPS; i++)
		blocks_add(blocks, memory_word(&rt->memory, first + i * 8), BITMAP);
}

/* Adds what the slices of pageAlloc have reserved. */
static void blocks_add_summaries(struct core_blocks *blocks, const struct core_runtime *rt)
{
	uint64_t allocator = rt_place(rt, rt->mheap, RT_MHEAP_PAGES);
	uint64_t first = allocator ? rt_place(rt, allocator, RT_PAGEALLOC_SUMMARY) : 0;
	uint64_t scavenger = allocator ? rt_place(rt, allocator, RT_PAGEALLOC_SCAV) : 0;
	uint64_t index = scavenger ? rt_place(rt, scavenger, RT_SCAVENGEINDEX_CHUNKS) : 0;
	for (uint64_t i = 0; first && i < LEVELS; i++)
		blocks_add(blocks, memory_word(&rt->memory, first + i * 24),
		           memory_word(&rt->memory, first + i * 24 + 16) * 8);
	if (index)
		blocks_add(blocks, memory_word(&rt->memory, index),
		           memory_word(&rt->memory, index + 16)
		               * (rt->layout.minor < INDEX_OF_WORDS ? 1 : 8));
	blocks->other_least = first && index ? BLOCK + PAGE : SUMMARIES_MOST;
}

/* ---- All */

void core_blocks_init(struct core_blocks *blocks, const struct core_runtime *rt)
{
	uint64_t place = rt_place(rt, rt->mheap, RT_MHEAP_ALLSPANS);
	struct memory_slice all = memory_slice(&rt->memory, place, 8);
	*blocks = (struct core_blocks){.limit = ORDER_EVERY};
	for (uint64_t i = 0; i < all.count; i++)
		blocks_add_span(blocks, rt, memory_word(&rt->memory, all.address + i * 8));
	blocks_add(blocks, all.address, memory_word(&rt->memory, place + 16) * 8);
	blocks_add(blocks, rt_field(rt, rt->mheap, RT_MHEAP_ARENAS), ARENAS * 8ULL);
	blocks_add(blocks, rt->profile_table, CORE_PROFILE_TABLE);
	blocks_add_bitmaps(blocks, rt);
	blocks_add_summaries(blocks, rt);
	uint64_t span = all.count ? memory_word(&rt->memory, all.address) : 0;
	blocks_add_chunks(blocks, rt, span ? blocks_find(rt, span) : 0);
	blocks_order(blocks);
}

void core_blocks_fini(struct core_blocks *blocks)
{
	free(blocks->run);
}

/* Returns the first block that ends behind an address, or `count`. */
static size_t blocks_behind(const struct core_blocks *blocks, uint64_t address)
{
	size_t at = upper_bound(blocks->run, blocks->count, BOUND_BY(struct core_run, start), address);
	return at && blocks->run[at - 1].end > address ? at - 1 : at;
}

bool core_blocks_touch(const struct core_blocks *blocks, uint64_t start, uint64_t end)
{
	size_t at = blocks_behind(blocks, start);
	return at < blocks->count && blocks->run[at].start < end;
}

uint64_t core_blocks_part(const struct core_blocks *blocks, uint64_t start, uint64_t end, bool *own)
{
	size_t at = blocks_behind(blocks, start);
	uint64_t next = at < blocks->count && blocks->run[at].start < end ? blocks->run[at].start : end;
	*own = !blocks->known || next <= start || next - start < blocks->other_least;
	if (!blocks->known)
		return end;
	if (!*own)
		return next;
	uint64_t last = start;
	for (; at < blocks->count && blocks->run[at].start < end; at++) {
		if (blocks->run[at].start > last && blocks->run[at].start - last >= blocks->other_least)
			return last;
		last = blocks->run[at].end;
	}
	return last >= end || end - last < blocks->other_least ? end : last;
}
