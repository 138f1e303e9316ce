/* Reads Go types from DWARF. Private to src/exe. */
#pragma once

#include "universe.h"

/* Returns the id of the type whose DIE is at `offset`; 0 if it is no type, or for offset 0. */
gotype_id dwarf_type_declare(struct gotypes *types, Dwarf_Off offset);
/* Fills in a declared type. */
void dwarf_type_read(struct gotypes *types, gotype_id id, Dwarf_Off offset);
