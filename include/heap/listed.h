/* Objects that a log lists by numbers: the other way to fill the object table (heap/objects.h).

   A number names one object of its section. So that every object of the log has a name of its own,
   those of the first section are called by their numbers, and those of the k-th, k >= 2, by
   k << 32 | number; should a log have numbers of more than 32 bits, by k << 48 | number.

   Invariants once built: objects are sorted by name; `place` finds them by it. */
#ifndef HEAP_LISTED_H
#define HEAP_LISTED_H

#include "format/format.h"

struct listed_object {
	uint64_t name, offset;
	uint64_t type;    /* its number; once built, the index among the types */
	uint32_t size, section;
};

struct listed_root {
	struct listed_root_record record;
	uint32_t section, container; /* index of the type, or LISTED_NO_TYPE */
};

struct domain {
	struct domain_record record;
	bool ended;
	uint64_t objects, types, roots, bytes; /* once built; types: those with a name */
};

#define LISTED_NO_TYPE UINT32_MAX

struct listed {
	struct listed_object *object;
	size_t count, capacity;
	struct listed_root *root;
	size_t root_count, root_capacity;
	struct type_record *type; /* those that only objects or roots mention are added, without a name */
	uint32_t *type_section;
	size_t type_count, type_capacity, section_capacity;
	struct domain *domain;
	size_t domain_count, domain_capacity;
	unsigned shift;   /* of the section's number in a name; 0: there is one section */
	uint32_t *place;  /* hash table of index + 1 by name; 0: empty */
	unsigned bits;
	uint64_t multiplier, bytes;
};

/* While reading, in file order. */
void listed_begin(struct listed *listed, const struct domain_record *domain);
void listed_end(struct listed *listed);
void listed_add(struct listed *listed, const struct listed_record *object);
void listed_add_root(struct listed *listed, const struct listed_root_record *root);
void listed_add_type(struct listed *listed, const struct type_record *type);

/* Sorts, names, looks types up. Of equal numbers the first record counts; `sink` (its warning) is
   told of the others, and of types without a name. */
void listed_build(struct listed *listed, const struct sink *sink);
void listed_free(struct listed *listed); /* NULL: nothing */

/* The object with a name; OBJECT_NONE. */
uint32_t listed_find(const struct listed *listed, uint64_t name);
/* The object with a number in a section; OBJECT_NONE. */
uint32_t listed_find_in(const struct listed *listed, uint32_t section, uint64_t number);
uint64_t listed_memory(const struct listed *listed);

#endif
