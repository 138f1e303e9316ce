/* What package sync keeps between a map or a pool and its values: nodes and entries of a trie, the
   entries of two maps with their boxes, lists of each processor. A program names none of them. */
#pragma once

#include "analysis/analysis.h"

struct step_inner {
	const struct analysis *analysis;
	uint8_t *role; /* by type; NULL: not asked for yet */
	size_t types;
};

void step_inner_fini(struct step_inner *inner);
/* Returns true if a pointer from one object to another stays within a map or a pool of package
   sync. After STAGE_TYPED and, for boxes, STAGE_REACHED. */
bool step_inner_has(struct step_inner *inner, uint32_t from, uint32_t to);
/* Returns true if the object is the box in which such a map keeps a value. */
bool step_inner_is_box(struct step_inner *inner, uint32_t object);
/* Appends the step from such an object of a type, through the pointer at an offset, to an entry or
   a value of the type `to`: "[*]" or "[*] key"; and to `field` the field of the value with that
   pointer. False: it is no such step. */
bool step_inner_add(const struct gotypes *types, gotype_id from, uint64_t offset, gotype_id to,
                    struct buf *field, struct buf *out);
