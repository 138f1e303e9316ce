/* Go types of an executable: one numbered set for all sources (DWARF, the runtime's type table). Id
   0 means "no type". Addresses are link-time addresses. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t gotype_id;

enum gokind { /* as in reflect.Kind */
	          GO_INVALID,
	          GO_BOOL,
	          GO_INT,
	          GO_INT8,
	          GO_INT16,
	          GO_INT32,
	          GO_INT64,
	          GO_UINT,
	          GO_UINT8,
	          GO_UINT16,
	          GO_UINT32,
	          GO_UINT64,
	          GO_UINTPTR,
	          GO_FLOAT32,
	          GO_FLOAT64,
	          GO_COMPLEX64,
	          GO_COMPLEX128,
	          GO_ARRAY,
	          GO_CHAN,
	          GO_FUNC,
	          GO_INTERFACE,
	          GO_MAP,
	          GO_POINTER,
	          GO_SLICE,
	          GO_STRING,
	          GO_STRUCT,
	          GO_UNSAFE_POINTER,
	          GO_KINDS
};

struct gofield {
	const char *name; /* owned by struct gotypes */
	uint64_t offset;
	gotype_id type;
	bool embedded;
};

struct gotype {
	/* complete: "net/http.Request", "map[string]*main.Session"; owned by struct gotypes */
	const char *name;
	uint64_t size;
	enum gokind kind;
	/* element of a pointer, slice, array, chan or map (0: unknown); string: uint8 */
	gotype_id elem;
	gotype_id key; /* key of a map */
	/* map, chan: the struct that the one-word value points to, map header (hash<K,V>, map<K,V>) or
	   hchan<T>, if known; interface: 0 */
	gotype_id header;
	uint64_t count;               /* length of an array */
	uint32_t first_field, fields; /* struct: its fields are [first_field, first_field + fields) */
	bool has_methods;             /* interface: its first word is an itab, not a type */
	uint64_t rtype;               /* address of the runtime's type descriptor; 0: not known */
	/* type of generic code, such as "main.List[go.shape.int]": the only type of the program that
	   uses this code, known once all types are read; 0: several, or not known */
	gotype_id instance;
};

/* The set of types. One thread looks up types by address or name, which may read new ones; existing
   ids never change or move. Malformed files cannot make it inconsistent: fields and elements lie
   within their type, fields do not overlap, so that nesting is finite. */
struct gotypes;

uint32_t gotypes_count(const struct gotypes *types); /* ids are 1 .. count */
const struct gotype *gotype_get(const struct gotypes *types, gotype_id id);
const struct gofield *gotype_field(const struct gotypes *types, uint32_t field);
/* Returns the type whose runtime descriptor is at this address, from DWARF or the type table; 0:
   none. */
gotype_id gotypes_at(struct gotypes *types, uint64_t rtype);
gotype_id gotypes_named(struct gotypes *types, const char *name); /* 0: none */

/* Returns the type of a field, or 0 if there is no field of that name. *offset (may be NULL) is set
   only if there is one. */
gotype_id gotype_field_named(const struct gotypes *types, gotype_id type, const char *name,
                             uint64_t *offset);
/* Returns the bucket or group type from the descriptor of a map; 0 if the map was read from
   DWARF. */
gotype_id gotype_map_slots(const struct gotypes *types, gotype_id map);
/* Returns the bucket or group type from the map's descriptor, whatever source the map was read
   from: the type under which the allocator knows these objects. 0: none. */
gotype_id gotypes_described_slots(struct gotypes *types, gotype_id map);
/* Returns the alignment of values of the type, in bytes. */
uint64_t gotype_align(const struct gotypes *types, gotype_id type);
