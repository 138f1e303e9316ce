/* Sections of debug information that are compressed. Private to src/exe. */
#ifndef EXE_DEBUG_SECTIONS_H
#define EXE_DEBUG_SECTIONS_H

#include "debug_damage.h"

#include <libelf.h>

/* Unpacks those of an ELF file of `size` bytes in writable memory, before libdw does. What they say
   they unpack to is bounded by the size of the file. False: that is too much, and none is
   unpacked. What is wrong is told to *damage. */
bool debug_unpack(Elf *elf, uint64_t size, struct debug_damage *damage);
/* Is there any debug information? */
bool debug_is_there(Elf *elf);

#endif
