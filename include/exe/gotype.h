/* Go types as an executable tells them: one universe, whoever tells a type (DWARF, the runtime's
   own type table). Types are numbered; 0 is "no type". Addresses are link-time addresses of the
   executable. */
#ifndef EXE_GOTYPE_H
#define EXE_GOTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t gotype_id;

enum gokind { /* reflect.Kind */
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
	const char *name; /* owned by the universe */
	uint64_t offset;
	gotype_id type;
	bool embedded;
};

struct gotype {
	const char *name; /* full: "net/http.Request", "map[string]*main.Session"; owned by the universe
	                   */
	uint64_t size;
	enum gokind kind;
	gotype_id elem; /* pointer, slice, array, chan, map: element (0: unknown); string: uint8 */
	gotype_id key;  /* map */
	/* map, chan: the type of what the one-word value points to: map header (hash<K,V>, map<K,V>),
	   hchan<T>, where known; interface: 0 */
	gotype_id header;
	uint64_t count;               /* array */
	uint32_t first_field, fields; /* struct: universe fields [first_field, +fields) */
	bool has_methods;             /* interface: its first word is an itab, not a type */
	uint64_t rtype;               /* address of the runtime's descriptor, 0: none known */
};

/* The universe. One thread asks for types by address or name, which may read new ones; what an id
   names never changes and never moves. Hostile files cannot make it inconsistent: fields and
   elements lie within their type, fields do not overlap, and so the nesting of values ends. */
struct gotypes;

uint32_t gotypes_count(const struct gotypes *types); /* ids are 1 .. count */
const struct gotype *gotype_get(const struct gotypes *types, gotype_id id);
const struct gofield *gotype_field(const struct gotypes *types, uint32_t field);
/* The type whose runtime descriptor is at this address; 0: none. Both sources are asked. */
gotype_id gotypes_at(struct gotypes *types, uint64_t rtype);
gotype_id gotypes_named(struct gotypes *types, const char *name); /* 0: none */

/* The type of a field, 0 when the type has none of that name. *offset (may be NULL) is only set if
   it has. */
gotype_id gotype_field_named(const struct gotypes *types, gotype_id type, const char *name,
                             uint64_t *offset);
/* The bucket or group that the descriptor of a map tells of; 0: DWARF tells of the map. */
gotype_id gotype_map_slots(const struct gotypes *types, gotype_id map);
/* The same by the map's descriptor, whoever tells of the map: the type that the allocator knows its
   buckets or groups by. 0: none. */
gotype_id gotypes_described_slots(struct gotypes *types, gotype_id map);
/* The multiple of bytes that values of the type begin at. */
uint64_t gotype_align(const struct gotypes *types, gotype_id type);

#endif
