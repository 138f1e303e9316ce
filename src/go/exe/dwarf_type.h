/* Reads Go types from DWARF. Private to src/go/exe. */
#pragma once

#include "universe.h"

/* Returns the id of the type whose DIE is at `offset` of the file that is read; 0 if it is no type,
 * or for offset 0. */
gotype_id dwarf_type_declare(struct gotypes *types, Dwarf_Off offset);
/* Fills in a declared type. */
void dwarf_type_read(struct gotypes *types, gotype_id id, Dwarf_Off offset);

/* Declares a type by its DIE in some file; 0 for offset 0. */
gotype_id dwarf_type_of_file(struct gotypes *types, struct dwarf_index *file, Dwarf_Off offset);
/* Declares the type with a descriptor at an address; 0: no DWARF tells of it. */
gotype_id dwarf_type_described(struct gotypes *types, uint64_t descriptor);
/* Declares the type of this name and size in the DWARF of the files before number `end`; 0: there
   is none. A process has each type once. */
gotype_id dwarf_type_of_name(struct gotypes *types, const char *name, uint64_t size, size_t end);
