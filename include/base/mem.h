/* Memory. Running out of it ends the program with a message: no input is worth a half-built heap,
   and every size that comes from a file has been checked before it gets here. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Once, before anything else: what is freed of large blocks is given back at once. */
void mem_begin(void);

void *mem_alloc(size_t size); /* zeroed; free with free() */
void *mem_resize(void *old, size_t size);
char *mem_strdup(const char *text);
char *mem_strndup(const char *text, size_t length); /* all of these bytes, and a 0 */

/* Libraries tell that something failed, and errno that it was for lack of memory: then this ends
   the program, too. errno must have been 0 before the library was called. */
void mem_check_errno(void);

/* Makes room for one more element in the array *items of *capacity elements of `size` bytes that
   holds `count`: doubles it when it is full. The new room is not zeroed. */
void *mem_grow(void *items, size_t count, size_t *capacity, size_t size);

/* Large columns, zeroed; to be given back with the same size. mem_column_trim returns the pages
   after the first `used` bytes. */
void *mem_column(size_t size);
/* One that is as long as its upper bound: pages are counted only once they are written. */
void *mem_column_most(size_t size);
/* One of which little will be written: page by page, not by huge ones. */
void *mem_column_few(size_t size);
/* One that will be written all over, and read before: a page that is first read and then written is
   made twice, which the other threads wait for. */
void *mem_column_whole(size_t size);
/* One with the bytes of what mem_alloc or mem_grow gave, which is freed. */
void *mem_column_of(void *array, size_t size);
void mem_column_trim(void *column, size_t used, size_t size);
void mem_column_free(void *column, size_t size);
/* The same as mem_column_free, of one that is no file's: other columns may have the memory before
   the system gets it back, which is slow to find more, above all under a hypervisor. */
void mem_column_recycle(void *column, size_t size);
/* Of one whose first `used` bytes at most have been written. */
void mem_column_recycle_part(void *column, size_t used, size_t size);
/* Of all but its first `used` bytes, which stay a column of that size. */
void mem_column_cut(void *column, size_t used, size_t size);
/* No more columns are to come soon: the system gets back what is left. */
void mem_recycled_free(void);
/* From now on its first `size` bytes are those of a file from an offset on, which are the same and
   begin a page: only to be read, and no memory of its own, as the system can read them again. Any
   thread may be reading. A column of less than a page, or whose file cannot be mapped, stays as it
   is. */
void mem_column_to_file(void *column, size_t size, int fd, uint64_t offset);

#endif
