/* Room that nothing is in: of slices, maps and channels, by the place in the program that has them,
   and what sync.Pools keep for later. Private to src/table. */
#ifndef TABLE_SLACK_H
#define TABLE_SLACK_H

#include "table/collections.h"
#include "table/step_class.h"

#define SLACK_POOL COLLECTION_KINDS /* a kind: what a sync.Pool keeps */

/* Those of one type that paths lead to which differ in indices and keys only. */
struct slack_place {
	unsigned kind;    /* enum collection_kind, SLACK_POOL */
	uint32_t node;    /* of merged_paths; OBJECT_NONE: of a pool */
	uint32_t example; /* object: that with most room */
	size_t item;      /* the same in found.item; of a pool nothing */
	uint64_t count;
	uint64_t length, capacity, wasted; /* of all */
};

struct slack {
	struct collections found;
	struct step_classes *step_classes;
	struct merged_paths *merged_paths;
	struct slack_place *place;
	size_t count, capacity;
	uint64_t wasted[COLLECTION_KINDS + 1]; /* of all, by kind */
};

/* After STAGE_TYPED and STAGE_DOMINATED. NULL: cancelled. */
struct slack *slack_new(const struct analysis *analysis, struct progress *progress);
void slack_free(struct slack *slack);
/* What one writes to come there: the path of a single one, as every command takes it; of several
   "main.sessions[*].Body". */
void slack_add_name(const struct slack *slack, const struct analysis *analysis,
                    const struct slack_place *place, struct buf *out);

#endif
