#include "table/contents/nested_maps.h"

#include "base/mem.h"

#include <stdlib.h>

enum { FIELDS_LOOKED_AT = 1024 }; /* limit on fields of a struct that are searched for maps */

void nested_maps_init(struct nested_maps *embedded, struct typed_fields *members)
{
	const struct govalue *in = &members->in;
	uint64_t left = heap_object_count(in->heap);
	size_t capacity = 0;
	*embedded = (struct nested_maps){0};
	if (members->typed.count != 1 || members->count > FIELDS_LOOKED_AT)
		return;
	for (uint64_t i = 0; i < members->count; i++) {
		struct buf name = {0};
		struct field field;
		struct gosync map = {0};
		typed_fields_get(members, i, &field, &name);
		const char *type = gotype_get(members->scalars.types, field.type)->name;
		if (name.len && gosync_role(type) == GOSYNC_MAP
		    && gosync_read(typing_runtime(in->typing), field.type, field.data, field.size, left,
		                   &map)
		    && map.count) {
			left -= map.count < left ? map.count : left;
			MEM_PUSH(embedded->maps, embedded->map_count, capacity,
			         (struct nested_maps_map){map, name});
			embedded->count += map.count;
			continue;
		}
		gosync_free(&map);
		buf_free(&name);
	}
}

void nested_maps_fini(struct nested_maps *embedded)
{
	for (size_t i = 0; i < embedded->map_count; i++) {
		gosync_free(&embedded->maps[i].map);
		buf_free(&embedded->maps[i].name);
	}
	free(embedded->maps);
}

void nested_maps_get(const struct nested_maps *embedded, const struct govalue *in, uint64_t n,
                     struct field *field, struct buf *name)
{
	const struct nested_maps_map *at = embedded->maps;
	for (; n >= at->map.count; at++)
		n -= at->map.count;
	buf_add_bytes(name, at->name.data, at->name.len);
	nested_maps_entry(in, &at->map, n, field, name);
}

void nested_maps_pair(const struct govalue *in, const struct gomap_entry *entry, gotype_id key,
                      gotype_id value, struct field *field, struct buf *name)
{
	govalue_add_key(in, key, entry->key.data, entry->key.size, name);
	*field = field_none("value");
	field->type = value;
	field->data = entry->value.data;
	field->size = entry->value.size;
	field_point_by_type(in, field);
}

/* The entry's own object is the target if the value has none. */
void nested_maps_entry(const struct govalue *in, const struct gosync *map, uint64_t n,
                       struct field *field, struct buf *name)
{
	struct gomap_entry entry = gosync_get(typing_runtime(in->typing), map, (size_t)n);
	nested_maps_pair(in, &entry, map->key, map->value, field, name);
	if (field->target == OBJECT_NONE)
		field->target = heap_find(in->heap, entry.value.address);
}
