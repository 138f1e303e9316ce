/* Memory allocation. Running out of memory ends the program with a message: a partial heap is
   useless, and every size that comes from a file is checked before it gets here. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Configures malloc so that freed large blocks return to the system at once. Call it first in
   main. */
void mem_begin(void);

void *mem_alloc(size_t size); /* zeroed; free with free() */
void *mem_resize(void *old, size_t size);
/* Declares a local pointer whose memory is freed where its block ends:
   SCOPED_FREE uint32_t *row = mem_alloc(size); */
#define SCOPED_FREE __attribute__((cleanup(mem_free_scoped)))
void mem_free_scoped(void *pointer); /* a pointer to the pointer */
/* Returns a number that no other call in this process has returned, from 1: a key for what is made
   of an object and may outlive it. */
uint64_t mem_serial(void);
char *mem_strdup(const char *text);
/* copies all `length` bytes and appends a NUL */
char *mem_strndup(const char *text, size_t length);

/* Ends the program if errno is ENOMEM after a library call that failed. The caller must set errno
   to 0 before the library call. */
void mem_check_errno(void);

/* Makes room for one more element in an array of *capacity elements of `size` bytes that holds
   `count`: doubles it when it is full. Returns the array. The new room is not zeroed. */
void *mem_grow(void *items, size_t count, size_t *capacity, size_t size);
/* Appends a value to such an array, and returns its index. The arguments before the value are
   evaluated several times. */
#define MEM_PUSH(items, count, capacity, ...)                            \
	((items) = mem_grow((items), (count), &(capacity), sizeof *(items)), \
	 (items)[(count)] = (__VA_ARGS__), (count)++)

/* Allocates a column, zeroed; free it with the same size. A small one comes from malloc, others are
   pages of their own. mem_column_trim frees the pages behind the first `used` bytes. */
void *mem_column(size_t size);
/* A column whose size is an upper bound: only pages that are written take memory. */
void *mem_column_most(size_t size);
/* A column that will be sparsely written: uses small pages, not huge ones. */
void *mem_column_few(size_t size);
/* A column that will be written completely, after reads: its pages are populated at once, since a
   first read and a later write would fault twice and stall the other threads. */
void *mem_column_whole(size_t size);
/* A column with the bytes of an array from mem_alloc or mem_grow, which it frees. */
void *mem_column_of(void *array, size_t size);
/* A column with the bytes of a mapping, which belongs to the column or is removed. */
void *mem_column_mapped(void *mapping, size_t size);
void mem_column_trim(void *column, size_t used, size_t size);
void mem_column_free(void *column, size_t size);
/* Like mem_column_free for a column that maps no file: another column may reuse the memory. Getting
   fresh pages from the system is slow, above all under a hypervisor. */
void mem_column_recycle(void *column, size_t size);
/* Like mem_column_recycle for a column of which at most the first `used` bytes were written. */
void mem_column_recycle_part(void *column, size_t used, size_t size);
/* Frees all but the first `used` bytes, and returns these as a column of that size. */
void *mem_column_cut(void *column, size_t used, size_t size);
/* Returns all recycled memory to the system. Call it when no large column will be needed soon. */
void mem_recycled_free(void);
/* Replaces the memory of the column's first `size` bytes by a read-only mapping of the file at a
   page-aligned offset, which holds the same bytes: the system can drop and reread them. Other
   threads may read the column meanwhile. A small column, or a file that cannot be mapped, changes
   nothing. */
void mem_column_to_file(void *column, size_t size, int fd, uint64_t offset);
