/* Go types from the runtime's descriptors. Private to src/exe. */
#ifndef EXE_RTYPE_READ_H
#define EXE_RTYPE_READ_H

#include "universe.h"

/* The id of the type whose descriptor is at an address, DWARF's where that has it; 0: none. */
gotype_id rtype_declare(struct gotypes *types, uint64_t address);
/* Fills a type that was declared. */
void rtype_read(struct gotypes *types, gotype_id id, uint64_t address);
/* The type of what a map's or a channel's one word points to, by the descriptors of its key,
   element and bucket or group. */
gotype_id rtype_make_map(struct gotypes *types, uint64_t key, uint64_t elem, uint64_t slots);
gotype_id rtype_make_chan(struct gotypes *types, uint64_t elem);
/* The address of the descriptor with this whole name; 0: none. */
uint64_t rtype_named(struct gotypes *types, const char *name);
/* Declares all that there are. */
void rtype_declare_all(struct gotypes *types);

#endif
