/* Objects that a log lists by numbers: the other way to fill the object table (heap/objects.h).

   A number names one object of its section. So that every object of the log has a name of its own,
   those of the first section are called by their numbers, and those of the k-th, k >= 2, by
   k << 32 | number; should a log have numbers of more than 32 bits, by k << 48 | number.

   Invariants once built: objects are sorted by name; `place` finds them by it. */
#ifndef HEAP_LOG_OBJECTS_H
#define HEAP_LOG_OBJECTS_H

#include "heap/heap.h"

struct log_object {
	uint64_t name, offset;
	uint64_t type; /* its number; once built, the index among the types */
	uint32_t size, section;
};

struct log_objects {
	struct log_object *object;
	size_t count, capacity;
	struct log_root *root;
	size_t root_count, root_capacity;
	struct type_record *type; /* those that only objects or roots mention are added, without a name
	                           */
	uint32_t *type_section;
	size_t type_count, type_capacity, section_capacity;
	struct domain *domain;
	size_t domain_count, domain_capacity;
	unsigned shift;  /* of the section's number in a name; 0: there is one section */
	uint32_t *place; /* hash table of index + 1 by name; 0: empty */
	unsigned bits;
	uint64_t multiplier, bytes;
};

/* While reading, in file order. */
void log_objects_begin(struct log_objects *log, const struct domain_record *domain);
void log_objects_end(struct log_objects *log);
void log_objects_add(struct log_objects *log, const struct log_object_record *object);
void log_objects_add_root(struct log_objects *log, const struct log_root_record *root);
void log_objects_add_type(struct log_objects *log, const struct type_record *type);

/* Sorts, names, looks types up. Of equal numbers the first record counts; `sink` (its warning) is
   told of the others, and of types without a name. */
void log_objects_build(struct log_objects *log, const struct sink *sink);
void log_objects_free(struct log_objects *log); /* NULL: nothing */

/* The object with a name; OBJECT_NONE. */
uint32_t log_objects_find(const struct log_objects *log, uint64_t name);
/* The object with a number in a section; OBJECT_NONE. */
uint32_t log_objects_find_in(const struct log_objects *log, uint32_t section, uint64_t number);
uint64_t log_objects_memory(const struct log_objects *log);

#endif
