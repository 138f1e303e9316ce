/* Maps: iterates over entries in memory order, in each implementation of the runtime: buckets of
   eight with overflow chains (up to Go 1.23), or groups of eight slots, alone or in tables. Each
   implementation is a kind in one file (src/go/runtime/gomap_kind.h). A walk always ends, whatever
   the dump contains: a map has no more buckets than the heap has room for. */
#pragma once

#include "go/runtime/probe.h"
#include "go/runtime/struct_view.h"

struct gomap_kind;
enum { GOMAP_SLOTS = 8, GOMAP_KINDS = 2, GOMAP_LAYOUTS = 2 };

/* ---- Buckets and groups */

/* Memory layout of a bucket or group; offsets count from its first byte. */
struct gomap_slots {
	const struct gomap_kind *kind;
	gotype_id key, value; /* types of key and value; for large ones those behind the pointers */
	uint64_t size;        /* bytes of the bucket */
	uint64_t control;     /* eight bytes, one per slot, that say whether it is in use */
	uint64_t key_at, key_step, value_at, value_step;
	bool key_boxed, value_boxed; /* stored as a pointer */
	uint64_t overflow;           /* pointer to the next bucket of the chain; UINT64_MAX: none */
};

/* Reads the layout of a bucket or group type. Returns false if the type is neither. */
bool gomap_slots(const struct goruntime *in, gotype_id type, struct gomap_slots *slots);

/* State of a slot: empty, moved to the new buckets of a growing map, or used. */
enum gomap_use { GOMAP_EMPTY, GOMAP_MOVED, GOMAP_USED };
/* `old`: the bucket is one of the old buckets of a growing map. */
enum gomap_use gomap_slot_use(const struct goruntime *in, const struct gomap_slots *slots,
                              const uint8_t *bucket, unsigned slot, bool old);

/* A key or a value. */
struct gomap_part {
	uint64_t place;      /* address of the value in the slot, or of the pointer to it */
	uint64_t address;    /* address of the value */
	const uint8_t *data; /* its bytes; NULL: not known */
	uint64_t size;       /* number of bytes */
};
struct gomap_entry {
	struct gomap_part key, value;
};

/* Finds the slot that contains a byte of a bucket, and whether the byte is in its value or key.
   Returns false if it is in neither. */
bool gomap_slot_at(const struct goruntime *in, const struct gomap_slots *slots, uint64_t offset,
                   unsigned *slot, bool *is_value);
/* Reads the key and value of a slot. `bucket` are the bytes of the bucket at `address`. */
void gomap_entry_get(const struct goruntime *in, const struct gomap_slots *slots,
                     const uint8_t *bucket, uint64_t address, unsigned slot,
                     struct gomap_entry *entry);

/* ---- Whole maps */

/* Returns the bucket or group type of a map; 0: not known. */
gotype_id gomap_slots_type(const struct gotypes *types, gotype_id map);
/* Reads the number of entries of the map whose header is at an address; its type may be 0. Returns
   false if it is not known. */
bool gomap_length(const struct goruntime *rt, gotype_id type, uint64_t address, uint64_t *length);
/* Returns true for types without a name in the program, between the header of a map or channel and
   its entries. */
bool gomap_is_between(const struct goruntime *rt, gotype_id type);

/* Returns true if objects of the type are parts of a map with another header type: its buckets or
   groups, or auxiliary data of the runtime. */
bool gomap_is_part(const struct goruntime *rt, gotype_id header, gotype_id type);

/* Iterator over a map. A copy can be resumed later. */
struct gomap {
	const struct goruntime *in;
	struct gomap_slots slots;
	uint64_t length;             /* number of entries according to the header */
	uint64_t budget;             /* remaining number of buckets */
	uint64_t arrays, next_array; /* number of bucket arrays; the next one */
	/* Data of the kind: addresses and lengths of arrays; or [0] a directory of tables of type
	   `table` */
	uint64_t array[2], count[2];
	gotype_id table;
	uint64_t table_before;
	bool moved;                  /* entries that were moved to other buckets count, too */
	bool old;                    /* current buckets are the old ones of a growing map */
	struct gomemory_piece piece; /* the last one accessed */
	const uint8_t *data;         /* bytes of the first bucket */
	uint64_t address, buckets;
	uint64_t next_bucket;  /* next one after the current bucket */
	const uint8_t *bucket; /* NULL: none */
	uint64_t bucket_address;
	unsigned next_slot;
};

/* Returns true if a type may be that of a map's header. */
bool gomap_is_header(const struct goruntime *in, gotype_id type);
/* Begins a walk. `type` is the type to which a map's only word points, `data` its `size` bytes.
   Returns false if it is no map header, or inconsistent. */
bool gomap_start(const struct goruntime *in, gotype_id type, const uint8_t *data, uint64_t size,
                 struct gomap *map);
/* Begins a walk over `count` buckets or groups of a type at an address, whose `size` bytes are at
   `data`, and their overflow buckets; includes entries that were moved to other buckets. Returns
   false if the type is neither. */
bool gomap_start_slots(const struct goruntime *in, gotype_id type, uint64_t count, uint64_t address,
                       const uint8_t *data, uint64_t size, struct gomap *map);
/* Returns false at the end. */
bool gomap_next(struct gomap *map, struct gomap_entry *entry);

/* Random access to the entries of a map: saved iterators at regular intervals. */
struct gomap_index {
	struct gomap *marks;
	uint64_t count;  /* number of entries */
	struct gomap at; /* iterator before entry `next` */
	uint64_t next;
	struct gomap_entry last; /* entry next - 1 */
};
/* Walks over the map once. */
void gomap_index_init(struct gomap_index *index, const struct gomap *start);
void gomap_index_fini(struct gomap_index *index);
/* Reads entry n, which must be below index->count. */
void gomap_index_get(struct gomap_index *index, uint64_t n, struct gomap_entry *entry);

/* ---- Without a type: recognized by pointer words and by numbers that must be consistent */

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
	enum gomap_role role; /* role of the object */
	struct {
		enum gomap_role role;
		uint32_t object;
	} other[2]; /* objects to which it refers */
	size_t others;
};
/* Returns false if the object is not recognized as a part of a map. For `pointers` see
   probe_pointers. */
bool gomap_look(const struct gomap_layouts *layouts, const struct probe *object, uint64_t pointers,
                struct gomap_found *found);
