/* Finds the main arena of glibc's malloc (struct malloc_state of malloc/malloc.c). */
#include "core_malloc.h"

#include <elf.h>
#include <string.h>

enum {
	BINS = 127,   /* NBINS - 1 lists, each with a forward and a backward pointer */
	BIN = 16,     /* bytes of these */
	FORWARD = 16, /* offsets in a chunk, and in what the bins take for one */
	BACKWARD = 24,
	TOP_BEFORE = 16, /* the pointer to the top chunk is in front of the bins */
	BYTES_MOST = 16 << 20,
	STEPS_LEAST = 1 << 20,
	STEP_BYTES = 8, /* a chunk has 32 or more, and is read several times */
};

typedef uint64_t malloc_word(const struct core_memory *memory, uint64_t address);

/* Returns true if at an address the bins begin: lists whose ends point back to them. */
static bool malloc_has_bins(const struct core_memory *memory, uint64_t at, malloc_word *word)
{
	for (int i = 0; i < BINS; i++) {
		uint64_t bin = at + (uint64_t)i * BIN - FORWARD;
		uint64_t next = word(memory, bin + FORWARD);
		uint64_t last = word(memory, bin + BACKWARD);
		if (!next || word(memory, next + BACKWARD) != bin || word(memory, last + FORWARD) != bin)
			return false;
	}
	return true;
}

static uint64_t malloc_find_top(const struct core_memory *memory, uint64_t start, uint64_t end)
{
	for (uint64_t at = start + TOP_BEFORE; at < end && at - start < BYTES_MOST; at += 8)
		if (malloc_has_bins(memory, at, memory_peek_word)
		    && malloc_has_bins(memory, at, memory_word)) /* now they stay in a redacted file */
			return memory_word(memory, at - TOP_BEFORE);
	return 0;
}

/* Searches the writable parts of a mapped file. */
static uint64_t malloc_find_in_file(const struct core_memory *memory,
                                    const struct core_mapping *mapping)
{
	const struct core_file *file = &memory->file;
	uint64_t top = 0;
	for (size_t i = 0; !top && i < file->ranges; i++) {
		const struct core_range *range = &file->range[i];
		uint64_t last = range->start + range->bytes;
		uint64_t start = range->start > mapping->start ? range->start : mapping->start;
		uint64_t end = last < mapping->end ? last : mapping->end;
		if (range->flags & PF_W && start < end)
			top = malloc_find_top(memory, start, end);
	}
	return top;
}

static bool malloc_is_libc(const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	return strncmp(base, "libc.so", 7) == 0 || strncmp(base, "libc-2.", 7) == 0;
}

void core_malloc_find(const struct core_memory *memory, struct malloc_main *arena)
{
	const struct core_file *file = &memory->file;
	bool dynamic = false;
	uint64_t bytes = 0;
	*arena = (struct malloc_main){0};
	for (size_t i = 0; i < file->mappings; i++)
		dynamic |= malloc_is_libc(file->mapping[i].path);
	for (size_t i = 0; !arena->top && i < file->mappings; i++)
		if (!dynamic || malloc_is_libc(file->mapping[i].path))
			arena->top = malloc_find_in_file(memory, &file->mapping[i]);
	for (size_t i = 0; i < file->ranges; i++)
		bytes += file->range[i].flags & PF_W ? file->range[i].bytes : 0;
	arena->steps = STEPS_LEAST + bytes / STEP_BYTES;
	arena->scattered = arena->top;
}
