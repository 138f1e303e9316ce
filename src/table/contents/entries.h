/* An iterator over keys and values: the entries of a map, of a sync.Map or a trie, or only those in
   given buckets or groups. */
#pragma once

#include "go/runtime/gosync.h"
#include "table/contents/datum.h"

struct entries {
	const struct govalue *in;
	gotype_id key, value; /* the types */
	bool is_map;          /* a map or its buckets; else `sync` */
	struct gomap map;
	struct gosync sync;
	size_t next; /* index of the next entry of `sync` */
};

/* Begins with `place`, the header of a map, a sync.Map ..., or buckets. False: it is none of these.
   `in` is borrowed. */
bool entries_open(struct entries *entries, const struct govalue *in, const struct datum *place);
/* Stores the next entry. False: there are no more. */
bool entries_next(struct entries *entries, struct gomap_entry *entry);
void entries_close(struct entries *entries);

/* The entry whose key is a prefix of `text`, with or without its quotes; the longest such key if
   there are several. The search consumes all remaining entries. */
struct entries_match {
	size_t length; /* of the key in the text; 0: there is none */
	size_t equal;  /* number of keys with the same text; best is the first */
	struct gomap_entry best;
};
void entries_search(struct entries *entries, const char *text, struct entries_match *match);

/* Appends a key as a step: `["session-0042"]`. False: the text may not be unique, because it is
   truncated or the key has no text. */
bool entries_add_key(const struct govalue *in, gotype_id type, const struct gomap_part *key,
                     struct buf *out);
