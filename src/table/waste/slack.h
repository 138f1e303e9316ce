/* Unused capacity of slices, maps and channels, by their place in the program, and the memory that
   sync.Pools retain. Private to src/table. */
#ifndef TABLE_SLACK_H
#define TABLE_SLACK_H

#include "table/contents/collections.h"
#include "table/naming/step_class.h"

#define SLACK_POOL COLLECTION_KINDS /* a kind: memory of a sync.Pool */

/* Collections of one type whose paths differ only in indices and keys. */
struct slack_place {
	unsigned kind;    /* enum collection_kind, SLACK_POOL */
	uint32_t node;    /* of merged_paths; OBJECT_NONE for a pool */
	uint32_t example; /* object: the one with most unused capacity */
	size_t item;      /* index of the example in found.item; unused for a pool */
	uint64_t count;
	uint64_t wasted; /* sums over all, */
	uint64_t length, capacity;
	bool counted; /* these, too: they are no pool */
};

struct slack {
	struct collections found;
	struct step_classes *step_classes;
	struct merged_paths *merged_paths;
	struct slack_place *place;
	size_t count, capacity;
	uint64_t wasted; /* sum of all places */
};

/* Finds all such places. After STAGE_TYPED and STAGE_DOMINATED. NULL: cancelled. */
struct slack *slack_new(const struct analysis *analysis, struct progress *progress);
void slack_free(struct slack *slack);
/* Appends the steps to a place: the path of a single collection, in the form that all commands
   accept; "main.sessions[*].Body" for several. */
void slack_add_name(const struct slack *slack, const struct analysis *analysis,
                    const struct slack_place *place, struct buf *out);

#endif
