/* Memory that a copy is read into while the process is stopped, and written from afterwards. */
#pragma once

#include "base/progress.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/* Bytes for a place in the file. */
struct staged {
	const uint8_t *bytes;
	uint64_t offset;
	size_t size;
};
struct staging {
	int fd;
	uint8_t *memory; /* NULL: there is not enough, all is written at once */
	size_t size, used;
	struct staged *item;
	size_t count, capacity;
};

/* Takes memory for so many bytes, unless that leaves too little for others; a kernel that runs out
   of memory nevertheless ends this program first. Slow: call it before the process is stopped.
   0 bytes: takes none. */
void staging_init(struct staging *staging, int fd, uint64_t bytes);
/* Makes room for so many bytes if the process has grown meanwhile, under the same condition. Does
   nothing if there is no memory at all. */
void staging_grow(struct staging *staging, uint64_t bytes);
/* Returns `size` bytes of the memory to be filled; NULL: there is no room. */
uint8_t *staging_take(struct staging *staging, size_t size);
/* Stages bytes for a place in the file if they are in the memory that was taken, and writes them at
   once otherwise. Returns false with *err. */
bool staging_put(struct staging *staging, const void *bytes, size_t size, uint64_t offset,
                 struct err *err);
/* Writes all that was staged. Returns false with *err. */
bool staging_write(struct staging *staging, struct progress *progress, struct err *err);
void staging_fini(struct staging *staging);
