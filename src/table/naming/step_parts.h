/* Functions that step.c and step_path.c share. */
#pragma once

#include "table/contents/datum.h"
#include "table/naming/step.h"

/* Appends the key if the offset lies in an entry of a map or trie. *sure becomes false where the
   key may name another entry, too. False: it lies in none. */
bool step_entry(const struct govalue *in, const struct datum *holder, uint64_t offset, bool *sure,
                struct buf *out, struct datum *scalar);

/* Like step_entry, without the steps into the key or value: stores all of it. Its type is 0 if
   there is a pointer to it, which has none in the program. */
bool step_entry_part(const struct govalue *in, const struct datum *holder, uint64_t offset,
                     bool *sure, struct buf *out, struct datum *part);

/* Appends the name of the reference at a place of an object, if the format names references;
   returns false if it does not. */
bool step_add_told(const struct heap *heap, uint32_t object, uint64_t place, struct buf *out);

/* Returns true if the type is one of the runtime's own structures inside a sync.Map. */
bool step_is_of_sync_map(const struct analysis *analysis, gotype_id type);
