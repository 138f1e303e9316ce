/* Reads Go types from the runtime's descriptors. Private to src/go/exe. */
#pragma once

#include "universe.h"

/* Returns the id of the type whose descriptor is at an address; uses DWARF if it has the type. 0:
   none. */
gotype_id rtype_declare(struct gotypes *types, uint64_t address);
/* Fills in a declared type. */
void rtype_read(struct gotypes *types, gotype_id id, uint64_t address);
/* Make the struct that a map or channel value points to, from the descriptors of key, element, and
   bucket or group. */
gotype_id rtype_make_map(struct gotypes *types, uint64_t key, uint64_t elem, uint64_t slots);
gotype_id rtype_make_chan(struct gotypes *types, uint64_t elem);
/* Returns the address of the descriptor with this full name; 0: none. */
uint64_t rtype_named(struct gotypes *types, const char *name);
/* Declares all types of the table. */
void rtype_declare_all(struct gotypes *types);
