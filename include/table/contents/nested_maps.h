/* The maps of package sync that are fields of an object, and the rows of their entries. */
#pragma once

#include "go/runtime/gosync.h"
#include "table/contents/typed_fields.h"

struct nested_maps {
	struct nested_maps_map {
		struct gosync map;
		struct buf name; /* of the field */
	} * maps;
	size_t map_count;
	uint64_t count; /* of all entries */
};

/* Finds such maps in an object that is one struct. */
void nested_maps_init(struct nested_maps *embedded, struct typed_fields *members);
void nested_maps_fini(struct nested_maps *embedded);
/* Stores entry n < count and appends its name: `cache["k"]`. */
void nested_maps_get(const struct nested_maps *embedded, const struct govalue *in, uint64_t n,
                     struct field *field, struct buf *name);

/* Fills the row of a map's entry, and appends the key. */
void nested_maps_pair(const struct govalue *in, const struct gomap_entry *entry, gotype_id key,
                      gotype_id value, struct field *field, struct buf *name);
/* Fills the row of the n-th entry of a map of package sync, and appends the key. */
void nested_maps_entry(const struct govalue *in, const struct gosync *map, uint64_t n,
                       struct field *field, struct buf *name);
