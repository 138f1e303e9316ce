/* The Java classes of a dump's objects. Readers take the size of an object from its class, so all
   objects of a class have one size: a type with objects of several sizes becomes a class without
   objects, with a subclass for each size, "string data (32 bytes)".

   The fields of a class, by offset, are the words that hold a pointer in any of its objects, and
   the numbers that its type defines: an object has a value for each field of its class. If there
   are too many fields for one class, superclasses have the rest. */
#pragma once

#include "analysis/analysis.h"
#include "main/hprof/hprof.h"

struct pointer;
struct pointer_walk;

struct hprof_field {
	uint32_t offset; /* from the object's address */
	uint32_t name;
	uint8_t type; /* enum hprof_type */
	uint8_t kind; /* of a number: enum gokind */
};

struct hprof_object_class {
	uint64_t size;
	uint64_t *id; /* of the class, then of its superclasses with further fields */
	size_t parts; /* number of ids */
	uint32_t group;
	uint32_t bytes;    /* of an object's values */
	uint64_t *pointer; /* bits by word */
	size_t words;
	struct hprof_field *field;
	size_t fields, capacity;
};

/* All objects with the same type name. */
struct hprof_group {
	char *name;
	gotype_id type; /* 0: fields have no names */
	bool many;      /* an array of values */
	uint32_t sizes; /* number of classes */
	uint64_t id;    /* of their superclass, if there are several */
};

struct hprof_classes {
	struct hprof *h;
	const struct analysis *analysis;
	uint64_t cut; /* number of objects larger than HPROF_SIZE_MAX */
	struct hprof_object_class *class;
	size_t count, capacity;
	struct hprof_group *group;
	size_t groups, group_capacity;
	struct map group_of_key, group_of_name, number_of_size, of_group_size;
	struct {
		uint64_t key, size, class;
	} last;           /* the last lookup, cached because neighbors often have the same type */
	struct map taken; /* text of a name -> number of classes with it */
};

/* Names a class; appends a number if the name is taken. Returns the serial number. */
uint32_t hprof_classes_name(struct hprof_classes *classes, uint64_t id, const char *name);
/* Visits all objects and writes the texts and names of their classes. False: *err. */
bool hprof_classes_find(struct hprof_classes *classes, struct err *err);
/* Writes the classes, as subclasses of `super`. */
void hprof_classes_write(const struct hprof_classes *classes, uint64_t super);
/* Returns the class of an object with a size; creates it if needed. */
struct hprof_object_class *hprof_classes_of(struct hprof_classes *classes, uint32_t object,
                                            uint64_t size);
void hprof_classes_free(struct hprof_classes *classes);

/* Starts a walk over the pointers of an object. An unreachable object has none, because tools count
   all pointers as if they kept something alive. */
void hprof_pointers(const struct hprof_classes *classes, uint32_t object,
                    const struct object_record *record, struct pointer_walk *walk);
/* Finds the fields of a class, after all pointers of its objects were seen. */
void hprof_class_find_fields(struct hprof_classes *classes, struct hprof_object_class *class);
/* Returns the pointer field with an offset; tries `guess` first. SIZE_MAX: none. */
size_t hprof_class_pointer(const struct hprof_object_class *class, uint64_t offset, size_t guess);
/* Returns the offset of a pointer; in a log without offsets, that of the n-th word. */
uint64_t hprof_pointer_offset(const struct hprof *h, const struct pointer *pointer, uint64_t n);
