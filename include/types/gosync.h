/* The entries of a sync.Map: up to Go 1.23 two maps of pointers to values, then a trie of hashes,
   which other packages use as well (sync/map.go, internal/sync/hashtriemap.go). */
#ifndef TYPES_GOSYNC_H
#define TYPES_GOSYNC_H

#include "types/gomap.h"

struct gosync_entry {
	uint64_t key, value; /* where they are */
};

struct gosync {
	gotype_id key, value; /* what they are of; 0: there is no entry */
	struct gosync_entry *entries;
	size_t count;
	bool more;            /* there are others, which are not known or beyond the limit */
};

/* Has a type of this name entries? They are those of a sync.Map, of a trie, or of the parts that
   these keep on the heap: of a node of a trie, those under it. */
bool gosync_is_named(const char *name);
/* Of one whose bytes are at `data`: the caller frees the entries. No more than `limit` entries and
   nodes are looked at. False: it is none. */
bool gosync_read(const struct govalue *in, gotype_id type, const uint8_t *data, uint64_t size,
                 uint64_t limit, struct gosync *map);
void gosync_free(struct gosync *map);
/* The n-th, n < count. */
struct gomap_entry gosync_get(const struct govalue *in, const struct gosync *map, size_t n);

/* The word by which a sync.Map or a trie holds its entries, as an offset. False: it is none. */
bool gosync_pointer(const struct gotypes *types, gotype_id type, uint64_t *offset);

#endif
