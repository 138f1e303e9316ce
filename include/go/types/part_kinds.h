/* The kinds of parts that the values of a type have, by type. */
#pragma once

#include "base/map.h"
#include "go/exe/gotype.h"

/* Bits of a set of kinds: 1 << enum gokind, and this one for a sync.Map. */
#define PART_SYNC_MAP (UINT32_C(1) << GO_KINDS)
_Static_assert(GO_KINDS < 32, "a set of kinds has 32 bits");

/* Cache of such sets. `struct part_kinds kinds = {.types = ...}` is empty; not thread-safe. */
struct part_kinds {
	const struct gotypes *types;
	struct map sets; /* type -> bits */
};
void part_kinds_fini(struct part_kinds *kinds);
/* Returns the kinds of a value's parts: of itself if it is neither struct nor array, else of its
   fields and elements, however deep they are. */
uint32_t part_kinds_of(struct part_kinds *kinds, gotype_id type);
