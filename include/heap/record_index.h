/* Where in the file every record stands, in the order of the file. Of a row of objects only every
   so many are noted: the ones between are found by decoding, so that millions cost little. */
#ifndef HEAP_RECORD_INDEX_H
#define HEAP_RECORD_INDEX_H

#include "format/record.h"

#include <stddef.h>

enum { RECORD_STEP = 64 }; /* objects that one entry stands for, at most */

struct record_entry {
	uint64_t offset;
	uint8_t kind, count; /* enum record_kind; more than 1: so many objects, one right after the
	                        other */
	uint8_t unused[6];   /* 0, as it is written to an index */
};

struct record_index {
	struct record_entry *entry;
	size_t count, capacity;
	uint64_t last_end; /* while reading: of the object record added last */
};

/* `end`: of the record where it is an object's, else 0. */
void record_index_add(struct record_index *index, enum record_kind kind, uint64_t offset,
                      uint64_t end);
/* Sorts what was told out of order: the early format keeps frames until the end. */
void record_index_build(struct record_index *index);
void record_index_fini(struct record_index *index);

#endif
