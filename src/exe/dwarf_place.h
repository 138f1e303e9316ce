/* Locations of DWARF: where a variable is. libdw refuses the blocks that Go writes for single
   locations, so those are decoded here. Private to src/exe. */
#ifndef EXE_DWARF_PLACE_H
#define EXE_DWARF_PLACE_H

#include "dwarf_attrs.h"
#include "exe/gotypes.h"

/* The address of a global variable; false: it has none. */
bool dwarf_place_address(const struct image *image, Dwarf_Attribute *location, uint64_t *address);
/* The offset of a field, a number or (DWARF 2) a block. */
bool dwarf_place_member(const struct image *image, Dwarf_Attribute *location, uint64_t *offset);
/* The pieces that are in memory at `pc`; their number, at most EXE_PIECES. A place that is not in
   pieces is one of size 0. */
unsigned dwarf_place_pieces(const struct image *image, Dwarf_Attribute *location, uint64_t pc,
                            struct exe_piece *pieces);

#endif
