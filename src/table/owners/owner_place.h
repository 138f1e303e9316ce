/* The places of nodes in trees of owners, by their shortest paths from the strongest roots, without
   indices and keys. Nodes with similar paths share a place. */
#pragma once

#include "analysis/owners.h"
#include "table/paths/path_tree.h"

/* Store the cached tree of these paths: of all objects, or of those with several owners. *places is
   NULL without types. False: cancelled. */
bool owner_places_whole(const struct analysis *analysis, struct progress *progress,
                        const struct path_tree **places);
bool owner_places_shared(const struct analysis *analysis, const struct owners *owners,
                         struct progress *progress, const struct path_tree **places);

/* Appends what one writes behind the name of the node `above` to come to each of `nodes`:
   ".Items[*].Buf"; if it is OBJECT_NONE, what one writes from the root on. False: nothing is
   appended, as they hang in several places, or that is not known. `places` may be NULL. */
bool owner_places_add(const struct path_tree *places, const struct analysis *analysis,
                      uint32_t above, struct ids nodes, struct buf *out);

/* Finds the deepest place below a named variable that has more than half of the bytes that `nodes`
   retain, and the root of its path. False: there is none. `places` may be NULL. */
struct owner_place {
	uint32_t place, root;
};
bool owner_places_most(const struct path_tree *places, const struct analysis *analysis,
                       const struct dominators *dominators, struct ids nodes,
                       struct owner_place *found);
/* Appends the name of a place: "main.app.Clients[*].subs". */
void owner_places_add_name(const struct path_tree *places, uint32_t place, struct buf *out);

/* Appends the steps of the shortest path from a node to an object that it owns: ".store.msgs",
   `["session-0042"]`. False: appends nothing; the steps are unknown or too many. */
bool owner_step_add(const struct analysis *analysis, uint32_t above, uint32_t object,
                    struct buf *out);
