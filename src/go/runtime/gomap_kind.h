/* A kind of map: everything about one implementation of maps in the runtime, in one file. Private
   to src/go/runtime. */
#pragma once

#include "go/runtime/gomap.h"

struct gomap_kind {
	/* Layouts of the header, and of the struct behind it if that has no descriptor, or NULL. */
	const struct struct_layout *layout[GOMAP_LAYOUTS];
	/* display rules for types of parts; the last has no name */
	const struct gotypes_part *parts;
	const struct goruntime_struct *structs; /* pointers from parts; the last has no name */
	const char *control[2]; /* names of the field with the control bytes in a bucket or group */
	/* Returns the bucket or group type for a header type; 0: not of this kind. */
	gotype_id (*slots)(const struct gotypes *types, gotype_id header);
	/* Sets length and arrays of a walk; slots are set already. Returns false if the header is
	   inconsistent. */
	bool (*start)(struct gomap *map, const struct struct_view *header);
	/* Sets address and number of buckets of an array, and whether they are old. Returns false if
	   there are none. */
	bool (*open)(struct gomap *map, uint64_t array);
	enum gomap_use (*use)(const struct goruntime *in, const uint8_t *control, unsigned slot,
	                      bool old);
	/* Returns true for types of parts between header and buckets. NULL: there are none. */
	bool (*is_between)(const struct gotypes *types, gotype_id type);
	/* Recognizes an object without a type; for `pointers` see probe_pointers. */
	void (*look)(const struct layout_places *places, const struct probe *object, uint64_t pointers,
	             struct gomap_found *found);
};

/* All kinds, oldest first. */
extern const struct gomap_kind *const gomap_kinds[GOMAP_KINDS];

/* Returns `size` bytes at an address, with the cached piece of a walk, or NULL. */
const uint8_t *gomap_memory(struct gomap *map, uint64_t address, uint64_t size);
/* Returns the kind of a bucket or group type, and the offset of its control bytes. NULL: the type
   is neither. */
const struct gomap_kind *gomap_slots_kind(const struct gotypes *types, gotype_id type,
                                          uint64_t *control);
/* Adds another object of the same map. */
void gomap_found_add(struct gomap_found *found, enum gomap_role role, const struct probe *object);

static inline gotype_id gomap_pointee(const struct gotypes *types, gotype_id id)
{
	const struct gotype *type = gotype_get(types, id);
	return type->kind == GO_POINTER ? type->elem : 0;
}
