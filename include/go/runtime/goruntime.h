/* Knowledge from a dump and the executable of its program: memory, types, and the data structures
   of the Go runtime and package sync on the heap. Each structure has its own file (gomap_buckets,
   gomap_swiss, gochan, gosudog, gosync, gosync_trie, sync_pools, gotimer, goiface): its layout in
   each version, with and without debug information, its content and its pointers. No code outside
   of this folder knows their fields. */
#pragma once

#include "base/index_io.h"
#include "base/map.h"
#include "go/exe/gotypes.h"
#include "go/runtime/gomemory.h"
#include "heap/region.h"

/* Built by one thread, which may read new types meanwhile. After goruntime_settle it is immutable,
   and any thread may read it. */
struct goruntime {
	const struct heap *heap;
	struct gotypes *types;
	/* Load biases: process address minus link-time address, and the same for global variables. */
	uint64_t bias, data_bias;
	struct map itabs; /* itab -> type descriptor */
	/* set by goruntime_settle */
	struct map dynamic;    /* address of a type descriptor in the dump -> type */
	struct map containers; /* header, bucket or group type -> map or channel type */
	struct map nodes;      /* node type of a trie -> entry type << 32 | inner node type */
};

/* Initializes *rt; borrows both. Registers the runtime's map and channel structs in `types`, so no
   map or channel type may have been read before. */
void goruntime_init(struct goruntime *rt, const struct heap *heap, struct gotypes *types,
                    uint64_t bias, uint64_t data_bias);
/* Reads all types. */
void goruntime_settle(struct goruntime *rt);
void goruntime_fini(struct goruntime *rt);
/* Writes settled data to an index, or reads it in place of goruntime_settle: false if the file
   lacks it. */
bool goruntime_index(struct goruntime *rt, const struct index_io *io);

/* The structs behind maps and channels, for executables without debug information. */
extern const struct gotypes_runtime goruntime_types;

/* Returns the map or channel type of a header, bucket or group type; 0: none. */
gotype_id goruntime_container(const struct goruntime *rt, gotype_id type);

/* `count` values of a type at an address in the dump. */
struct pointee {
	uint64_t address;
	gotype_id type;
	uint64_t count;
};
enum { POINTEES = 2 };

/* A value of a type at an offset in a region. */
struct goruntime_place {
	const struct goruntime *rt;
	const struct regions *regions;
	const struct region *region;
	uint64_t offset;
	gotype_id type;
};

/* Describes a type whose fields alone do not determine its pointers: the length of an array is in
   another field, or a pointer has no type. */
struct goruntime_struct {
	const char *name; /* prefix of the names of such types */
	/* It determines the type of a map, unlike other types that the runtime uses for parts of
	   maps. */
	bool tells_map;
	/* Adds pointers that are not described by the fields. Returns their number. May read new
	   types. */
	size_t (*points_to)(const struct goruntime_place *at, struct pointee out[POINTEES]);
};
/* Returns NULL if the type is none of these. */
const struct goruntime_struct *goruntime_struct_of(const struct gotype *type);

/* Returns true if a full type name matches `known`, which ends in [ if type arguments follow. */
bool goruntime_is_named(const char *name, const char *known);
