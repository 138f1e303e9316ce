/* Substring search in bytes at memory speed: compares the two rarest bytes first. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The searched bytes, and the positions of the two that are rarest in the data. Only where both
   match is the rest compared. */
struct needle {
	const uint8_t *bytes;
	size_t len, rare, rarest; /* rarest >= rare; equal in a needle of one byte */
};

/* Prepares a search. `bytes` is borrowed; len is at least 1. `sample` is a part of the data from
   which byte frequencies are counted; it may be empty. */
void needle_init(struct needle *needle, const void *bytes, size_t len, const uint8_t *sample,
                 size_t sample_size);

/* Returns the first match in the data, or NULL. */
const uint8_t *needle_find(const struct needle *needle, const uint8_t *data, size_t size);
