/* Where nodes of a tree of owners hang, by their shortest paths from the firmest roots: without
   indices and keys, so that what hangs alike has one place. */
#ifndef TABLE_OWNER_PLACE_H
#define TABLE_OWNER_PLACE_H

#include "analysis/owners.h"
#include "table/path_tree.h"

/* The tree that has these paths, made once: of all objects, or of those that several owners hold.
   Without types objects have no places: *places is NULL then. False: cancelled. */
bool owner_places_whole(const struct analysis *analysis, struct progress *progress,
                        const struct path_tree **places);
bool owner_places_joint(const struct analysis *analysis, const struct owners *owners,
                        struct progress *progress, const struct path_tree **places);

/* Appends what one writes behind the name of the node `above` to come to each of `nodes`:
   ".Items[*].Buf"; if it is OBJECT_NONE, what one writes from the root on. False: nothing is
   appended, as they hang in several ways, or that is not known. `places` may be NULL. */
bool owner_places_add(const struct path_tree *places, const struct analysis *analysis,
                      uint32_t above, struct ids nodes, struct buf *out);

/* The furthest place below a variable whose name is known that more than half of what `nodes`
   retain hangs on, and the root that its path begins at. False: there is none. `places` may be
   NULL. */
struct owner_place {
	uint32_t place, root;
};
bool owner_places_most(const struct path_tree *places, const struct analysis *analysis,
                       const struct dominators *dominators, struct ids nodes,
                       struct owner_place *found);
/* "main.app.Clients[*].subs" */
void owner_places_add_name(const struct path_tree *places, uint32_t place, struct buf *out);

#endif
