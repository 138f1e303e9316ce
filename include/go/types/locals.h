/* Finds the local variables of words in frames. Results are cached; thread-safe. */
#pragma once

#include "go/exe/gotypes.h"

struct frame_record;
struct locals;

/* Borrows `types`; no other code may look up locals meanwhile. `bias` is the load bias of the
   dump. */
struct locals *locals_new(struct gotypes *types, uint64_t bias);
void locals_free(struct locals *locals);
/* Calls gotypes_index for the types, under the lock. */
void locals_save_types(struct locals *locals, const struct index_io *io);

/* A position in a variable. */
struct local {
	const char *name; /* as in the executable, any bytes */
	gotype_id type;   /* of the whole variable */
	uint64_t offset;  /* offset in the variable */
};
/* Finds the variable at an address in a frame. Returns false if none is known. `locals` may be
   NULL. */
bool locals_find(struct locals *locals, const struct frame_record *frame, uint64_t address,
                 struct local *local);
