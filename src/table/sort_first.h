/* The first rows of an order, without the others: partial sorting. */
#pragma once

#include "base/buf.h"

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

/* The same by texts. Begin with {.limit = N}. */
struct sort_first_texts {
	struct sort_first_text {
		size_t start; /* in `text` */
		uint32_t row;
	} * item;
	size_t limit, count, capacity;
	struct buf text; /* NUL-terminated texts, one after the other */
	bool descending;
	bool full;    /* there are enough, and */
	size_t below; /* only rows with a text before this one are among the first */
};

/* Adds a row, which is after all rows added before if their texts are equal. Returns false if
   neither it nor any later row with this text is among the first. */
bool sort_first_add_text(struct sort_first_texts *first, const char *text, uint32_t row);
/* Stores the rows in order, at most `limit`, and frees them. */
void sort_first_end_texts(struct sort_first_texts *first, uint32_t *row);
