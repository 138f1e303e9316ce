/* Positions of all records in file order. Of consecutive objects only every 64th has an entry; the
   others are found by decoding, so that millions take little memory. */
#pragma once

#include "format/record.h"

#include <stddef.h>

enum { RECORD_STEP = 64 }; /* maximum number of objects per entry */

struct record_entry {
	uint64_t offset;
	uint8_t kind, count; /* enum record_kind; number of consecutive objects */
	uint8_t unused[6];   /* written to an index as 0 */
};

struct record_index {
	struct record_entry *entry;
	size_t count, capacity;
	uint64_t last_end; /* while reading: end of the last object record */
};

/* Adds a record. `end` is the end of an object's record, 0 for others. */
void record_index_add(struct record_index *index, enum record_kind kind, uint64_t offset,
                      uint64_t end);
/* Adds `count` records of the same kind that follow the last one, with `bytes` bytes each. */
void record_index_add_row(struct record_index *index, uint64_t count, uint64_t bytes);
/* Sorts records that were not reported in file order: the early format reports frames at the
   end. */
void record_index_build(struct record_index *index);
void record_index_fini(struct record_index *index);
