/* A search for the names most similar to an unknown one, for messages that suggest alternatives. */
#pragma once

#include "base/buf.h"

#include <stdbool.h>

enum { NEAREST_KEPT = 5, NEAREST_LENGTH = 64 };

struct nearest {
	const char *wanted; /* borrowed */
	size_t seen;        /* number of names compared */
	size_t count;       /* number of the most similar names, nearest first */
	struct nearest_name {
		unsigned distance;
		char text[NEAREST_LENGTH]; /* truncated */
	} name[NEAREST_KEPT];
};

/* Compares a name, which must be printable. Initialize with `struct nearest n = {.wanted =
   ...}`. */
void nearest_see(void *nearest, const char *name);
/* Discards all names that differ by more than `distance` letters. */
void nearest_keep(struct nearest *nearest, unsigned distance);
/* Appends ".Nodes, .Name and 12 more"; nothing if there is no name. */
void nearest_add(const struct nearest *nearest, struct buf *out);
/* Appends ", perhaps NAME is meant", with `before_name` before the name, or nothing. One letter may
   differ in a short word, two in others. Discards the names that differ more. */
void nearest_add_meant(struct nearest *nearest, const char *before_name, struct buf *out);
