#include "base/mem.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LARGE = 256 << 10 };
/* AddressSanitizer must see accesses to freed columns, so that it disables recycling. */
#ifdef __SANITIZE_ADDRESS__
#define MEM_TELLS_USE_AFTER_FREE true
#else
#define MEM_TELLS_USE_AFTER_FREE false
#endif
enum {
	/* Up to here, columns share pages: mapping one and the fault on its first page take longer
	   than all that is done with it. */
	SMALL_COLUMN = 32 << 10,
	HUGE_PAGE = 2 << 20, /* of amd64; smaller columns cannot use one */
};

/* Uses exit() rather than abort(): exit handlers restore the terminal. */
static _Noreturn void out_of_memory(size_t size)
{
	fprintf(stderr, "goheapx: out of memory (%zu bytes more were needed).\n", size);
	exit(2);
}

/* Fixes the threshold: glibc otherwise raises it to the largest block that was freed, and stops
   returning such blocks to the system. */
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

void mem_free_scoped(void *pointer)
{
	void *memory;
	memcpy(&memory, pointer, sizeof memory);
	free(memory);
}

uint64_t mem_serial(void)
{
	static atomic_uint_fast64_t last;
	return atomic_fetch_add(&last, 1) + 1;
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

/* Freed columns for reuse. Their total is limited by the size of the largest column, so that they
   are small compared to the memory in use. */
enum { RECYCLED = 16 };
struct recycled {
	void *column;
	size_t bytes;
};
static struct {
	pthread_mutex_t lock;
	struct recycled one[RECYCLED]; /* oldest first */
	size_t count, bytes, largest;
} mem_recycled = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Requires the lock, as do the functions below. */
static void recycled_remove(size_t which)
{
	mem_recycled.bytes -= mem_recycled.one[which].bytes;
	mem_recycled.count--;
	memmove(&mem_recycled.one[which], &mem_recycled.one[which + 1],
	        (mem_recycled.count - which) * sizeof *mem_recycled.one);
}

/* Returns the oldest columns to the system until at most `bytes` are left. */
static void recycled_give_back(size_t bytes)
{
	while (mem_recycled.bytes > bytes) {
		munmap(mem_recycled.one[0].column, mem_recycled.one[0].bytes);
		recycled_remove(0);
	}
}

static void recycled_put(void *column, size_t bytes)
{
	if (mem_recycled.count == RECYCLED)
		recycled_give_back(mem_recycled.bytes - 1);
	mem_recycled.one[mem_recycled.count++] = (struct recycled){column, bytes};
	mem_recycled.bytes += bytes;
	if (bytes > mem_recycled.largest)
		mem_recycled.largest = bytes;
	recycled_give_back(mem_recycled.largest);
}

/* Takes `bytes` from the smallest column that is large enough; the rest of it stays. Returns NULL
   if none is. */
static void *recycled_take(size_t bytes)
{
	struct recycled *best = NULL;
	for (size_t i = 0; i < mem_recycled.count; i++) {
		struct recycled *one = &mem_recycled.one[i];
		if (one->bytes >= bytes && (!best || one->bytes < best->bytes))
			best = one;
	}
	if (!best)
		return NULL;
	void *column = best->column;
	best->column = (char *)column + bytes;
	best->bytes -= bytes;
	mem_recycled.bytes -= bytes;
	if (!best->bytes)
		recycled_remove((size_t)(best - mem_recycled.one));
	return column;
}

/* Returns a zeroed column. If there is none, returns NULL and gives as much recycled memory back to
   the system. */
static void *mem_recycled_take(size_t bytes)
{
	pthread_mutex_lock(&mem_recycled.lock);
	void *column = recycled_take(bytes);
	if (!column)
		recycled_give_back(mem_recycled.bytes > bytes ? mem_recycled.bytes - bytes : 0);
	pthread_mutex_unlock(&mem_recycled.lock);
	return column ? memset(column, 0, bytes) : NULL;
}

void mem_recycled_free(void)
{
	pthread_mutex_lock(&mem_recycled.lock);
	recycled_give_back(0);
	pthread_mutex_unlock(&mem_recycled.lock);
}

static void *mem_map(size_t bytes)
{
	return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
	            -1, 0);
}

void *mem_column_few(size_t size)
{
	size_t bytes = mem_page_up(size);
	if (size <= SMALL_COLUMN)
		return mem_alloc(size);
	void *column = mem_map(bytes);
	if (column == MAP_FAILED) {
		mem_recycled_free();
		column = mem_map(bytes);
	}
	if (column == MAP_FAILED)
		out_of_memory(size);
	return column;
}

void *mem_column_most(size_t size)
{
	void *column = mem_column_few(size);
	if (size >= HUGE_PAGE)
		/* only a hint: without it random access is slower */
		madvise(column, mem_page_up(size), MADV_HUGEPAGE);
	return column;
}

void *mem_column(size_t size)
{
	void *column = size < HUGE_PAGE ? NULL : mem_recycled_take(mem_page_up(size));
	if (column)
		return column;
	return mem_column_most(size);
}

void *mem_column_whole(size_t size)
{
	void *column = mem_column(size);
#ifdef MADV_POPULATE_WRITE
	if (size >= HUGE_PAGE)
		/* older kernels do not support it */
		madvise(column, mem_page_up(size), MADV_POPULATE_WRITE);
#endif
	return column;
}

void *mem_column_of(void *array, size_t size)
{
	void *column = mem_column(size);
	if (size)
		memcpy(column, array, size);
	free(array);
	return column;
}

void *mem_column_mapped(void *mapping, size_t size)
{
	if (size > SMALL_COLUMN)
		return mapping;
	void *column = memcpy(mem_alloc(size), mapping, size);
	munmap(mapping, mem_page_up(size));
	return column;
}

void mem_column_trim(void *column, size_t used, size_t size)
{
	size_t keep = mem_page_up(used), bytes = mem_page_up(size);
	if (keep < bytes && size > SMALL_COLUMN)
		madvise((char *)column + keep, bytes - keep, MADV_DONTNEED);
}

void mem_column_to_file(void *column, size_t size, int fd, uint64_t offset)
{
	if (size <= SMALL_COLUMN || offset % (size_t)sysconf(_SC_PAGESIZE))
		return;
	void *mapped = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, (off_t)offset);
	if (mapped == MAP_FAILED) /* some file systems do not support it */
		return;
	if (mremap(mapped, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, column) == MAP_FAILED)
		out_of_memory(size); /* the state of the address range is unknown */
}

void mem_column_free(void *column, size_t size)
{
	if (size <= SMALL_COLUMN)
		free(column);
	else if (column)
		munmap(column, mem_page_up(size));
}

void mem_column_recycle_part(void *column, size_t used, size_t size)
{
	size_t keep = mem_page_up(used), bytes = mem_page_up(size);
	if (!column || used < HUGE_PAGE || MEM_TELLS_USE_AFTER_FREE) {
		mem_column_free(column, size);
		return;
	}
	if (keep < bytes)
		munmap((char *)column + keep, bytes - keep);
	pthread_mutex_lock(&mem_recycled.lock);
	recycled_put(column, keep);
	pthread_mutex_unlock(&mem_recycled.lock);
}

void mem_column_recycle(void *column, size_t size)
{
	mem_column_recycle_part(column, size, size);
}

void *mem_column_cut(void *column, size_t used, size_t size)
{
	size_t keep = mem_page_up(used), bytes = mem_page_up(size);
	if (size <= SMALL_COLUMN)
		return mem_resize(column, used);
	if (used <= SMALL_COLUMN) {
		void *small = memcpy(mem_alloc(used), column, used);
		mem_column_recycle(column, size);
		return small;
	}
	if (bytes - keep > SMALL_COLUMN)
		mem_column_recycle((char *)column + keep, bytes - keep);
	else if (keep < bytes)
		munmap((char *)column + keep, bytes - keep); /* a part, which malloc does not know */
	return column;
}
