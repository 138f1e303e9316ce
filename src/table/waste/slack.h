/* Unused capacity of slices, maps and channels, by their place in the program, and the memory that
   sync.Pools retain. Private to src/table. */
#ifndef TABLE_SLACK_H
#define TABLE_SLACK_H

#include "table/contents/collections.h"

#define SLACK_POOL COLLECTION_KINDS /* a kind: memory of a sync.Pool */

/* Collections of one type whose paths differ only in indices and keys. */
struct slack_place {
	uint8_t kind;    /* enum collection_kind, SLACK_POOL */
	bool counted;    /* length and capacity are known: it is no pool */
	bool has_length; /* of the example */
	uint8_t unused;
	uint32_t step;    /* index in slack_places; OBJECT_NONE for a pool */
	uint32_t example; /* object: the one with most unused capacity */
	gotype_id type;   /* of the collections */
	uint64_t count;
	uint64_t wasted; /* sums over all, */
	uint64_t length, capacity;
};

struct slack {
	const struct slack_places *places;
	struct slack_place *place;
	size_t count, capacity;
	uint64_t wasted; /* sum of all places */
};

/* Finds all such places; those of collections are a cached result. After STAGE_TYPED and
   STAGE_DOMINATED. NULL: cancelled. */
struct slack *slack_new(const struct analysis *analysis, struct progress *progress);
void slack_free(struct slack *slack);
/* Appends the steps to a place: the path of a single collection, in the form that all commands
   accept; "main.sessions[*].Body" for several. */
void slack_add_name(const struct slack *slack, const struct analysis *analysis,
                    const struct slack_place *place, struct buf *out);

#endif
