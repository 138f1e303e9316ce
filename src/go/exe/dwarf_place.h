/* DWARF locations of variables. libdw rejects the blocks that Go writes for single locations, so
   this decodes them itself. Private to src/go/exe. */
#pragma once

#include "dwarf_attrs.h"
#include "go/exe/gotypes.h"

/* Reads the address of a global variable. Returns false if it has none. */
bool dwarf_place_address(const struct image *image, Dwarf_Attribute *location, uint64_t *address);
/* Reads the offset of a field, which is a number or (DWARF 2) a block. */
bool dwarf_place_member(const struct image *image, Dwarf_Attribute *location, uint64_t *offset);
/* Finds the pieces that are in memory at `pc`. Returns their number, at most EXE_PIECES. A variable
   in one place gives a piece of size 0. */
unsigned dwarf_place_pieces(const struct image *image, Dwarf_Attribute *location, uint64_t pc,
                            struct exe_piece *pieces);
