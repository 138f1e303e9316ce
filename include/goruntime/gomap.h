/* Maps: their entries in the order of memory, however the runtime keeps them: in buckets of eight
   with chains of others behind them (up to Go 1.23) or in groups of eight slots, one or many in
   tables. Each way is one file (src/goruntime/gomap_kind.h). Whatever the dump says, a walk ends: a
   map has no more buckets than the heap has room for. */
#ifndef GORUNTIME_GOMAP_H
#define GORUNTIME_GOMAP_H

#include "goruntime/probe.h"
#include "goruntime/struct_view.h"

struct gomap_kind;
enum { GOMAP_SLOTS = 8, GOMAP_KINDS = 2, GOMAP_LAYOUTS = 2 };

/* ---- Buckets and groups */

/* How a bucket or a group lies in memory; offsets are from its first byte. */
struct gomap_slots {
	const struct gomap_kind *kind;
	gotype_id key, value; /* what they are of; with the pointers to large ones followed */
	uint64_t size;        /* of the bucket */
	uint64_t control;     /* eight bytes, one a slot, that say whether it is in use */
	uint64_t key_at, key_step, value_at, value_step;
	bool key_boxed, value_boxed; /* a pointer is there in its stead */
	uint64_t overflow;           /* the pointer to the next bucket of the chain; UINT64_MAX: none */
};

/* False: the type is not that of a bucket or group. */
bool gomap_slots(const struct goruntime *in, gotype_id type, struct gomap_slots *slots);

/* What is in a slot: nothing, what was moved to where the map grows, an entry. */
enum gomap_use { GOMAP_EMPTY, GOMAP_MOVED, GOMAP_USED };
/* `old`: the bucket is one that the map grows out of. */
enum gomap_use gomap_slot_use(const struct goruntime *in, const struct gomap_slots *slots,
                              const uint8_t *bucket, unsigned slot, bool old);

/* A key or a value. */
struct gomap_part {
	uint64_t place;      /* where it, or the pointer to it, stands */
	uint64_t address;    /* where it is */
	const uint8_t *data; /* its bytes, NULL where they are not known */
	uint64_t size;       /* of them */
};
struct gomap_entry {
	struct gomap_part key, value;
};

/* The slot that a byte of a bucket is of, and whether it is of the value there or of the key.
   False: it is of neither. */
bool gomap_slot_at(const struct goruntime *in, const struct gomap_slots *slots, uint64_t offset,
                   unsigned *slot, bool *is_value);
/* What is in a slot of the bucket whose bytes are at `bucket` and which is at `address`. */
void gomap_entry_get(const struct goruntime *in, const struct gomap_slots *slots,
                     const uint8_t *bucket, uint64_t address, unsigned slot,
                     struct gomap_entry *entry);

/* ---- Whole maps */

/* The type of a map's buckets or groups; 0: not known. */
gotype_id gomap_slots_type(const struct gotypes *types, gotype_id map);
/* How many entries the map has whose header is at an address; the type of that may be 0. False:
   that is not known. */
bool gomap_length(const struct goruntime *rt, gotype_id type, uint64_t address, uint64_t *length);
/* Does the type stand between a map or a channel and its entries, without a name of its own? */
bool gomap_is_between(const struct goruntime *rt, gotype_id type);

/* Is an object of the type part of a map with a header of another type: its buckets or groups, or
   what the runtime keeps beside them? */
bool gomap_is_part(const struct goruntime *rt, gotype_id header, gotype_id type);

/* A walk over a map. A copy of it is a mark to go on from. */
struct gomap {
	const struct goruntime *in;
	struct gomap_slots slots;
	uint64_t length;             /* what its header says */
	uint64_t budget;             /* buckets that may still be looked at */
	uint64_t arrays, next_array; /* of buckets; to be looked at when these end */
	/* What its kind knows: where arrays are, how many buckets they have; or [0] a directory of
	   tables of a type */
	uint64_t array[2], count[2];
	gotype_id table;
	uint64_t table_before;
	bool old;                    /* these buckets are those that the map grows out of */
	struct gomemory_piece piece; /* looked at last */
	const uint8_t *data;         /* of the first bucket */
	uint64_t address, buckets;
	uint64_t next_bucket;  /* to be looked at when this one ends */
	const uint8_t *bucket; /* NULL: none */
	uint64_t bucket_address;
	unsigned next_slot;
};

/* Of a header: `type` is that of the memory which a map's only word points to, `data` its `size`
   bytes. False: it is none, or its parts do not hang together. */
bool gomap_start(const struct goruntime *in, gotype_id type, const uint8_t *data, uint64_t size,
                 struct gomap *map);
/* False: there are no more. */
bool gomap_next(struct gomap *map, struct gomap_entry *entry);

/* The n-th entry of a map without a walk from its start. */
struct gomap_index {
	struct gomap *marks;
	uint64_t count;  /* of entries */
	struct gomap at; /* before entry `next` */
	uint64_t next;
	struct gomap_entry last; /* entry next - 1 */
};
/* Walks once over the map. */
void gomap_index_init(struct gomap_index *index, const struct gomap *start);
void gomap_index_fini(struct gomap_index *index);
/* n must be below index->count. */
void gomap_index_get(struct gomap_index *index, uint64_t n, struct gomap_entry *entry);

/* ---- Without a type: by where pointers are and by numbers that must agree */

struct gomap_layouts {
	struct layout_places of[GOMAP_KINDS][GOMAP_LAYOUTS];
};
void gomap_layouts_init(struct gomap_layouts *layouts, unsigned width);

enum gomap_role {
	GOMAP_NONE,
	GOMAP_HEADER,
	GOMAP_BUCKETS,
	GOMAP_GROUPS,
	GOMAP_TABLE,
	GOMAP_DIRECTORY,
	GOMAP_ROLES
};
struct gomap_found {
	enum gomap_role role; /* what the object is */
	struct {
		enum gomap_role role;
		uint32_t object;
	} other[2]; /* what it leads to */
	size_t others;
};
/* False: it is no part of a map that tells itself. `pointers` as probe_pointers. */
bool gomap_look(const struct gomap_layouts *layouts, const struct probe *object, uint64_t pointers,
                struct gomap_found *found);

#endif
