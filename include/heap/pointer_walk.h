/* Walks over the pointers of an object, a stack frame or a segment. */
#pragma once

#include "format/record.h"
#include "heap/edges.h"

struct heap;

/* The place of a reference in an object: the offset of a field or element, or PLACE_NUMBER and the
   number of the reference, for a listed object; UINT64_MAX if unknown. */
#define PLACE_NUMBER (UINT64_C(1) << 63)
static inline bool place_is_offset(uint64_t place)
{
	return place < PLACE_NUMBER;
}

/* A pointer of an object and its position. `struct pointer_walk w; pointer_walk_object(&w,
   ...)`. */
struct pointer {
	/* offset of the word from the start of the object, frame or segment; a place as above for
	   objects */
	uint64_t offset;
	uint64_t value;  /* the word */
	uint32_t target; /* object, or OBJECT_NONE: nil, outside of the heap or dangling */
};
struct pointer_walk {
	const struct heap *heap;
	struct ids ids; /* remaining references of the object, if `listed` or `linked` */
	bool listed;    /* object of a log, which has no other data */
	size_t number;  /* of the next one of `ids`, if `listed` */
	/* each pointer into the address range of the heap leads to an object, so that `ids` are its
	   targets */
	bool linked;
	struct fields fields;
	const uint8_t *data;
	uint64_t size;
	unsigned header;
};
void pointer_walk_object(struct pointer_walk *walk, const struct heap *heap,
                         const struct object_record *record);
/* Like pointer_walk_object, but without lookups if all targets are known. Requires heap_link. */
void pointer_walk_linked(struct pointer_walk *walk, const struct heap *heap, uint32_t id,
                         const struct object_record *record);
void pointer_walk_frame(struct pointer_walk *walk, const struct heap *heap,
                        const struct frame_record *frame);
void pointer_walk_segment(struct pointer_walk *walk, const struct heap *heap,
                          const struct segment_record *segment);
/* Steps to the next pointer; returns false at the end. Skips fields beyond the contents. */
bool pointer_walk_next(struct pointer_walk *walk, struct pointer *pointer);
