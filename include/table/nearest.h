/* Which of many names are most like one that was meant: for messages that say what there is instead
   of what is not there. */
#ifndef TABLE_NEAREST_H
#define TABLE_NEAREST_H

#include "base/buf.h"

#include <stdbool.h>

enum { NEAREST_KEPT = 5, NEAREST_LENGTH = 64 };

struct nearest {
	const char *wanted; /* borrowed */
	size_t seen;        /* names that there were, */
	size_t count;       /* and the best of them, the nearest first */
	struct nearest_name {
		unsigned distance;
		char text[NEAREST_LENGTH]; /* cut */
	} name[NEAREST_KEPT];
};

/* `struct nearest n = {.wanted = ...}` has seen none. The name must be visible text. */
void nearest_see(void *nearest, const char *name);
/* Forgets all but those that differ by so many letters at most. */
void nearest_keep(struct nearest *nearest, unsigned distance);
/* ".Nodes, .Name and 12 more"; nothing where there were none. */
void nearest_add(const struct nearest *nearest, struct buf *out);
/* ", perhaps NAME is meant", with `before_name` before it, or nothing: in a short word one letter
   may be wrong, in others two. Forgets the names that it is not. */
void nearest_add_meant(struct nearest *nearest, const char *before_name, struct buf *out);

#endif
