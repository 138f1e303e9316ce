/* The contents of an object, as rows. A map has only its entries. For other objects: the elements
   and waiters of a channel, then the fields of the type, then words and bytes that no type covers,
   then the entries of those fields that are maps of package sync. */
#pragma once

#include "go/runtime/gochan.h"
#include "table/contents/datum.h"
#include "table/contents/nested_maps.h"
#include "table/contents/raw_words.h"

/* The rows of a channel: its elements in the order in which they are received, then the threads
   that wait. */
struct chan_rows {
	const struct govalue *in;
	struct gochan chan;
	struct chan_rows_waiter {
		const struct thread *thread; /* NULL: the dump has no record of it */
		uint64_t address;            /* of its record in memory */
		bool sends;
	} * waiters;
	size_t waiter_count, waiter_capacity;
};

/* Initializes the rows of a channel from its header. False: `data` is not a channel's header. */
bool chan_rows_init(struct chan_rows *rows, const struct govalue *in, gotype_id type,
                    const uint8_t *data, uint64_t size);
void chan_rows_fini(struct chan_rows *rows);
uint64_t chan_rows_count(const struct chan_rows *rows);
void chan_rows_get(const struct chan_rows *rows, uint64_t n, struct field *field, struct buf *name);

struct contents {
	struct govalue in;
	uint32_t object; /* that contains what is shown; OBJECT_NONE: outside of the heap */
	struct object_record record;
	bool is_map, is_channel; /* its elements or entries are the first rows */
	bool is_sync;            /* a map of package sync */
	struct gomap_index map;
	struct gosync sync;
	struct chan_rows queue;
	struct typed_fields members;
	struct raw_words words;
	struct nested_maps embedded;
	uint64_t first; /* rows of a map or channel */
	uint64_t count; /* number of all rows */
};

/* Initializes the rows of an object; `record` is its record. The caller calls contents_fini. */
void contents_init(struct contents *contents, const struct analysis *analysis, uint32_t object,
                   const struct object_record *record);
/* Initializes the rows of a value of known type that is a part of an object. */
void contents_init_value(struct contents *contents, const struct analysis *analysis,
                         const struct datum *value);
/* Initializes the entries of a sync.Map that is a variable or a part of an object; there are no
   other rows. False: `value` is no sync.Map, and there is nothing to free. */
bool contents_init_sync(struct contents *contents, const struct analysis *analysis,
                        const struct datum *value);
void contents_fini(struct contents *contents);
/* Stores row n < contents->count and appends its name, if it has one. */
void contents_get(struct contents *contents, uint64_t n, struct field *field, struct buf *name);
/* Returns how surely the type of a row that contents_get stored is known. */
enum type_known contents_known(const struct contents *contents, const struct field *field);
/* Stores the struct or array that is the entry or element of row n. False: it is no such row. */
bool contents_part(struct contents *contents, uint64_t n, struct datum *part);
/* Appends the content of a row: its value, the text that it points to, characters. */
void contents_add_text(const struct contents *contents, const struct field *field, struct buf *out);
