/* The entries of a map, in the order of memory, however the runtime keeps them: in buckets of eight
   with chains of others behind them (runtime/map.go, up to Go 1.23) or in groups of eight slots,
   one or many in tables (internal/runtime/maps). Whatever the dump says, a walk ends: a map has no
   more buckets than the heap has room for. */
#ifndef TYPES_GOMAP_H
#define TYPES_GOMAP_H

#include "types/govalue.h"

enum { GOMAP_SLOTS = 8 }; /* of a bucket or group */

/* How a bucket or a group lies in memory; offsets are from its first byte. */
struct gomap_slots {
	gotype_id key, value; /* what they are of; with the pointers to large ones followed */
	uint64_t size;        /* of the bucket */
	uint64_t control;     /* eight bytes, one a slot, that say whether it is in use */
	uint64_t key_at, key_step, value_at, value_step;
	bool key_boxed, value_boxed; /* a pointer is there in its stead */
	uint64_t overflow;           /* the pointer to the next bucket of the chain; UINT64_MAX: none */
	bool swiss;
};

/* False: the type is not that of a bucket or group. */
bool gomap_slots(const struct govalue *in, gotype_id type, struct gomap_slots *slots);

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
bool gomap_slot_at(const struct govalue *in, const struct gomap_slots *slots, uint64_t offset,
                   unsigned *slot, bool *is_value);
/* What is in a slot of the bucket whose bytes are at `bucket` and which is at `address`. */
void gomap_entry_get(const struct govalue *in, const struct gomap_slots *slots,
                     const uint8_t *bucket, uint64_t address, unsigned slot,
                     struct gomap_entry *entry);

/* A walk over a map. A copy of it is a mark to go on from. */
struct gomap {
	const struct govalue *in;
	struct gomap_slots slots;
	uint64_t length;             /* what its header says */
	uint64_t budget;             /* buckets that may still be looked at */
	gotype_id table;             /* of a directory */
	uint64_t array[2], count[2]; /* where buckets are, how many; or [0] a directory */
	bool directory;
	uint64_t next_array;        /* to be looked at when these buckets end */
	uint64_t table_before;      /* in the directory, a table may stand several times */
	bool old;                   /* they are those that the map grows out of */
	struct govalue_piece piece; /* looked at last */
	const uint8_t *data;        /* of the first bucket */
	uint64_t address, buckets;
	uint64_t next_bucket;  /* to be looked at when this one ends */
	const uint8_t *bucket; /* NULL: none */
	uint64_t bucket_address;
	unsigned next_slot;
};

/* Of a header: `type` is that of the memory which a map's only word points to, `data` its `size`
   bytes. False: it is none, or its parts do not hang together. */
bool gomap_start(const struct govalue *in, gotype_id type, const uint8_t *data, uint64_t size,
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

#endif
