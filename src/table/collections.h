/* What a program calls a map, a channel, a slice: each with all of its parts, so that it is counted
   once. Private to src/table. */
#ifndef TABLE_COLLECTIONS_H
#define TABLE_COLLECTIONS_H

#include "analysis/analysis.h"

enum collection_kind {
	COLLECTION_MAP,
	COLLECTION_SLICE,
	COLLECTION_CHAN,
	COLLECTION_SYNC, /* a sync.Map or what is like one */
	COLLECTION_KINDS
};
extern const char *const collection_names[COLLECTION_KINDS]; /* "map", "slice", "chan", "sync.Map"
                                                              */

struct collection {
	enum collection_kind kind;
	uint64_t address; /* of the header, the array, the sync.Map */
	/* The object that this is; of a sync.Map the one that it lies in, OBJECT_NONE: it lies in a
	   variable */
	uint32_t object;
	uint32_t root;     /* that is the word of a sync.Map in a variable; UINT32_MAX: it is in none */
	uint32_t head;     /* of a sync.Map the first object that its words lead to; else the same */
	uint32_t retainer; /* the object that holds all of its parts; OBJECT_NONE: none does */
	uint64_t retained; /* bytes that a sync.Map without a retainer retains; UINT64_MAX: not known */
	gotype_id type;    /* of the header, of an element, of a sync.Map; 0: not known */
	bool has_length, has_capacity, has_waste, has_outside;
	uint64_t length, capacity, waste;
	uint64_t start, end; /* of a slice's array: elements of one window and of those that touch it */
	uint64_t outside;    /* elements in no window that are not zero and may refer to something */
	uint64_t told;  /* of a slice: the capacity that the largest of its headers tells; 0: none */
	uint64_t bytes; /* of all parts that are objects */
	uint64_t parts;
};

struct collections {
	struct collection *item;
	size_t count, capacity;
};

/* Those that roots lead to, of the kinds whose bits are set: maps, channels, then slices, each in
   the order of their addresses. After STAGE_TYPED and STAGE_REACHED. False: cancelled. */
bool collections_find(struct collections *found, const struct analysis *analysis, unsigned kinds,
                      struct progress *progress);
void collections_fini(struct collections *found);
/* Fills `retained` of each sync.Map that has no retainer. After STAGE_DOMINATED. */
void collections_find_retained(struct collections *found, const struct analysis *analysis);
/* "map[string]int", "[]byte"; without a type what it looks like. */
void collection_add_type(const struct analysis *analysis, const struct collection *item,
                         struct buf *out);

/* ---- What the passes share */

struct collections_search {
	const struct analysis *analysis;
	const struct heap *heap;
	const struct typing *typing;     /* NULL: without an executable */
	const struct gotypes *types;     /* the same */
	const struct goruntime *runtime; /* the same */
	unsigned kinds;
	struct collections *found;
	uint32_t *of;    /* by object: 0, COLLECTION_PART, or 1 + the index of what it is */
	uint32_t *queue; /* of a walk from part to part */
	size_t queued, queue_capacity;
	struct progress *progress;
	struct object_reader reader; /* of those that are looked at in their order */
};
#define COLLECTION_PART UINT32_MAX

/* What begins with an object of a type, 0 if that is not known; it has no parts yet. */
struct collection collections_begin(const struct collections_search *search,
                                    enum collection_kind kind, uint32_t object, gotype_id type);
struct collection *collections_add(struct collections_search *search, struct collection item);
/* Does it count, and nothing else has it? */
bool collections_is_free(const struct collections_search *search, uint32_t object);
/* One more part of a collection. */
void collections_add_part(struct collections_search *search, struct collection *item,
                          uint32_t object);

/* By types, by labels; slices come when maps and channels have taken their parts. */
void collections_look_at_object(struct collections_search *search, uint32_t object);
void collections_look_at_label(struct collections_search *search, uint32_t object);
void collections_add_sync(struct collections_search *search, struct collection item,
                          const uint8_t *data, uint64_t room);
bool collections_find_slices(struct collections_search *search);

#endif
