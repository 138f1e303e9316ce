/* Go types from DWARF. Private to src/exe. */
#ifndef EXE_DWARF_TYPE_H
#define EXE_DWARF_TYPE_H

#include "universe.h"

/* The id of the type that a DIE is; 0: none, or offset 0. */
gotype_id dwarf_type_declare(struct gotypes *types, Dwarf_Off offset);
/* Fills a type that was declared. */
void dwarf_type_read(struct gotypes *types, gotype_id id, Dwarf_Off offset);

#endif
