/* What is in an object, as rows: the entries of a map, and nothing else of it; what waits in a
   channel, the fields that its type has, the words and bytes of which no type tells, the entries of
   those of its fields that are maps of package sync. */
#ifndef TABLE_CONTENTS_H
#define TABLE_CONTENTS_H

#include "table/chan_rows.h"
#include "table/datum.h"
#include "table/nested_maps.h"
#include "table/raw_words.h"

struct contents {
	struct govalue in;
	struct object_record record;
	bool is_map, is_channel; /* its first rows are what is in it */
	bool is_sync;            /* a map, and one of package sync */
	struct gomap_index map;
	struct gosync sync;
	struct chan_rows queue;
	struct typed_fields members;
	struct raw_words words;
	struct nested_maps embedded;
	uint64_t first; /* rows of a map or channel */
	uint64_t count; /* of all rows */
};

/* `record` is that of the object. */
void contents_init(struct contents *contents, const struct analysis *analysis, uint32_t object,
                   const struct object_record *record);
/* The entries of a sync.Map that lies in a variable or within an object, and no other rows. False:
   `value` is no sync.Map; nothing is to be freed then. */
bool contents_init_sync(struct contents *contents, const struct analysis *analysis,
                        const struct datum *value);
void contents_fini(struct contents *contents);
/* Appends the name of row n < contents->count, nothing where it has none. */
void contents_get(struct contents *contents, uint64_t n, struct field *field, struct buf *name);
/* Appends what a row says: its value, text that it points to, characters. */
void contents_add_text(const struct contents *contents, const struct field *field, struct buf *out);

#endif
