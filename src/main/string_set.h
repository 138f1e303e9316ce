/* Texts that are kept once each and have numbers, from 0 on in the order in which they came. */
#ifndef MAIN_STRING_SET_H
#define MAIN_STRING_SET_H

#include "base/map.h"

/* `struct string_set set = {0}` is an empty one. */
struct string_set {
	struct string_set_text {
		char *text;
		uint32_t next; /* 1 + another one with the same hash; 0: none */
	} * text;
	size_t count, capacity;
	struct map of_hash;
};

/* *is_new (may be NULL): it was not there. */
uint32_t string_set_number(struct string_set *set, const char *text, bool *is_new);
const char *string_set_text(const struct string_set *set, uint32_t number);
void string_set_free(struct string_set *set);

#endif
