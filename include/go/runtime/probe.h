/* An object examined without a type: it may be an internal part of a map or a channel. Offsets
   count from the first byte that the program sees. Callers must check offsets against `bytes`. */
#pragma once

#include "heap/region.h"

struct probe {
	const struct regions *regions;
	struct region region; /* as regions_look() says: without its address */
	uint64_t bytes;       /* bytes that the program sees */
};

void probe_init(struct probe *probe, const struct regions *regions, uint32_t object);
/* Finds the object that begins at an address. Returns false if there is none. */
bool probe_find(const struct regions *regions, uint64_t address, struct probe *found);
/* Returns the address of the first byte that the program sees. */
uint64_t probe_address(const struct probe *probe);
uint64_t probe_word(const struct probe *probe, uint64_t offset);
uint64_t probe_number(const struct probe *probe, uint64_t offset, unsigned size);
/* Returns one bit for each of the first 64 words: it is a pointer. */
uint64_t probe_pointers(const struct probe *probe);
