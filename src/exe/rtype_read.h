/* Go types from the runtime's descriptors. Private to src/exe. */
#ifndef EXE_RTYPE_READ_H
#define EXE_RTYPE_READ_H

#include "universe.h"

/* The id of the type whose descriptor is at an address, DWARF's where that has it; 0: none. */
gotype_id rtype_declare(struct gotypes *types, uint64_t address);
/* Fills a type that was declared. */
void rtype_read(struct gotypes *types, gotype_id id, uint64_t address);
/* The address of the descriptor with this whole name; 0: none. */
uint64_t rtype_named(struct gotypes *types, const char *name);
/* Declares all that there are. */
void rtype_declare_all(struct gotypes *types);

#endif
