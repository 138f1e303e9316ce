/* Entries of a sync.Map: two maps of pointers to values up to Go 1.23, then a hash trie, which
   other packages use, too (sync/map.go, internal/sync/hashtriemap.go). */
#pragma once

#include "go/runtime/gomap.h"

struct gosync_entry {
	uint64_t key, value; /* addresses */
};

struct gosync {
	gotype_id key, value; /* types; 0: no entry */
	struct gosync_entry *entries;
	size_t count;
	bool more; /* there are more entries, unknown or beyond the limit */
};

/* Role of a type by its full name. */
enum gosync_role {
	GOSYNC_NONE,
	GOSYNC_MAP, /* a sync.Map or a trie */
	GOSYNC_PART /* internal objects of these, which the program does not name */
};
enum gosync_role gosync_role(const char *name);
/* Reads the entries of a map or a part, whose `size` bytes are at `data`; for a trie node those
   below it. The caller frees them with gosync_free. Visits at most `limit` entries and nodes.
   Returns false if the type is neither. */
bool gosync_read(const struct goruntime *in, gotype_id type, const uint8_t *data, uint64_t size,
                 uint64_t limit, struct gosync *map);
void gosync_free(struct gosync *map);
/* Stores the number of entries of a map, or of those below the topmost node of a trie. Returns
   false for other types, and if not all entries are known. */
bool gosync_length(const struct goruntime *in, gotype_id type, uint64_t address, uint64_t *length);
/* Returns the address of the node above an inner node of a trie; 0: there is none, as for the
   topmost node, or it is no such node. */
uint64_t gosync_above(const struct goruntime *in, gotype_id type, uint64_t address);
/* Returns the key or value at an address. */
struct gomap_part gosync_part(const struct goruntime *in, gotype_id type, uint64_t address);
/* Returns the n-th entry, n < count. */
struct gomap_entry gosync_get(const struct goruntime *in, const struct gosync *map, size_t n);

/* An entry of a trie: types and offsets of its key and value. gosync_slot returns false if the type
   is no entry. */
struct gosync_slot {
	gotype_id key, value;
	uint64_t key_at, value_at;
};
bool gosync_slot(const struct gotypes *types, gotype_id type, struct gosync_slot *slot);

/* Returns true if objects of the type are internal to a sync.Map or trie. */
bool gosync_is_part(const struct goruntime *rt, gotype_id type);

/* Returns the offset of the word through which a sync.Map or trie refers to its entries. Returns
   false for other types. */
bool gosync_pointer(const struct gotypes *types, gotype_id type, uint64_t *offset);
