/* The object table: all objects, sorted by address.

   Objects are numbered 0 ... count - 1 in the order of their addresses. A run is a row of equal
   slots of one span, with one bit per slot that says whether it holds an object. A page table has
   the first run of every 8 KiB page, so that any address, interior ones too, is resolved in
   constant time, at a cost of about one byte per object.

   Objects of a log have no addresses: src/heap/log_objects.h stores them, and their names replace
   addresses below; only the exact name finds one.

   Invariants after objects_build: runs are sorted by address and do not overlap; run.first is the
   number of objects in earlier runs. */
#pragma once

#include "base/index_io.h"
#include "format/record.h"
#include "heap/object_ids.h"

#include <stddef.h>

struct objects;

/* Returns an empty table, to be filled by objects_add and objects_build; objects_free frees it. */
struct objects *objects_new(void);
void objects_free(struct objects *objects);

/* Adds an object, in file order. Returns false if it is empty or its end overflows; it is not added
   then. */
bool objects_add(struct objects *objects, const struct object_record *object);

/* Sorts and numbers the objects. Overlapping runs occur only in damaged files: the run with fewer
   objects is dropped, or of two with equal counts the longer one, since an object with a wrong size
   must not hide others. Returns the number of dropped objects. */
uint64_t objects_build(struct objects *objects);

/* Writes the built table to an index, until whose end it must stay, or reads it in place of
   building it: false if the file lacks it. */
bool objects_index(struct objects *objects, const struct index_io *io);

uint32_t objects_count(const struct objects *objects);
uint64_t objects_bytes(const struct objects *objects);                  /* sum of all sizes */
uint32_t objects_find(const struct objects *objects, uint64_t address); /* or OBJECT_NONE */
#define OBJECT_FREE (UINT32_MAX - 1)
/* Finds many objects at once, which hides memory latency; requires objects with addresses. ids[i]
   is the object at addresses[i], OBJECT_NONE if its page has no object, or OBJECT_FREE if the page
   has objects, but not there. */
void objects_find_many(const struct objects *objects, const uint64_t *addresses, uint32_t *ids,
                       size_t count);
struct objects_hit {
	uint32_t object; /* or OBJECT_NONE: `run` is undefined then */
	uint32_t run;
};
/* Like objects_find_many, with the run of each object, see objects_run. */
void objects_locate_many(const struct objects *objects, const uint64_t *addresses,
                         struct objects_hit *hits, size_t count);
/* Returns the address of the slot of a run that contains an address. */
uint64_t objects_slot(const struct objects *objects, uint32_t run, uint64_t address);
/* Returns the program's address of the object whose slot contains an address. */
uint64_t objects_begin(const struct objects *objects, struct objects_hit hit, uint64_t address);
/* The same for an object that contains the address, faster than objects_place. */
uint64_t objects_begin_of(const struct objects *objects, uint32_t id, uint64_t address);
/* Returns true if any object is on the 8 KiB page of the address. */
bool objects_has_page(const struct objects *objects, uint64_t address);

struct object_place {
	uint64_t slot;   /* address of the slot */
	uint64_t size;   /* bytes of the slot */
	unsigned header; /* bytes of the allocation header: the program's address is slot + header */
	uint64_t offset; /* of a record of the same run */
	/* number of consecutive records between that record and the object's, below 64 */
	uint32_t skip;
};
/* Stores what the table knows of an object, without access to the dump. */
void objects_place(const struct objects *objects, uint32_t id, struct object_place *place);
uint64_t objects_size(const struct objects *objects, uint32_t id); /* bytes of the slot */
void objects_place_hit(const struct objects *objects, struct objects_hit hit,
                       struct object_place *place);

/* A run: objects first ... first + count - 1 have this slot size, and consecutive records in this
   order from `offset` on. Runs are sorted by address. */
struct objects_run_view {
	uint64_t slot, size, offset;
	uint64_t stored; /* bytes of each object that are in the file */
	unsigned header;
	uint32_t first, count;
};
/* Returns the run of an object. */
size_t objects_run_of(const struct objects *objects, uint32_t id);
size_t objects_run_count(const struct objects *objects);
void objects_run(const struct objects *objects, size_t run, struct objects_run_view *view);

/* Returns one row per slot size in bytes, ascending; the caller frees it. NULL: no objects. */
struct objects_size_row {
	uint64_t size;
	uint64_t count;
};
struct objects_size_row *objects_sizes(const struct objects *objects, size_t *count);

uint64_t objects_memory(const struct objects *objects); /* memory of the table in bytes */
