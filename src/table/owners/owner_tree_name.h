/* Names of owners, and of rows in trees of owners. */
#ifndef TABLE_OWNER_TREE_NAME_H
#define TABLE_OWNER_TREE_NAME_H

#include "table/naming/entity.h"
#include "table/owners/owner_tree.h"

struct entity entity_of_owner(const struct owner *owner);

/* Appends "main.cache", or how many alike there are and their name. */
void owner_tree_add_owner(const struct analysis *analysis, const struct owner *owner,
                          struct buf *out);
/* Appends the owners of a shared set, the most significant first: "main.cache", "main.gCache and
   main.gCacheLast", "main.a and 7 more", "more than 64 owners". */
void owner_tree_add_owners(const struct analysis *analysis, const struct owners *owners,
                           struct ids set, struct buf *out);
/* Appends the name of a row, with shortened package paths. The name of an owner is not shortened,
   because it serves as an argument. */
void owner_tree_add_name(const struct rows *rows, const struct owner_row *owner_row,
                         struct buf *out);

#endif
