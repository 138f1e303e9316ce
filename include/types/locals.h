/* The variables that the words of a frame belong to. Found when first asked for and kept; any
   thread may ask. */
#ifndef TYPES_LOCALS_H
#define TYPES_LOCALS_H

#include "exe/gotypes.h"
#include "heap/heap.h"

struct locals;

/* Borrows `types`, which nobody else may ask for locals meanwhile. `bias` is what the dump's
   addresses are above the executable's. */
struct locals *locals_new(struct gotypes *types, uint64_t bias);
void locals_free(struct locals *locals);
/* gotypes_save of the types, while no thread asks for more of them. */
void locals_save_types(struct locals *locals, struct index_writer *writer);

/* A place in a variable. */
struct local {
	const char *name; /* as in the executable, any bytes */
	gotype_id type;   /* of the variable */
	uint64_t offset;  /* in the variable */
};
/* The variable that has an address of a frame. False: none is known. `locals` may be NULL. */
bool locals_find(struct locals *locals, const struct frame_record *frame, uint64_t address,
                 struct local *local);

#endif
