/* Objects that a log lists by number: the alternative content of the object table (heap/objects.h).
   A number identifies an object within its section. To be unique in the log, an object of the first
   section is named by its number, one of the k-th section, k >= 2, by k << 32 | number, or by k <<
   48 | number if the log has numbers above 32 bits. Invariants after log_objects_build: objects are
   sorted by name; `place` finds them by name. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct domain_record;
struct log_object_record;
struct log_root_record;
struct sink;

struct log_object {
	uint64_t name, offset;
	uint64_t type; /* its number; after log_objects_build the index of the type */
	uint64_t size;
	uint32_t section;
	uint32_t handle; /* of the format, see struct log_object_record */
};

struct log_objects {
	struct log_object *object;
	size_t count, capacity;
	struct log_root *root;
	size_t root_count, root_capacity;
	struct type_record *type; /* types that are only mentioned are added without a name */
	uint32_t *type_section;
	size_t type_count, type_capacity, section_capacity;
	struct domain *domain;
	size_t domain_count, domain_capacity;
	unsigned shift;  /* position of the section in a name; 0: there is one section */
	uint32_t *place; /* hash table of index + 1 by name; 0: empty */
	unsigned bits;
	uint64_t multiplier, bytes;
};

/* Called while reading, in file order. */
void log_objects_begin(struct log_objects *log, const struct domain_record *domain);
void log_objects_end(struct log_objects *log);
void log_objects_add(struct log_objects *log, const struct log_object_record *object);
void log_objects_add_root(struct log_objects *log, const struct log_root_record *root);
void log_objects_add_type(struct log_objects *log, const struct type_record *type);

/* Sorts and names objects, and resolves types. If numbers repeat, the first record counts. Passes
   warnings about others, and about types without a name, to `sink`. */
void log_objects_build(struct log_objects *log, const struct sink *sink);
void log_objects_free(struct log_objects *log); /* accepts NULL */

/* Returns the object with a name, or OBJECT_NONE. */
uint32_t log_objects_find(const struct log_objects *log, uint64_t name);
/* Returns the object with a number in a section, or OBJECT_NONE. */
uint32_t log_objects_find_in(const struct log_objects *log, uint32_t section, uint64_t number);
uint64_t log_objects_memory(const struct log_objects *log);
