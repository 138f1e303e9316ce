/* Build ids that linkers store in notes of an ELF file. Private to src/go/exe. */
#pragma once

#include "go/exe/image.h"

/* Returns both ids of an ELF file of `size` bytes, borrowed from the file. A missing id has length
   0. */
struct build_ids build_ids_of(struct Elf *elf, const uint8_t *data, size_t size);
