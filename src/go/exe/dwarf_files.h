/* The DWARF of an image and of its parts, each with DIEs of its own. Private to src/go/exe. */
#pragma once

#include "universe.h"

/* Opens them all. */
void dwarf_files_open(struct gotypes *types);
void dwarf_files_close(struct gotypes *types);

/* Numbers a DIE of the file that is read, among those of all files. */
uint64_t dwarf_files_key(const struct gotypes *types, Dwarf_Off offset);
/* Reads from the file of such a number until it is called again. Returns the offset. */
Dwarf_Off dwarf_files_enter(struct gotypes *types, uint64_t key);
/* Finds the function at an address, and its file. Returns NULL if there is none. */
const struct dwarf_function *dwarf_files_function(const struct gotypes *types, uint64_t entry,
                                                  struct dwarf_index **file);
