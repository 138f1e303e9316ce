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

/* Returns an unpacker that begins at *place, all zero for the first collection. `packed` and `heap`
   are borrowed. */
struct collection_unpacking collections_unpack_at(const struct buf *packed, const struct heap *heap,
                                                  const struct collection_place *place);
/* Unpacks the next collection into *item. The caller unpacks or skips its windows before it asks
   for the next one. Returns false, and leaves *item as it is, if there are no more. */
bool collections_unpack_next(struct collection_unpacking *from, struct collection *item);
/* Like collections_unpack_next, but stores only the collection's kind. */
bool collections_unpack_kind(struct collection_unpacking *from, enum collection_kind *kind);
/* Appends the windows of the collection that was unpacked last, which must be the last one of
   `found`, to found->window, an array of *capacity elements. */
void collections_unpack_windows(struct collection_unpacking *from, size_t *capacity,
                                struct collections *found);
/* Skips the windows of the collection that was unpacked last. */
void collections_skip_windows(struct collection_unpacking *from);

/* Returns the packed collections of the dump, which the analysis owns; finds them first if they are
   not cached. NULL: cancelled. */
const struct buf *collections_packed(const struct analysis *analysis, struct progress *progress);
