/* Compressed debug sections. Private to src/go/exe. */
#pragma once

#include "debug_damage.h"

#include <libelf.h>

/* Unpacks the debug sections of an ELF file of `size` bytes in writable memory; call it before
   libdw reads them. The total is limited in proportion to `size`: returns false and unpacks nothing
   if it is larger. Damage is recorded in *damage. */
bool debug_unpack(Elf *elf, uint64_t size, struct debug_damage *damage);
/* Returns the bytes that debug_unpack() will take; 0 after it, and if they are too many for it. */
uint64_t debug_packed_size(Elf *elf);
/* Returns true if the file has debug information. */
bool debug_is_there(Elf *elf);
