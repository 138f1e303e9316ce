/* Labels describe untyped objects by the dump alone, so that similar ones are counted together. A
   label is a name only if the dump contains it; other labels describe the evidence. */
#pragma once

#include "go/runtime/gostructure.h"
#include "go/types/typing.h"

/* Evidence for a label, best first. */
enum label_class {
	LABEL_NONE,     /* the object has a type */
	LABEL_NAME,     /* the dump has the name of its type: "main.PanicArg" */
	LABEL_KIND,     /* pointers and contents look like a map, a channel ...: "~map header" */
	LABEL_IDENTITY, /* the address of its type is known, not the name: "type@0x7a12c0" */
	LABEL_ROW,      /* a pointer with lengths points to it: "~string data", "~slice array" */
	LABEL_SITE,     /* the profiler has sampled it: "allocated at main.mkUser main.go:171" */
	LABEL_SHAPE,    /* "obj[48] P..PP. held at ~map groups" */
	LABEL_CLASSES
};
extern const char *const label_class_names[LABEL_CLASSES]; /* "name", "kind", ... */

struct labels;

/* Labels all objects that have no type in `typing` (may be NULL); borrows both; requires heap_link.
   Returns NULL if cancelled. */
struct labels *labels_new(const struct heap *heap, const struct typing *typing,
                          struct progress *progress);
void labels_free(struct labels *labels);
/* Writes the labels to an index, or reads them. */
bool labels_index(struct labels *labels, const struct index_io *io);
/* Reads labels of the same typing. Returns NULL if the file lacks them. */
struct labels *labels_load(const struct heap *heap, const struct typing *typing,
                           const struct index_io *io);

/* Returns the label of an object; 0: it has a type. Labels are numbered 1 ... labels_count; several
   may have the same text. */
uint32_t labels_of(const struct labels *labels, uint32_t object);
uint32_t labels_count(const struct labels *labels);
enum label_class labels_class(const struct labels *labels, uint32_t label);
/* Returns how it is known: "a record of the dump, or an interface that holds it, names it". */
const char *labels_reason(const struct labels *labels, uint32_t label);
/* Returns KNOWN_NONE unless the label is the name of a type. */
enum type_known labels_known(const struct labels *labels, uint32_t label);
/* Kind of Go value that objects with a label belong to. */
enum label_is {
	LABEL_IS_OTHER,
	LABEL_IS_MAP,    /* header of a map */
	LABEL_IS_GROUPS, /* groups, or structs that refer to them, since Go 1.24 */
	LABEL_IS_PART,   /* other parts of maps and channels */
	LABEL_IS_CHANNEL,
	LABEL_IS_SLICE
};
enum label_is labels_is(const struct labels *labels, uint32_t label);
void labels_add(const struct labels *labels, uint32_t label, struct buf *out);
/* The same, but "~map" for every part of a map. */
void labels_add_whole(const struct labels *labels, uint32_t label, struct buf *out);
/* Appends the size of an object and where it has pointers: "obj[48] P..PP." */
void labels_add_pattern(const struct labels *labels, uint32_t object, struct buf *out);
/* Returns the role of an object that looks like a part of a map or channel; GOSTRUCTURE_NONE: it
   has a type, or no role. */
enum gostructure_role labels_role(const struct labels *labels, uint32_t object);
/* Returns true if an object looks like a target within the structure of an object with that
   role. */
bool labels_is_inside(enum gostructure_role role, const struct labels *labels, uint32_t to);
