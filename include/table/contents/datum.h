/* Typed values, or arrays of them, in the memory of the dump. Functions lead from one to the next
   as a program does: to a field, to an element, to the target of a pointer. Nothing here allocates
   memory that outlives the call, and the cost of a step does not depend on the size of the
   object. */
#pragma once

#include "analysis/analysis.h"
#include "go/types/govalue.h"

struct datum {
	uint64_t address;
	gotype_id type;      /* 0: unknown; it is then treated as one word */
	uint64_t count;      /* number of consecutive values of that type; 1 if unknown */
	const uint8_t *data; /* the dump's bytes from `address` on; NULL: not in the dump */
	uint64_t room;       /* number of these bytes, to the end of the object, segment or frame */
	uint32_t object;     /* that contains it; OBJECT_NONE: outside of the heap */
};

/* Returns the context for all functions below. Without an executable, or before STAGE_TYPED,
   in.typing is NULL and values have no type. */
struct govalue datum_memory(const struct analysis *analysis);

struct datum datum_at(const struct govalue *in, uint64_t address, gotype_id type, uint64_t count);
/* Returns the whole object, with the type of the object. */
struct datum datum_of_object(const struct govalue *in, uint32_t object);
/* The same, faster for objects in ascending order. */
struct datum datum_read_object(const struct govalue *in, uint32_t object,
                               struct object_reader *reader);

/* Returns the bytes of a value, or of all consecutive ones; 0: unknown. */
uint64_t datum_size(const struct govalue *in, const struct datum *place);

/* Stores the pointer through which a value refers to another: the pointer itself, the first word of
   a slice, the second word of an interface. False: its type has none, or its bytes are not in the
   dump. */
bool datum_pointer(const struct govalue *in, const struct datum *place, uint64_t *word);
/* Stores the target of a value's pointer. target->type comes from the type of the value, and is 0
   if that does not determine it (unsafe.Pointer, func). target->count is the capacity of a
   slice. */
bool datum_follow(const struct govalue *in, const struct datum *place, struct datum *target);
/* Returns true if the type of the value has a pointer to follow. */
bool datum_leads_on(const struct govalue *in, const struct datum *place);

/* Finds a field of a struct by its escaped name, promoted fields included. A captured variable is
   found with and without its &. */
bool datum_field(const struct govalue *in, const struct datum *place, const char *name,
                 size_t length, struct datum *field);
/* Returns true for an array, or several consecutive values. datum_element stores one element;
   false: there is none, or its bytes are not in the dump. */
bool datum_is_row(const struct govalue *in, const struct datum *place);
bool datum_element(const struct govalue *in, const struct datum *place, uint64_t index,
                   struct datum *element);
/* Replaces a value by the field or element in it that contains the byte at *offset, appends its
   name
   (`name` may be NULL), and makes the offset one from its start. False: it has no such part. */
bool datum_descend(const struct govalue *in, struct datum *place, uint64_t *offset,
                   struct buf *name);
/* Finds the value that begins at an offset and whose type has the name that a text begins with, up
   to a closing parenthesis; stores the length of the name. False: none there has it. */
bool datum_typed(const struct govalue *in, const struct datum *place, uint64_t offset,
                 const char *text, size_t *length, struct datum *part);
/* Returns the innermost value that contains the byte at an offset, and appends its name:
   "[3].Inner.P". */
struct datum datum_scalar(const struct govalue *in, const struct datum *place, uint64_t offset,
                          struct buf *name);

/* Returns how surely the type of a value is known: as that of the object around it, or of a value
   in a block. Variables and static data have their types from debug information. */
enum type_known datum_known(const struct govalue *in, const struct datum *place);

/* Appends "main.Node", "12 of main.Node" or "a word of unknown type". */
void datum_add_type(const struct govalue *in, const struct datum *place, struct buf *out);
