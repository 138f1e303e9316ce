/* The rows of an object, or of the rest of one, that no type says more of: a word a row, or 16
   bytes where it holds no pointers. Which words are pointers is a list without an index, which may
   be millions long: marks are kept on the way, so that any row is found from the mark before it. */
#pragma once

#include "table/contents/field.h"

/* A place in the list of pointers: the first pointer at or after some offset. */
struct raw_words_place {
	struct fields after;
	uint64_t offset; /* from the slot; UINT64_MAX: no more */
};

struct raw_words {
	const struct heap *heap;
	struct object_record record;
	uint64_t start; /* where they begin, from the slot */
	uint64_t row_bytes;
	uint64_t count;
	struct raw_words_place place; /* at or after `from` */
	uint64_t from;
	/* places at or after 0, one mark, two marks ..., as far as the list has been read */
	struct raw_words_place *marks;
	size_t mark_count, mark_capacity;
};

/* Initializes the rows for the bytes from offset `start` on, counted from the slot. */
void raw_words_init(struct raw_words *words, const struct heap *heap,
                    const struct object_record *record, uint64_t start);
void raw_words_fini(struct raw_words *words);
void raw_words_get(struct raw_words *words, uint64_t n, struct field *field);
