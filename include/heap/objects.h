/* The object table: which objects there are, by address.

   Objects are numbered 0 .. count-1 in the order of their addresses. A run is a row of equal slots
   of one span; a bit a slot says which of them are objects. A page table gives the first run of
   every 8 KiB page, so that any address, interior ones too, gives its object in constant time, at
   about one byte an object.

   Objects that a log lists have no addresses: src/heap/log_objects.h has them, and their names take
   the place of addresses in all that follows; only the name itself finds one.

   Invariants once built: runs are sorted by address and do not overlap; run.first is the number
   of objects in the runs before it. */
#ifndef HEAP_OBJECTS_H
#define HEAP_OBJECTS_H

#include "base/index_file.h"
#include "format/record.h"

#include <stddef.h>

#define OBJECT_NONE UINT32_MAX

struct objects;

struct objects *objects_new(void);
void objects_free(struct objects *objects);

/* While building, in file order. False: the object has no bytes, or its end wraps around; it is not
   added. */
bool objects_add(struct objects *objects, const struct object_record *object);

/* Sorts and numbers. Where runs overlap, which only a damaged file does, the one with fewer objects
   is dropped, and of two with as many the one that reaches further: an object that lies about its
   size must not swallow others. Returns how many objects were dropped. */
uint64_t objects_build(struct objects *objects);

/* What objects_build has made, into an index (base/index_file.h) and from there, in the stead of
   all that; false: it has none. The table must stay until the index is written. */
void objects_save(const struct objects *objects, struct index_writer *writer);
bool objects_load(struct objects *objects, struct index_file *file);

uint32_t objects_count(const struct objects *objects);
uint64_t objects_bytes(const struct objects *objects);                  /* sum of all sizes */
uint32_t objects_find(const struct objects *objects, uint64_t address); /* or OBJECT_NONE */
/* Many at once, in a dump with addresses, which hides the waits for memory: ids[i] is the object of
   addresses[i], OBJECT_NONE when no object is on its page, OBJECT_FREE when one is but not there.
 */
#define OBJECT_FREE (UINT32_MAX - 1)
void objects_find_many(const struct objects *objects, const uint64_t *addresses, uint32_t *ids,
                       size_t count);
/* The same with the run of each that is an object, see objects_run. */
struct objects_hit {
	uint32_t object; /* or OBJECT_NONE: `run` says nothing */
	uint32_t run;
};
void objects_locate_many(const struct objects *objects, const uint64_t *addresses,
                         struct objects_hit *hits, size_t count);
/* The first byte of the slot of a run that an address lies in. */
uint64_t objects_slot(const struct objects *objects, uint32_t run, uint64_t address);
/* Where what the program sees of the object begins, in whose slot the address lies. */
uint64_t objects_begin(const struct objects *objects, struct objects_hit hit, uint64_t address);
/* Is any object on the 8 KiB page of this address? */
bool objects_has_page(const struct objects *objects, uint64_t address);

/* What the table knows of one object, without looking into the dump. */
struct object_place {
	uint64_t slot;   /* first byte */
	uint64_t size;   /* of the slot */
	unsigned header; /* the program's address is slot + header */
	uint64_t offset; /* of a record of the same run */
	uint32_t skip;   /* how many object records after that one, without a gap, is this object's:
	                    below 64 */
};
void objects_place(const struct objects *objects, uint32_t id, struct object_place *place);
uint64_t objects_size(const struct objects *objects, uint32_t id); /* of the slot */
void objects_place_hit(const struct objects *objects, struct objects_hit hit,
                       struct object_place *place);

/* The runs, by address: the objects first ... first + count - 1 have this slot size, and their
   records stand in this order and without gaps from `offset` on. */
struct objects_run_view {
	uint64_t slot, size, offset;
	uint64_t stored; /* of each object, bytes that are in the file */
	unsigned header;
	uint32_t first, count;
};
/* The run that an object is of */
size_t objects_run_of(const struct objects *objects, uint32_t id);
size_t objects_run_count(const struct objects *objects);
void objects_run(const struct objects *objects, size_t run, struct objects_run_view *view);

/* Sizes: one row a slot size, in bytes, ascending; to be freed. NULL: there are no objects. */
struct objects_size_row {
	uint64_t size;
	uint64_t count;
};
struct objects_size_row *objects_sizes(const struct objects *objects, size_t *count);

uint64_t objects_memory(const struct objects *objects); /* bytes that the table takes */

#endif
