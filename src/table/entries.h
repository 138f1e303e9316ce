/* What stands behind keys in one place: the entries of a map, of a sync.Map or a trie, and those in
   its buckets or groups alone. */
#ifndef TABLE_ENTRIES_H
#define TABLE_ENTRIES_H

#include "goruntime/gosync.h"
#include "table/datum.h"

struct entries {
	const struct govalue *in;
	enum { ENTRIES_MAP, ENTRIES_SYNC, ENTRIES_BUCKETS } kind;
	gotype_id key, value; /* what they are of */
	struct gomap map;
	struct gosync sync;
	struct gomap_slots slots;
	struct datum place; /* the bucket that is looked at */
	uint64_t next;      /* entry, or slot */
	uint64_t budget;    /* buckets that may still be looked at */
};

/* `place` is the header of a map, a sync.Map ..., or buckets. False: none of these. `in` is
   borrowed. */
bool entries_open(struct entries *entries, const struct govalue *in, const struct datum *place);
/* False: there are no more. */
bool entries_next(struct entries *entries, struct gomap_entry *entry);
void entries_close(struct entries *entries);

/* The entry whose key is what `text` begins with, with or without its quotes; of several, that with
   the longest key. Goes through all that are left. */
struct entries_match {
	size_t length; /* of the key in the text; 0: there is none */
	size_t equal;  /* so many are written like that; best is the first */
	struct gomap_entry best;
};
void entries_search(struct entries *entries, const char *text, struct entries_match *match);

/* Appends a key as one writes it behind the map, `["session-0042"]`. False: others may be written
   so as well, for the text was cut or the key cannot be told. */
bool entries_add_key(const struct govalue *in, gotype_id type, const struct gomap_part *key,
                     struct buf *out);

#endif
