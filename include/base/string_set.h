/* Interned strings, numbered from 0 in the order of insertion. */
#pragma once

#include "base/map.h"

/* Initialized by `struct string_set set = {0}`. */
struct string_set {
	struct string_set_text {
		char *text;
		uint32_t next; /* 1 + another string with the same hash; 0: none */
	} * text;
	size_t count, capacity;
	struct map of_hash;
};

/* Returns the number of a string; adds it if it is new. *is_new (may be NULL) says so. */
uint32_t string_set_number(struct string_set *set, const char *text, bool *is_new);
/* Returns 1 + the number of a string; 0: it is not there. */
uint32_t string_set_find(const struct string_set *set, const char *text);
const char *string_set_text(const struct string_set *set, uint32_t number);
void string_set_free(struct string_set *set);
