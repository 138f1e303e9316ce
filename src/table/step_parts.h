/* What files about steps have among themselves. */
#ifndef TABLE_STEP_PARTS_H
#define TABLE_STEP_PARTS_H

#include "table/datum.h"
#include "table/step.h"

/* Is it an entry of a map or a trie that the offset is in? Then its name is appended; *sure becomes
   false where other entries may be called the same. */
bool step_entry(const struct govalue *in, const struct datum *holder, uint64_t offset, bool *sure,
                struct buf *out, struct datum *scalar);

bool step_is_of_sync_map(const struct analysis *analysis, gotype_id type);

#endif
