/* An object that is looked at without a type: is it what the runtime keeps of a map, of a channel?
   Offsets are from the first byte that the program sees. Who reads looks at `bytes` before. */
#ifndef GORUNTIME_PROBE_H
#define GORUNTIME_PROBE_H

#include "heap/region.h"

struct probe {
	const struct regions *regions;
	struct region region;
	uint64_t bytes; /* that the program sees */
};

void probe_init(struct probe *probe, const struct regions *regions, uint32_t object);
/* The object whose first byte an address is; false: there is none. */
bool probe_find(const struct regions *regions, uint64_t address, struct probe *found);
uint64_t probe_word(const struct probe *probe, uint64_t offset);
uint64_t probe_number(const struct probe *probe, uint64_t offset, unsigned size);
/* A bit a word, of the first 64: it is listed as a pointer. */
uint64_t probe_pointers(const struct probe *probe);

#endif
