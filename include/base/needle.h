/* Looking for a row of bytes at the speed of memory. */
#ifndef BASE_NEEDLE_H
#define BASE_NEEDLE_H

#include <stddef.h>
#include <stdint.h>

/* What is looked for, and the places of its two bytes that are the rarest in what is searched:
   only where both stand is more compared. */
struct needle {
	const uint8_t *bytes;
	size_t len, rare, rarest; /* rarest >= rare; both the same in a needle of one byte */
};

/* `bytes` is borrowed, len at least 1. `sample` is some of what will be searched; it may be empty.
 */
void needle_init(struct needle *needle, const void *bytes, size_t len, const uint8_t *sample,
                 size_t sample_size);

/* Where it first stands in the data; NULL: nowhere. */
const uint8_t *needle_find(const struct needle *needle, const uint8_t *data, size_t size);

#endif
