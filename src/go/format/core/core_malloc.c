/* Boundary tags of glibc's malloc (ptmalloc): chunks, heaps of arenas, and mapped chunks. They are
   looked for in memory that may be the program's: only what has turned out to be one is taken by
   memory_at, and stays when the file is redacted. */
#include "core_malloc.h"

enum {
	PAGE = 4096,
	FENCE = 16,           /* the size of each of two chunks at the end of what no longer grows */
	CHUNK_LEAST = 32,     /* MINSIZE */
	CHUNK_ALIGNMENT = 16, /* MALLOC_ALIGNMENT */
	CHUNKS_READ = 4096,
	BEFORE_MOST = 2 * PAGE, /* bytes before the first chunk */
	HEAP_MOST = 64 << 20,   /* HEAP_MAX_SIZE, to which heaps of arenas are aligned */
	INFO_MOST = 256, /* sizeof(heap_info), with what the alignment of the arena behind it takes */
	BLOCK_LEAST = 64 << 10,
	BLOCK_HEAD = 16,     /* of a mapped chunk: its sizes */
	STATE_LEAST = 0x800, /* bounds of sizeof(malloc_state) of all versions; 2.43 has no fastbins */
	STATE_MOST = 0x900,
	INFO_LEAST = 32,
	INFO_ALIGNED = 64,    /* sizeof(heap_info), aligned */
	POLL_EVERY = 1 << 16, /* chunks */
};

/* Bits of the size of a chunk. PREVIOUS_USED tells of the chunk before it. */
enum { PREVIOUS_USED = 1, IS_MAPPED = 2, OF_OTHER_ARENA = 4, SIZE_BITS = 7 };

const char core_malloc_region[] = "main arena";

/* Returns the bytes of a chunk of the main arena; 0: it is none. */
static uint64_t malloc_chunk(const struct core_memory *memory, uint64_t at, uint64_t end)
{
	uint64_t size = memory_peek_word(memory, at + 8), bytes = size & ~(uint64_t)SIZE_BITS;
	return size & (IS_MAPPED | OF_OTHER_ARENA) || bytes < CHUNK_LEAST || bytes % CHUNK_ALIGNMENT
	               || bytes > end - at || !memory_at(memory, at + 8, 8)
	           ? 0
	           : bytes;
}

/* Returns true where chunks of the main arena end, as it could not grow there. */
static bool malloc_is_fence(const struct core_memory *memory, uint64_t at, uint64_t end)
{
	return end - at >= 2 * FENCE && (at + 2 * FENCE) % PAGE == 0
	       && (memory_peek_word(memory, at + 8) & ~(uint64_t)PREVIOUS_USED) == FENCE
	       && memory_peek_word(memory, at + FENCE + 8) == (FENCE | PREVIOUS_USED)
	       && memory_at(memory, at + 8, 8) && memory_at(memory, at + FENCE + 8, 8);
}

static bool malloc_chunks_follow(const struct core_memory *memory, uint64_t at, uint64_t end)
{
	uint64_t bytes;
	for (int i = 0; i < CHUNKS_READ && at < end; i++, at += bytes)
		if (!(bytes = malloc_chunk(memory, at, end)))
			return i > 0 && malloc_is_fence(memory, at, end);
	return true;
}

uint64_t core_malloc_end(const struct core_memory *memory, struct malloc_main *arena, uint64_t at,
                         uint64_t end)
{
	if (!(memory_peek_word(memory, at + 8) & PREVIOUS_USED))
		return 0;
	while (at < end && arena->steps) {
		uint64_t bytes = malloc_chunk(memory, at, end);
		arena->steps--;
		if (bytes && at == arena->top)
			return (at + bytes) % PAGE == 0 ? at + bytes : 0;
		if (!bytes)
			return malloc_is_fence(memory, at, end) ? at + 2 * FENCE : 0;
		at += bytes;
	}
	return 0;
}

uint64_t core_malloc_first_chunk(const struct core_memory *memory, uint64_t start, uint64_t end)
{
	for (uint64_t at = start; at < end && at - start <= BEFORE_MOST; at += CHUNK_ALIGNMENT)
		if (malloc_chunks_follow(memory, at, end))
			return at;
	return 0;
}

/* heap_info: the arena, the previous heap of it, the bytes in use, and those that can be written.
 */
static uint64_t malloc_heap(const struct core_memory *memory, uint64_t at, uint64_t end)
{
	uint64_t arena = memory_peek_word(memory, at), previous = memory_peek_word(memory, at + 8);
	uint64_t used = memory_peek_word(memory, at + 16), writable = memory_peek_word(memory, at + 24);
	bool first = arena > at && arena - at <= INFO_MOST;
	bool next = arena && previous && previous % HEAP_MOST == 0;
	return at % HEAP_MOST == 0 && arena % CHUNK_ALIGNMENT == 0 && (previous ? next : first) && used
	               && used % PAGE == 0 && writable % PAGE == 0 && used <= writable
	               && writable <= HEAP_MOST && writable <= end - at && memory_at(memory, at, 32)
	           ? writable
	           : 0;
}

/* A mapped chunk: nothing is before it, and its size is that of the mapping. */
static uint64_t malloc_block(const struct core_memory *memory, uint64_t at, uint64_t end)
{
	uint64_t size = memory_peek_word(memory, at + 8), bytes = size & ~(uint64_t)SIZE_BITS;
	return memory_peek_word(memory, at) == 0 && (size & SIZE_BITS) == IS_MAPPED
	               && bytes >= BLOCK_LEAST && bytes % PAGE == 0 && bytes <= end - at
	               && memory_at(memory, at, BLOCK_HEAD)
	           ? bytes
	           : 0;
}

uint64_t core_malloc_piece(const struct core_memory *memory, struct malloc_main *arena, uint64_t at,
                           uint64_t end, const char **part)
{
	uint64_t bytes = malloc_heap(memory, at, end);
	*part = bytes ? "arena of threads" : "large block";
	if (!bytes)
		bytes = malloc_block(memory, at, end);
	if (bytes || !arena->scattered)
		return bytes;
	uint64_t last = at, next;
	while (last < end && (next = core_malloc_end(memory, arena, last, end)))
		last = next;
	*part = core_malloc_region;
	return last - at;
}

/* ---- Chunks in use and free ones */

/* Walks from chunk to chunk, up to the last one, which is free, as is the top chunk. False: they do
   not reach the end, or cancelled. */
static bool malloc_walk(const struct core_memory *memory, uint64_t at, uint64_t end, uint64_t top,
                        struct progress *progress, struct malloc_chunks *chunks)
{
	uint64_t bytes = memory_peek_word(memory, at + 8) & ~(uint64_t)SIZE_BITS;
	*chunks = (struct malloc_chunks){0};
	for (uint64_t steps = 0; end - at >= CHUNK_LEAST; steps++) {
		if (bytes < BLOCK_HEAD || bytes % CHUNK_ALIGNMENT || bytes > end - at
		    || (steps % POLL_EVERY == 0 && !progress_step(progress, 0)))
			return false;
		uint64_t next = at + bytes;
		uint64_t size = end - next >= BLOCK_HEAD ? memory_peek_word(memory, next + 8) : 0;
		bool used = size & PREVIOUS_USED && at != top, fence = bytes == FENCE;
		chunks->count += used && !fence;
		chunks->used += used && !fence ? bytes : 0;
		chunks->free += used || fence ? 0 : bytes;
		at = next;
		bytes = size & ~(uint64_t)SIZE_BITS;
	}
	return true;
}

/* Returns true if a malloc_state ends at an address, or 8 bytes before that by alignment: with
   the bytes that the arena has, and those that it had at most. */
static bool malloc_state_ends(const struct core_memory *memory, uint64_t at)
{
	for (uint64_t end = at; end >= at - 8; end -= 8) {
		uint64_t has = memory_peek_word(memory, end - 16), most = memory_peek_word(memory, end - 8);
		if (has && has <= most && has % PAGE == 0 && most % PAGE == 0)
			return true;
	}
	return false;
}

/* The chunks of the first heap of an arena follow its malloc_state, whose size depends on the
   version; those of the next ones follow their heap_info. */
static bool malloc_walk_heap(const struct core_memory *memory, uint64_t start,
                             struct progress *progress, struct malloc_chunks *chunks)
{
	uint64_t arena = memory_peek_word(memory, start),
			 end = start + memory_peek_word(memory, start + 16);
	bool first = memory_peek_word(memory, start + 8) == 0;
	uint64_t at = first ? arena + STATE_LEAST : start + INFO_LEAST;
	uint64_t most = first ? arena + STATE_MOST : start + INFO_ALIGNED;
	for (; at <= most && at < end; at += CHUNK_ALIGNMENT)
		if ((!first || malloc_state_ends(memory, at))
		    && malloc_walk(memory, at, end, 0, progress, chunks) && chunks->free)
			return true;
	return false;
}

bool core_malloc_count(const struct core_memory *memory, uint64_t start, uint64_t end,
                       struct progress *progress, struct malloc_chunks *chunks)
{
	uint64_t block = malloc_block(memory, start, end);
	progress_begin(progress, "chunks of malloc", 0);
	if (block) {
		*chunks = (struct malloc_chunks){.used = block - BLOCK_HEAD, .count = 1};
		return true;
	}
	if (malloc_heap(memory, start, end))
		return malloc_walk_heap(memory, start, progress, chunks);
	struct malloc_main arena;
	uint64_t first = core_malloc_first_chunk(memory, start, end);
	core_malloc_find(memory, &arena);
	return first && malloc_walk(memory, first, end, arena.top, progress, chunks);
}
