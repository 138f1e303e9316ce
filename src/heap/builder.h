/* State of heap_read, and what its sink does with objects. */
#pragma once

#include "heap/heap.h"
#include "heap/outline.h"

struct builder {
	struct heap *heap;
	struct log_objects *log;       /* NULL unless the format is a log */
	size_t capacity[RECORD_KINDS]; /* capacities of the arrays of heap_records() */
	size_t warnings;
	uint64_t odd_objects, odd_offset; /* empty or overflowing objects; offset of the first one */
	uint64_t untyped_objects, untyped_offset;
	uint64_t lost_frames, lost_offset; /* frames before any thread */
	uint64_t added;
	struct outline *outline; /* NULL: not wanted */
	bool known;              /* the objects and the positions of all records come from an index */
	size_t next;             /* next entry of these positions */
	/* What the format has told before that which it belongs to; NULL: nothing. */
	const char *early;
	uint64_t early_offset;
};

/* Returns `in_order`; notes what was told too early if it is the first. */
bool builder_owes(struct builder *b, bool in_order, uint64_t offset, const char *early);

/* domain, domain_end, log and log_root of struct sink, and record of a format that lists objects.
 */
void builder_begin_domain(void *self, const struct domain_record *record);
void builder_end_domain(void *self, uint64_t offset);
void builder_list_object(void *self, const struct log_object_record *record);
void builder_list_root(void *self, const struct log_root_record *record);
void builder_add_type(struct builder *b, enum record_kind kind, const void *record);

/* object, row, ghost and skip of struct sink. */
void builder_add_object(void *self, const struct object_record *record);
void builder_add_row(void *self, const struct object_record *before, const uint64_t *slots,
                     size_t count, size_t bytes);
void builder_add_ghost(void *self, const struct object_record *record);
/* Returns the end of the row of objects at an offset, or the offset itself if there is none. */
uint64_t builder_skip(void *self, uint64_t offset);
