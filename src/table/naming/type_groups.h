/* Internals of grouping objects by type: table/naming/typed.h defines the groups. */
#ifndef TABLE_TYPE_GROUPS_H
#define TABLE_TYPE_GROUPS_H

#include "table/naming/typed.h"

/* Counts the objects, with or without separate groups for parts of maps and channels; `among`: the
   reachable objects, NULL: all. The caller calls type_groups_fini. */
void type_groups_count(struct type_groups *groups, const struct analysis *analysis, bool parts,
                       const struct reach *among);
/* Like typed_key, with or without parts. */
size_t type_groups_key(const struct analysis *analysis, uint32_t object, bool parts);

#endif
