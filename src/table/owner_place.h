/* Where nodes of a tree of owners hang, by their shortest paths from the firmest roots: without
   indices and keys, so that what hangs alike has one place. */
#ifndef TABLE_OWNER_PLACE_H
#define TABLE_OWNER_PLACE_H

#include "analysis/analysis.h"
#include "analysis/merge.h"

/* {0}: none are known. */
struct owner_places {
	struct step_classes *step_classes;
	struct merged_paths *merged_paths;
};

/* Of some objects; none where objects have no types. False: cancelled. */
bool owner_places_open(struct owner_places *places, const struct analysis *analysis,
                       const uint32_t *objects, size_t count, struct progress *progress);
bool owner_places_open_all(struct owner_places *places, const struct analysis *analysis,
                           struct progress *progress);
void owner_places_close(struct owner_places *places);

/* Appends what one writes behind the name of the node `above` to come to each of `nodes`:
   ".Items[*].Buf"; if it is OBJECT_NONE, what one writes from the root on. False: nothing is
   appended, as they hang in several ways, or that is not known. */
bool owner_places_add(const struct owner_places *places, const struct analysis *analysis,
                      uint32_t above, struct ids nodes, struct buf *out);

/* The furthest place below a variable whose name is known that more than half of what `nodes`
   retain hangs on, and the root that its path begins at. False: there is none. */
struct owner_place {
	uint32_t place, root;
};
bool owner_places_most(const struct owner_places *places, const struct analysis *analysis,
                       const struct dominators *dominators, struct ids nodes,
                       struct owner_place *found);
/* "main.app.Clients[*].subs" */
void owner_places_add_name(const struct owner_places *places, uint32_t place, struct buf *out);

#endif
