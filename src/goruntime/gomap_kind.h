/* How Go has kept maps: a kind is all that is known of one way, in one file. Private to
   src/goruntime. */
#ifndef GORUNTIME_GOMAP_KIND_H
#define GORUNTIME_GOMAP_KIND_H

#include "goruntime/gomap.h"

struct gomap_kind {
	/* The header, and what it leads to when that has no descriptor, or NULL. */
	const struct struct_layout *layout[GOMAP_LAYOUTS];
	const struct gotypes_part *parts;       /* how types of parts are shown; the last has no name */
	const struct goruntime_struct *structs; /* what parts lead to; the same */
	const char *control[2]; /* names of the field of a bucket or group that says what is in use */
	/* The type of a bucket or group by that of a header; 0: it is none of this kind. */
	gotype_id (*slots)(const struct gotypes *types, gotype_id header);
	/* Fills in length and arrays; slots are known. */
	bool (*start)(struct gomap *map, const struct struct_view *header);
	/* Fills in address and number of the buckets of an array, and whether the map grows out of
	   them. */
	bool (*open)(struct gomap *map, uint64_t array);
	enum gomap_use (*use)(const struct goruntime *in, const uint8_t *control, unsigned slot,
	                      bool old);
	/* Is the type that of a part between header and buckets? NULL: there are none. */
	bool (*is_between)(const struct gotypes *types, gotype_id type);
	/* An object without a type; `pointers` as probe_pointers. */
	void (*look)(const struct layout_places *places, const struct probe *object, uint64_t pointers,
	             struct gomap_found *found);
};

/* The kinds, the oldest first. */
extern const struct gomap_kind *const gomap_kinds[GOMAP_KINDS];

/* `size` bytes at an address, for a walk. */
const uint8_t *gomap_memory(struct gomap *map, uint64_t address, uint64_t size);
/* The kind whose bucket or group a type is, and where its control bytes are; NULL: it is none. */
const struct gomap_kind *gomap_slots_kind(const struct gotypes *types, gotype_id type,
                                          uint64_t *control);
/* One more object that is part of the same map. */
void gomap_found_add(struct gomap_found *found, enum gomap_role role, const struct probe *object);

static inline gotype_id gomap_pointee(const struct gotypes *types, gotype_id id)
{
	const struct gotype *type = gotype_get(types, id);
	return type->kind == GO_POINTER ? type->elem : 0;
}

#endif
