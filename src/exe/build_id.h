/* The build ids that linkers leave in an ELF file, as notes. Private to src/exe. */
#ifndef EXE_BUILD_ID_H
#define EXE_BUILD_ID_H

#include "exe/image.h"

/* Both ids of an ELF file of `size` bytes; one that is missing has no length. Borrowed from the
   file. */
struct build_ids build_ids_of(struct Elf *elf, const uint8_t *data, size_t size);

#endif
