/* Boundary tags of glibc's malloc (ptmalloc): chunks, heaps of arenas, and mapped chunks. */
#include "core_malloc.h"

enum {
	PAGE = 4096,
	CHUNK_LEAST = 32,     /* MINSIZE */
	CHUNK_ALIGNMENT = 16, /* MALLOC_ALIGNMENT */
	CHUNKS_READ = 4096,
	HEAP_MOST = 64 << 20, /* HEAP_MAX_SIZE, to which heaps of arenas are aligned */
	INFO_MOST = 256, /* sizeof(heap_info), with what the alignment of the arena behind it takes */
	BLOCK_LEAST = 64 << 10,
};

/* Bits of the size of a chunk. */
enum { IS_MAPPED = 2, OF_OTHER_ARENA = 4, SIZE_BITS = 7 };

bool core_malloc_is_heap(const struct core_memory *memory, uint64_t start, uint64_t end)
{
	uint64_t at = start;
	for (int i = 0; i < CHUNKS_READ && at < end; i++) {
		uint64_t size = memory_word(memory, at + 8);
		uint64_t bytes = size & ~(uint64_t)SIZE_BITS;
		if (size & (IS_MAPPED | OF_OTHER_ARENA) || bytes < CHUNK_LEAST || bytes % CHUNK_ALIGNMENT
		    || bytes > end - at)
			return false;
		at += bytes;
	}
	return at > start;
}

/* heap_info: the arena, the previous heap of it, the bytes in use, and those that can be written.
 */
static uint64_t malloc_heap(const struct core_memory *memory, uint64_t at, uint64_t end)
{
	uint64_t arena = memory_word(memory, at), previous = memory_word(memory, at + 8);
	uint64_t used = memory_word(memory, at + 16), writable = memory_word(memory, at + 24);
	bool first = arena > at && arena - at <= INFO_MOST;
	bool next = arena && previous && previous % HEAP_MOST == 0;
	return at % HEAP_MOST == 0 && arena % CHUNK_ALIGNMENT == 0 && (previous ? next : first) && used
	               && used % PAGE == 0 && writable % PAGE == 0 && used <= writable
	               && writable <= HEAP_MOST && writable <= end - at
	           ? writable
	           : 0;
}

/* A mapped chunk: nothing is before it, and its size is that of the mapping. */
static uint64_t malloc_block(const struct core_memory *memory, uint64_t at, uint64_t end)
{
	uint64_t size = memory_word(memory, at + 8), bytes = size & ~(uint64_t)SIZE_BITS;
	return memory_word(memory, at) == 0 && (size & SIZE_BITS) == IS_MAPPED && bytes >= BLOCK_LEAST
	               && bytes % PAGE == 0 && bytes <= end - at
	           ? bytes
	           : 0;
}

uint64_t core_malloc_piece(const struct core_memory *memory, uint64_t at, uint64_t end,
                           const char **part)
{
	uint64_t bytes = malloc_heap(memory, at, end);
	*part = bytes ? "arena of threads" : "large block";
	return bytes ? bytes : malloc_block(memory, at, end);
}
