/* The classes of a dump's objects. All objects of a class have one size, since readers take the
   size of an object from its class: a type with objects of several sizes is a class without
   objects, and below it one for each size, "string data (32 bytes)".

   The fields of a class are the words that hold a pointer in any of its objects, and the numbers
   that its type knows, by their offsets: an object has as many values as its class has fields. Of
   more fields than a class may have, the rest are those of classes above it. */
#ifndef MAIN_HPROF_CLASSES_H
#define MAIN_HPROF_CLASSES_H

#include "analysis/analysis.h"
#include "main/hprof/hprof.h"

struct hprof_field {
	uint32_t offset; /* from the object's address */
	uint32_t name;
	uint8_t type; /* enum hprof_type */
	uint8_t kind; /* of a number enum gokind */
};

struct hprof_object_class {
	uint64_t size;
	uint64_t *id; /* of the class, then of those above it with the rest of its fields */
	size_t parts; /* of these */
	uint32_t group;
	uint32_t bytes;    /* of an object's values */
	uint64_t *pointer; /* a bit for each word */
	size_t words;
	struct hprof_field *field;
	size_t fields, capacity;
};

/* A type: all objects that are called alike. */
struct hprof_group {
	char *name;
	gotype_id type; /* 0: fields have no names */
	bool many;      /* values of it in a row */
	uint32_t sizes; /* classes of it */
	uint64_t id;    /* of the class above those, where these are several */
};

struct hprof_classes {
	struct hprof *h;
	const struct analysis *analysis;
	uint64_t cut; /* objects that are larger than HPROF_SIZE_MAX */
	struct hprof_object_class *class;
	size_t count, capacity;
	struct hprof_group *group;
	size_t groups, group_capacity;
	struct map group_of_key, group_of_name, number_of_size, of_group_size;
	struct {
		uint64_t key, size, class;
	} last;           /* asked for: neighbours are often alike */
	struct map taken; /* by the text of a name: how many classes have it */
};

/* Names a class; where the name is taken a number follows it. Returns the serial number. */
uint32_t hprof_classes_name(struct hprof_classes *classes, uint64_t id, const char *name);
/* Goes through all objects and writes the texts and names of their classes. False: *err. */
bool hprof_classes_find(struct hprof_classes *classes, struct err *err);
/* Writes the classes themselves, those below `super`. */
void hprof_classes_write(const struct hprof_classes *classes, uint64_t super);
/* The class of an object of a size; it is made when it is asked for first. */
struct hprof_object_class *hprof_classes_of(struct hprof_classes *classes, uint32_t object,
                                            uint64_t size);
void hprof_classes_free(struct hprof_classes *classes);

/* Starts the pointers of an object: none of one that no root leads to, since tools count all that
   are there as if they kept something alive. */
void hprof_pointers(const struct hprof_classes *classes, uint32_t object,
                    const struct object_record *record, struct pointer_walk *walk);
/* Its fields, once all of its pointers have been seen. */
void hprof_class_find_fields(struct hprof_classes *classes, struct hprof_object_class *class);
/* The field with an offset that is a pointer; `guess` is tried first. SIZE_MAX: none. */
size_t hprof_class_pointer(const struct hprof_object_class *class, uint64_t offset, size_t guess);
/* The offset of a pointer, and of a log, which has none, that of the n-th word. */
uint64_t hprof_pointer_offset(const struct hprof *h, const struct pointer *pointer, uint64_t n);

#endif
