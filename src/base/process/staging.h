/* Memory that a copy is read into while the process is stopped, and written from afterwards. */
#ifndef BASE_PROCESS_STAGING_H
#define BASE_PROCESS_STAGING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes for a place in the file. */
struct staged {
	uint64_t offset;
	size_t size;
};
struct staging {
	uint8_t *memory; /* NULL: there is not enough */
	size_t size, used;
	struct staged *item; /* in the order of the memory */
	size_t count, capacity;
};

/* Takes memory for so many bytes, unless that leaves too little for others; a kernel that runs out
   of memory nevertheless ends this program first. Slow: call it before the process is stopped. */
void staging_init(struct staging *staging, uint64_t bytes);
/* Returns where the next `size` bytes can be stored; NULL: there is no room. */
uint8_t *staging_room(const struct staging *staging, size_t size);
/* Takes `size` bytes of the room for a place in the file. */
void staging_add(struct staging *staging, size_t size, uint64_t offset);
void staging_fini(struct staging *staging);

#endif
