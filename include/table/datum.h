/* Values in the memory of the dump, by their type, or rows of them. From one to the next one
   goes as a program does: to a field, to an element, to what a pointer points to. Nothing here
   allocates, and no step takes longer for a larger object. */
#ifndef TABLE_DATUM_H
#define TABLE_DATUM_H

#include "analysis/analysis.h"
#include "types/govalue.h"

struct datum {
	uint64_t address;
	gotype_id type;      /* 0: not known; a word is looked at then */
	uint64_t count;      /* values of that type, one after the other; 1 where it is not known */
	const uint8_t *data; /* the dump's bytes from `address` on; NULL: it has none */
	uint64_t room;       /* so many, to the end of the object, segment or frame */
	uint32_t object;     /* that it lies in; OBJECT_NONE: outside of the heap */
};

/* What places are looked up in. Without an executable, or before STAGE_TYPED, nothing has a type:
   in.typing is NULL. */
struct govalue datum_memory(const struct analysis *analysis);

struct datum datum_at(const struct govalue *in, uint64_t address, gotype_id type, uint64_t count);
/* All of an object by its own type. */
struct datum datum_of_object(const struct govalue *in, uint32_t object);

/* The word by which a value leads on: a pointer, the first one of a slice, the second one of an
   interface. False: its type has none, or its bytes are not in the dump. */
bool datum_pointer(const struct govalue *in, const struct datum *place, uint64_t *word);
/* Where it leads to: by the type of the value, so that target->type is 0 where that does not say it
   (an unsafe.Pointer, a func); count is the capacity of a slice. */
bool datum_follow(const struct govalue *in, const struct datum *place, struct datum *target);
/* Is it a value that leads on? */
bool datum_leads_on(const struct govalue *in, const struct datum *place);

/* A field of a struct, as visible text has it; promoted ones as well. A captured variable is found
   with and without its &. */
bool datum_field(const struct govalue *in, const struct datum *place, const char *name,
                 size_t length, struct datum *field);
/* Of a row or of an array; false: it is not one, or its bytes end before. */
bool datum_is_row(const struct govalue *in, const struct datum *place);
bool datum_element(const struct govalue *in, const struct datum *place, uint64_t index,
                   struct datum *element);
/* The place of the innermost value that a byte of it lies in; appends its name: "[3].Inner.P". */
struct datum datum_scalar(const struct govalue *in, const struct datum *place, uint64_t offset,
                          struct buf *name);

/* "main.Node", "12 of main.Node", "a word of unknown type" */
void datum_add_type(const struct govalue *in, const struct datum *place, struct buf *out);

#endif
