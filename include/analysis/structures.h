/* Which objects are one thing to the program: a map with its tables, groups or buckets, a channel
   with its buffer. One of the objects stands for all of them: the header, where the heap has it. */
#ifndef ANALYSIS_STRUCTURES_H
#define ANALYSIS_STRUCTURES_H

#include "base/map.h"
#include "base/ranks.h"
#include "types/label.h"

struct structures {
	const struct heap *heap;
	const struct typing *typing;
	const struct labels *labels;
	struct sparse heads; /* by object: 1 + what stands for it; 0: it does so itself */
	uint8_t *role;       /* by type: enum gostructure_role; NULL: there are no types */
	struct map parts;    /* what stands for some -> their bytes without its own */
	uint64_t count;      /* of objects that are parts */
};

/* `typing` may be NULL. NULL: cancelled. */
struct structures *structures_new(const struct heap *heap, const struct typing *typing,
                                  const struct labels *labels, struct progress *progress);
void structures_free(struct structures *structures);
/* Into an index, and from there, with the same typing and labels. NULL: the file has none of this
   heap. */
void structures_save(const struct structures *structures, struct index_writer *writer);
struct structures *structures_load(const struct heap *heap, const struct typing *typing,
                                   const struct labels *labels, struct index_file *file);

/* The object that stands for the structure that an object is a part of; that itself where it is
   one, or no part of any. `structures` may be NULL: nothing is a part then. */
static inline uint32_t structures_of(const struct structures *structures, uint32_t object)
{
	uint32_t head = structures ? sparse_get(&structures->heads, object) : 0;
	return head ? head - 1 : object;
}

/* Does a pointer in one object to another one lead on within a structure? */
bool structures_is_inside(const struct structures *structures, uint32_t from, uint32_t to);

/* Is it the header of a map or channel? */
bool structures_is_thing(const struct structures *structures, uint32_t object);
/* Bytes of an object and of all that it stands for. */
uint64_t structures_bytes(const struct structures *structures, uint32_t head);
/* Of a map's or channel's header: how many entries it has, how many elements wait in it. False: it
   is neither, or that is not known. */
bool structures_entries(const struct structures *structures, uint32_t head, uint64_t *entries);

#endif
