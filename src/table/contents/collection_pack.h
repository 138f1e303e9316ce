/* Collections as they are cached: one packed after the other. Private to table/contents. */
#pragma once

#include "base/cursor.h"
#include "table/contents/collections.h"

/* Where a packed collection begins, and what the one before it says about it. */
struct collection_place {
	size_t at;
	uint32_t object;
	gotype_id type;
};
struct collection_unpacking {
	struct cursor packed;
	const struct heap *heap;
	struct collection_place place; /* `at` is where it began */
	uint64_t flags;
};

struct collection_unpacking collections_unpack_at(const struct buf *packed, const struct heap *heap,
                                                  const struct collection_place *place);
/* Unpacks the next collection; its windows are to be unpacked or skipped then. False: there are no
   more. */
bool collections_unpack_next(struct collection_unpacking *from, struct collection *item);
/* Like collections_unpack_next, for the kind of it alone. */
bool collections_unpack_kind(struct collection_unpacking *from, enum collection_kind *kind);
/* Appends the windows of the last collection in `found`. */
void collections_unpack_windows(struct collection_unpacking *from, size_t *capacity,
                                struct collections *found);
void collections_skip_windows(struct collection_unpacking *from);

/* Returns the cached collections. NULL: cancelled. */
const struct buf *collections_packed(const struct analysis *analysis, struct progress *progress);
