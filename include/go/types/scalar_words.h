/* The leaves of values by word: scalar_at, looked up once for each word of a type. */
#pragma once

#include "go/types/scalar_fields.h"

/* `struct scalar_words words = {.types = ...}` is empty; not thread-safe. Its memory is limited;
   for other types leaves are looked up anew. */
struct scalar_words {
	const struct gotypes *types;
	struct scalar_row {
		bool known;
		uint32_t words; /* 0: it has no leaves here */
		struct scalar_field *leaf;
	} * row;            /* by type */
	size_t rows, words; /* `words`: of all types */
};
void scalar_words_fini(struct scalar_words *words);
/* Returns scalar_at(types, type, offset, NULL). */
struct scalar_field scalar_words_at(struct scalar_words *words, gotype_id type, uint64_t offset);
