/* Objects that form one structure of the program: a map with its tables, groups or buckets, a
   channel with its buffer. One object is the head of a structure: its header, if that is in the
   heap. */
#pragma once

#include "base/map.h"
#include "base/ranks.h"
#include "go/types/label.h"

struct structures {
	const struct heap *heap;
	const struct typing *typing;
	const struct labels *labels;
	struct sparse heads; /* by object: 1 + its head; 0: the object is its own head */
	uint8_t *role;       /* by type: enum gostructure_role; NULL: there are no types */
	struct map parts;    /* head -> the bytes of its parts, without its own */
	uint64_t count;      /* the number of objects that are parts */
};

/* Finds the structures. `typing` may be NULL. NULL: cancelled. */
struct structures *structures_new(const struct heap *heap, const struct typing *typing,
                                  const struct labels *labels, struct progress *progress);
void structures_free(struct structures *structures);
/* Writes the structures to an index, or reads them. */
bool structures_index(struct structures *structures, const struct index_io *io);
/* Reads those with the same typing and labels. NULL: the file has none for this heap. */
struct structures *structures_load(const struct heap *heap, const struct typing *typing,
                                   const struct labels *labels, const struct index_io *io);

/* Returns the head of the structure that an object is a part of; the object itself if it is a head,
   or no part of any. `structures` may be NULL: there are no parts then. */
static inline uint32_t structures_of(const struct structures *structures, uint32_t object)
{
	uint32_t head = structures ? sparse_get(&structures->heads, object) : 0;
	return head ? head - 1 : object;
}

/* Returns false if neither the type nor the label of an object may be that of a map, a channel or a
   part of one. */
bool structures_has_role(const struct structures *structures, uint32_t object);
/* Returns true if a pointer from one object to another stays within a structure. */
bool structures_is_inside(const struct structures *structures, uint32_t from, uint32_t to);

/* Returns the bytes of a head and all its parts. */
uint64_t structures_bytes(const struct structures *structures, uint32_t head);
/* Stores the number of entries of a map, also of package sync, or of elements that wait in a
   channel, given its head. False: it is none of these, or the number is unknown. */
bool structures_entries(const struct structures *structures, uint32_t head, uint64_t *entries);
