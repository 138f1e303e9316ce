/* What a dump and the executable of its program tell together of the program that ran: its memory,
   its types, and what Go's runtime and package sync keep on the heap. Each structure of these is in
   one file (gomap_buckets, gomap_swiss, gochan, gosudog, gosync, gosync_trie, sync_pools, gotimer,
   goiface): how it lies in memory in each version, with debug information and without, what is in
   it and what it points to. Nothing outside of this folder knows a field of them. */
#ifndef GORUNTIME_GORUNTIME_H
#define GORUNTIME_GORUNTIME_H

#include "base/index_file.h"
#include "base/map.h"
#include "exe/gotypes.h"
#include "goruntime/gomemory.h"
#include "heap/region.h"

/* Made by one thread, which may read new types meanwhile. After goruntime_settle nothing in it
   changes any more, so that any thread may ask. */
struct goruntime {
	const struct heap *heap;
	struct gotypes *types;
	/* What the dump's addresses are above the executable's, and those of global variables. */
	uint64_t bias, data_bias;
	struct map itabs; /* itab -> type descriptor */
	/* From goruntime_settle: */
	struct map dynamic;    /* type descriptor of the dump -> type */
	struct map containers; /* header, bucket, group -> type of the map or channel */
	struct map nodes;      /* node of a trie -> type of an entry there << 32 | of an inner node */
};

/* Both are borrowed; types learn what is behind maps and channels, so that none of those may have
   been asked for before. */
void goruntime_init(struct goruntime *rt, const struct heap *heap, struct gotypes *types,
                    uint64_t bias, uint64_t data_bias);
/* Reads all types there are. */
void goruntime_settle(struct goruntime *rt);
void goruntime_fini(struct goruntime *rt);
/* Into an index, once settled, and from there instead of settling it. False: the file has none. */
void goruntime_save(const struct goruntime *rt, struct index_writer *writer);
bool goruntime_load(struct goruntime *rt, struct index_file *file);

/* What the runtime keeps behind maps and channels, for executables that do not describe it. */
extern const struct gotypes_runtime goruntime_types;

/* The map or channel type that a type is the header of, or a bucket or group of; 0: none. */
gotype_id goruntime_container(const struct goruntime *rt, gotype_id type);

/* `count` values of a type at an address of the dump. */
struct pointee {
	uint64_t address;
	gotype_id type;
	uint64_t count;
};
enum { POINTEES = 2 };

/* A value of a type in a region, from an offset on. */
struct goruntime_place {
	const struct goruntime *rt;
	const struct regions *regions;
	const struct region *region;
	uint64_t offset;
	gotype_id type;
};

/* A type that says more than its fields do: which field counts the elements of which, what an
   untyped pointer leads to. */
struct goruntime_struct {
	const char *name; /* names of such types begin so */
	/* It says of what a map is: the runtime has types of its own for its parts, which do not. */
	bool tells_map;
	/* What one leads to beside what its fields tell. Returns how many. May read new types. */
	size_t (*points_to)(const struct goruntime_place *at, struct pointee out[POINTEES]);
};
/* NULL: the type is none of these. */
const struct goruntime_struct *goruntime_struct_of(const struct gotype *type);

/* Is the full name of a type the known one? That ends in [ where arguments follow. */
bool goruntime_is_named(const char *name, const char *known);

#endif
