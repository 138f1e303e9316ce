/* The entries of a sync.Map: up to Go 1.23 two maps of pointers to values, then a trie of hashes,
   which other packages use as well (sync/map.go, internal/sync/hashtriemap.go). */
#ifndef GORUNTIME_GOSYNC_H
#define GORUNTIME_GOSYNC_H

#include "goruntime/gomap.h"

struct gosync_entry {
	uint64_t key, value; /* where they are */
};

struct gosync {
	gotype_id key, value; /* what they are of; 0: there is no entry */
	struct gosync_entry *entries;
	size_t count;
	bool more; /* there are others, which are not known or beyond the limit */
};

/* What the type of that full name is. */
enum gosync_role {
	GOSYNC_NONE,
	GOSYNC_MAP, /* a sync.Map or a trie */
	GOSYNC_PART /* what these keep on the heap, which a program does not name */
};
enum gosync_role gosync_role(const char *name);
/* The entries of a map or of a part, whose bytes are at `data`: of a node of a trie, those under
   it. The caller frees them. No more than `limit` entries and nodes are looked at. False: it is
   neither. */
bool gosync_read(const struct goruntime *in, gotype_id type, const uint8_t *data, uint64_t size,
                 uint64_t limit, struct gosync *map);
void gosync_free(struct gosync *map);
/* A key or value at an address. */
struct gomap_part gosync_part(const struct goruntime *in, gotype_id type, uint64_t address);
/* The n-th, n < count. */
struct gomap_entry gosync_get(const struct goruntime *in, const struct gosync *map, size_t n);

/* An entry of a trie is an object: the types of its key and its value, and where they are in it.
   False: the type is not that of one. */
struct gosync_slot {
	gotype_id key, value;
	uint64_t key_at, value_at;
};
bool gosync_slot(const struct gotypes *types, gotype_id type, struct gosync_slot *slot);

/* Is an object of the type one that a sync.Map or a trie keeps its entries in? */
bool gosync_is_part(const struct goruntime *rt, gotype_id type);

/* The word by which a sync.Map or a trie holds its entries, as an offset. False: it is none. */
bool gosync_pointer(const struct gotypes *types, gotype_id type, uint64_t *offset);

#endif
