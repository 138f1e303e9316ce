/* Unused capacity of slices, maps and channels, by their place in the program, and the memory that
   sync.Pools retain. Private to src/table. */
#pragma once

#include "analysis/merge.h"
#include "table/contents/collections.h"

#define SLACK_POOL COLLECTION_KINDS /* a kind: memory of a sync.Pool */

/* Paths as one tree of steps (analysis/merge.h), with as much of it as names need. */
struct slack_steps {
	struct step_classes *step_classes;
	struct slack_step {
		uint32_t parent; /* OBJECT_NONE: a topmost one */
		uint32_t label;  /* of step_classes */
	} * step;
	size_t count;
};
/* Merges the paths to objects, and stores their steps in `steps`, whose step_classes are made. The
   caller frees the result: it has the step of each object. NULL: cancelled. */
struct merged_paths *slack_steps_merge(struct slack_steps *steps, const struct analysis *analysis,
                                       const uint32_t *object, size_t count,
                                       struct progress *progress);
/* Appends the path to a step: "main.sessions[*].Body"; the last steps of a deep one. */
void slack_steps_add_name(const struct slack_steps *steps, uint32_t step, struct buf *out);
void slack_steps_fini(struct slack_steps *steps);

/* Collections of one type whose paths differ only in indices and keys. */
struct slack_place {
	uint8_t kind;    /* enum collection_kind, SLACK_POOL */
	bool counted;    /* length and capacity are known: it is no pool */
	bool has_length; /* of the example */
	uint8_t unused;
	uint32_t step;    /* index in slack_steps; OBJECT_NONE for a pool */
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
