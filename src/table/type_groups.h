/* How objects are grouped by their types, for the files that do: table/typed.h has the groups. */
#ifndef TABLE_TYPE_GROUPS_H
#define TABLE_TYPE_GROUPS_H

#include "table/typed.h"

/* Counts the objects, with parts of maps and channels as groups of their own or not; `among`: those
   that are reachable, NULL: all. To be freed with type_groups_fini. */
void type_groups_count(struct type_groups *groups, const struct analysis *analysis, bool parts,
                       const struct reach *among);
/* typed_key, with parts or without. */
size_t type_groups_key(const struct analysis *analysis, uint32_t object, bool parts);

#endif
