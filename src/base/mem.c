#include "base/mem.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LARGE = 256 << 10 };
enum { HUGE_PAGE = 2 << 20 /* of amd64; what is smaller cannot have any */ };

/* exit() and not abort(): what restores the terminal runs at exit. */
static _Noreturn void out_of_memory(size_t size)
{
	fprintf(stderr, "goheapx: out of memory (%zu bytes more were needed).\n", size);
	exit(2);
}

/* glibc takes the size of the largest block that was freed for one that need not be. */
void mem_begin(void)
{
#ifdef M_MMAP_THRESHOLD
	mallopt(M_MMAP_THRESHOLD, LARGE);
#endif
}

void mem_check_errno(void)
{
	if (errno != ENOMEM)
		return;
	fputs("goheapx: out of memory.\n", stderr);
	exit(2);
}

void *mem_alloc(size_t size)
{
	void *memory = calloc(1, size ? size : 1);
	if (!memory)
		out_of_memory(size);
	return memory;
}

void *mem_resize(void *old, size_t size)
{
	void *memory = realloc(old, size ? size : 1);
	if (!memory)
		out_of_memory(size);
	return memory;
}

char *mem_strdup(const char *text)
{
	size_t size = strlen(text) + 1;
	return memcpy(mem_alloc(size), text, size);
}

char *mem_strndup(const char *text, size_t length)
{
	char *copy = mem_alloc(length + 1);
	return length ? memcpy(copy, text, length) : copy;
}

void *mem_grow(void *items, size_t count, size_t *capacity, size_t size)
{
	if (count < *capacity)
		return items;
	size_t larger = *capacity ? *capacity * 2 : 16;
	if (larger > SIZE_MAX / 2 / size)
		out_of_memory(SIZE_MAX);
	*capacity = larger;
	return mem_resize(items, larger * size);
}

static size_t mem_page_up(size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	return (size + page - 1) / page * page;
}

void *mem_column_few(size_t size)
{
	size_t bytes = mem_page_up(size ? size : 1);
	void *column = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
	                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (column == MAP_FAILED)
		out_of_memory(size);
	return column;
}

void *mem_column(size_t size)
{
	void *column = mem_column_few(size);
	if (size >= HUGE_PAGE)
		madvise(column, mem_page_up(size), MADV_HUGEPAGE); /* only a hint: random access costs more
		                                                      without it */
	return column;
}

void mem_column_trim(void *column, size_t used, size_t size)
{
	size_t keep = mem_page_up(used), bytes = mem_page_up(size ? size : 1);
	if (keep < bytes)
		madvise((char *)column + keep, bytes - keep, MADV_DONTNEED);
}

void mem_column_to_file(void *column, size_t size, int fd, uint64_t offset)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	if (size < page || offset % page)
		return;
	void *mapped = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, (off_t)offset);
	if (mapped == MAP_FAILED) /* there are file systems that cannot */
		return;
	if (mremap(mapped, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, column) == MAP_FAILED)
		out_of_memory(size); /* who knows what is there now */
}

void mem_column_free(void *column, size_t size)
{
	if (column)
		munmap(column, mem_page_up(size ? size : 1));
}
