/* The first rows of an order, without the others: partial sorting. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Begin with {.limit = N, .below = UINT64_MAX}; N must not be 0. */
struct sort_first {
	struct sort_first_row {
		uint64_t key;
		uint32_t row;
	} * item;
	size_t limit, count, capacity;
	uint64_t below; /* only rows with a smaller key are among the first, once there are enough */
};

/* Adds a row, which is after all rows added before if their keys are equal. */
void sort_first_add(struct sort_first *first, uint64_t key, uint32_t row);
/* Stores the rows in order, at most `limit`, and frees them. */
void sort_first_end(struct sort_first *first, uint32_t *row);
