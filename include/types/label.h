/* What an object is as far as the dump alone tells: objects without a type get a label, so that
   those that are alike can be counted together. A label is a name only where the dump has it;
   everything else says what it goes by. */
#ifndef TYPES_LABEL_H
#define TYPES_LABEL_H

#include "goruntime/gostructure.h"
#include "types/typing.h"

/* What a label goes by, the best first. */
enum label_class {
	LABEL_NONE,     /* the object has a type */
	LABEL_NAME,     /* the dump names its type: "main.PanicArg" */
	LABEL_KIND,     /* pointers and contents are those of a map, a channel ...: "~map header" */
	LABEL_IDENTITY, /* the address of its type is known, not the name: "type@0x7a12c0" */
	LABEL_ROW,      /* a pointer with its lengths leads to it: "~string data", "~slice array" */
	LABEL_SITE,     /* the profiler has seen it: "allocated at main.mkUser main.go:171" */
	LABEL_SHAPE,    /* "obj[48] P..PP. held at ~map groups" */
	LABEL_CLASSES
};
extern const char *const label_class_names[LABEL_CLASSES];   /* "name", "kind", ... */
extern const char *const label_class_reasons[LABEL_CLASSES]; /* "an interface that holds it ..." */

struct labels;

/* For all objects that `typing` (may be NULL) has no type of; both are borrowed, heap must be
   linked. NULL: cancelled. */
struct labels *labels_new(const struct heap *heap, const struct typing *typing,
                          struct progress *progress);
void labels_free(struct labels *labels);
/* Into an index, and from there, with the same typing. NULL: the file has none of this heap. */
void labels_save(const struct labels *labels, struct index_writer *writer);
struct labels *labels_load(const struct heap *heap, const struct typing *typing,
                           struct index_file *file);

/* The label of an object, 0: it has a type. Labels are numbered 1 ... labels_count; several may
   have the same text. */
uint32_t labels_of(const struct labels *labels, uint32_t object);
uint32_t labels_count(const struct labels *labels);
enum label_class labels_class(const struct labels *labels, uint32_t label);
/* KNOWN_NONE unless it is the name of a type. */
enum type_known labels_known(const struct labels *labels, uint32_t label);
/* What an object with the label is of what a program names. */
enum label_is {
	LABEL_IS_OTHER,
	LABEL_IS_MAP,    /* its header, */
	LABEL_IS_GROUPS, /* groups of one or what leads to them, as from Go 1.24 on, */
	LABEL_IS_PART,   /* other parts of maps and channels */
	LABEL_IS_CHANNEL,
	LABEL_IS_SLICE
};
enum label_is labels_is(const struct labels *labels, uint32_t label);
void labels_add(const struct labels *labels, uint32_t label, struct buf *out);
/* What an object of a map or channel looks like; GOSTRUCTURE_NONE: it has a type, or is none. */
enum gostructure_role labels_role(const struct labels *labels, uint32_t object);
/* Does an object look like what one of that role leads to within the structure? */
bool labels_is_inside(enum gostructure_role role, const struct labels *labels, uint32_t to);

#endif
