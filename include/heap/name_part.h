/* Parts of a name that a reader may not want: buf.without says which. Who appends such a part asks
   name_wants. */
#pragma once

#include "base/buf.h"

enum name_part {
	NAME_COUNT = 1 << 0,   /* how many there are: "1,200" of "1,200 × main.Session" */
	NAME_ADDRESS = 1 << 1, /* of an object */
	NAME_ID = 1 << 2,      /* the number of a thread */
	NAME_INDEX = 1 << 3,   /* without it "[*]" stands for "[12]" */
	NAME_LENGTH = 1 << 4,  /* of an array: "[12]" of "[12]main.Session" */
	NAME_NOTE = 1 << 5,    /* what a variable of the runtime is: " (threads)" */
	NAME_WORD = 1 << 6,    /* fields of a lock or pool of package sync: ".mu.sema" */
	NAME_HEAD = 1 << 7,    /* the variable or record of a root: "main.cache" of "main.cache.mu" */
};

/* Returns true if the reader of a name wants a part of it. */
static inline bool name_wants(const struct buf *name, enum name_part part)
{
	return !(name->without & part);
}

/* Appends "[12]"; "[*]" without NAME_INDEX. */
void name_add_index(struct buf *name, uint64_t index);
