/* The maps, channels and slices of a program, each with all of its parts, so that it counts once.
   Private to src/table. */
#pragma once

#include "analysis/object_walk.h"
#include "go/types/type_marks.h"
#include "table/cell.h"

enum collection_kind {
	COLLECTION_MAP,
	COLLECTION_SLICE,
	COLLECTION_CHAN,
	COLLECTION_SYNC, /* a sync.Map or a similar type */
	COLLECTION_KINDS
};
extern const char *const collection_names[COLLECTION_KINDS]; /* "map", "slice", "chan", "sync.Map"
                                                              */

struct collection {
	enum collection_kind kind;
	uint64_t address; /* of the header, the array, or the sync.Map */
	/* The header or array; of a sync.Map the object that contains it, OBJECT_NONE: it is in a
	   variable */
	uint32_t object;
	uint32_t root; /* word of a sync.Map in a variable; UINT32_MAX: it is in none */
	uint32_t head; /* of a sync.Map the first object that its words reference; else like `object` */
	uint32_t retainer; /* the object that retains all parts; OBJECT_NONE: none does */
	uint64_t retained; /* bytes retained by a sync.Map without a retainer; UINT64_MAX: unknown */
	gotype_id type;    /* of the header, an element, or the sync.Map; 0: unknown */
	bool has_length, has_capacity, has_waste, has_outside;
	uint64_t length, capacity, waste;
	/* of a slice's array: elements of one window, extended by those that overlap it */
	uint64_t start, end;
	uint64_t outside; /* elements in no window that are not zero and may hold references */
	uint64_t told;    /* of a slice: the largest capacity in its headers, or UINT32_MAX; 0: none */
	uint64_t bytes;   /* of all parts that are objects */
	uint64_t parts;
};

/* The elements of an array that a slice covers. */
struct slice_window {
	size_t item; /* index in collections->item */
	uint64_t start, end;
};

struct collections {
	struct collection *item;
	size_t count, capacity;
	struct slice_window *window; /* by item, then by start; they may overlap */
	size_t windows;
};

/* Stores the reachable collections of the kinds whose bits are set and, if `wants` is not NULL,
   only those that it returns true for: maps, channels, then slices, each by address. Copies of a
   cached result. collections_find_windows stores slices with their windows. After STAGE_TYPED and
   STAGE_REACHED. False: cancelled. */
#define COLLECTIONS_ALL ((1U << COLLECTION_KINDS) - 1)
typedef bool collection_wants(void *self, const struct collection *item);
bool collections_find(struct collections *found, const struct analysis *analysis, unsigned kinds,
                      collection_wants *wants, void *self, struct progress *progress);
bool collections_find_windows(struct collections *found, const struct analysis *analysis,
                              collection_wants *wants, void *self, struct progress *progress);
void collections_fini(struct collections *found);

/* All collections of the kinds whose bits are set, as rows of a table, with the retained bytes of
   each sync.Map. After STAGE_DOMINATED. NULL: cancelled. */
struct collection_list;
struct collection_list *collection_list_new(const struct analysis *analysis, unsigned kinds,
                                            struct progress *progress, size_t *rows);
void collection_list_free(struct collection_list *list);
/* Returns the collection of a row, until this thread asks for the next one. */
const struct collection *collection_list_row(const struct collection_list *list, size_t row);

/* Sets `retained` of each sync.Map that has no retainer. After STAGE_DOMINATED. */
void collections_find_retained(struct collections *found, const struct analysis *analysis);
/* Returns the code of its type; collection_type_cell fills a cell with the text of a code:
   "map[string]int" or "[]byte"; without a type, the label that describes the contents. */
uint64_t collection_type_code(const struct analysis *analysis, const struct collection *item);
void collection_type_cell(const struct analysis *analysis, uint64_t code, struct value *value);

/* ---- Shared by the passes */

struct collections_search {
	const struct analysis *analysis;
	const struct heap *heap;
	const struct reach *reach;
	const struct typing *typing;     /* NULL: without an executable */
	const struct gotypes *types;     /* NULL without an executable */
	const struct goruntime *runtime; /* NULL without an executable */
	struct buf packed;               /* those found, see collections_add */
	uint32_t last;                   /* of the last one of these: its object */
	gotype_id last_type;             /* and its type */
	struct collection usual; /* collection_usual() of the last that began; 0 parts: none did */
	uint32_t *of;    /* by object: 0, COLLECTION_PART, or of an array 1 + its number (slices) */
	uint32_t *queue; /* parts whose references are to be followed */
	size_t queued, queue_capacity;
	struct object_reader reader;      /* for objects examined in order */
	struct collection_slices *slices; /* NULL without an executable */
};
#define COLLECTION_PART UINT32_MAX

/* Returns a collection without parts that begins with an object of a type, 0: unknown. */
struct collection collections_begin(struct collections_search *search, enum collection_kind kind,
                                    uint32_t object, gotype_id type);
/* Appends a finished collection with its windows to those found. */
void collections_add(struct collections_search *search, const struct collection *item,
                     const struct slice_window *window, size_t windows);
/* Returns true if the object is reachable and belongs to no collection yet. */
bool collections_is_free(const struct collections_search *search, uint32_t object);
/* Adds a part to a collection. */
void collections_add_part(struct collections_search *search, struct collection *item,
                          uint32_t object);

/* Returns true if objects of a type may be headers of maps or channels. */
bool collections_is_header(const struct collections_search *search, gotype_id type);
/* Search by types, by labels; slices are searched once maps and channels have their parts. */
void collections_look_at_header(struct collections_search *search, uint32_t object);
void collections_look_at_label(struct collections_search *search, uint32_t object);
/* Adds the parts of a sync.Map to it. False: it has none. */
bool collections_fill_sync(struct collections_search *search, struct collection *item,
                           const uint8_t *data, uint64_t room);

/* The search for slices, see struct object_walker: all but `begin`. */
struct collection_slices *collection_slices_new(struct collections_search *search);
bool collection_slices_wants(struct collection_slices *slices, gotype_id type);
void collection_slices_see(struct collection_slices *slices, struct walk_object *object);
/* Looks at variables, adds up the windows, and frees the search. */
void collection_slices_end(struct collection_slices *slices);
