/* Infers types of objects to which only pointers into the middle, or to the first field, refer: the
   struct with such a field at that offset, if only one fits. */
#include "types/propagate.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { NESTED = 3, LARGEST = 8192 };

/* Index of structs by field: type and offset of a field lead to a chain of structs. */
struct holders {
	struct typing *typing;
	struct map first; /* key -> index + 1 */
	struct link {
		gotype_id type;
		uint32_t next;
	} * links;
	size_t count, capacity;
};

static uint64_t contain_key_of(gotype_id field, uint64_t offset)
{
	return (uint64_t)field << 32 ^ offset;
}

static void contain_add_fields(struct holders *h, gotype_id whole, gotype_id part, uint64_t offset,
                               int depth)
{
	struct gotypes *types = h->typing->types;
	const struct gotype *type = gotype_get(types, part);
	for (uint32_t i = 0; i < type->fields && depth < NESTED; i++) {
		const struct gofield *field = gotype_field(types, type->first_field + i);
		uint64_t key = contain_key_of(field->type, offset + field->offset), first = 0;
		if (!field->type || gotype_get(types, field->type)->kind != GO_STRUCT)
			continue;
		map_get(&h->first, key, &first);
		MEM_PUSH(h->links, h->count, h->capacity, (struct link){whole, (uint32_t)first});
		map_put(&h->first, key, h->count);
		contain_add_fields(h, whole, field->type, offset + field->offset, depth + 1);
	}
}

static void index_structs(struct holders *h)
{
	struct gotypes *types = h->typing->types;
	gotypes_complete(types);
	for (gotype_id id = 1; id <= gotypes_count(types); id++) {
		const struct gotype *type = gotype_get(types, id);
		if (type->kind == GO_STRUCT && type->size <= LARGEST)
			contain_add_fields(h, id, id, 0, 0);
	}
}

static bool contain_is_named(struct typing *t, gotype_id id, const char *name)
{
	return strcmp(gotype_get(t->types, id)->name, name) == 0;
}

/* Returns false for a time.Ticker without a period and for a time.Timer with one: their types look
   alike. */
static bool is_right_timer(struct typing *t, const struct region *region, gotype_id type)
{
	uint64_t r = 0, period = 0;
	gotype_id timer = gotype_field_named(t->types, type, "r", &r);
	if (!timer || !gotype_field_named(t->types, timer, "period", &period))
		return true;
	uint64_t at = region->header + r + period;
	if (at + t->regions.width > region->size)
		return false;
	bool periodic = region_word(&t->regions, region, at) != 0;
	return periodic ? !contain_is_named(t, type, "time.Timer")
	                : !contain_is_named(t, type, "time.Ticker");
}

/* Returns the only struct with that field at that offset that fits the object; 0: none or
   several. */
static gotype_id contain_holder_of(struct holders *h, const struct region *region, gotype_id field,
                                   uint64_t offset)
{
	struct typing *t = h->typing;
	uint64_t link = 0;
	gotype_id found = 0;
	map_get(&h->first, contain_key_of(field, offset), &link);
	for (; link; link = h->links[link - 1].next) {
		gotype_id type = h->links[link - 1].type;
		uint64_t bytes = gotype_get(t->types, type)->size + region->header;
		if (type == found || !size_class_fits(region->size, bytes)
		    || !shape_fits(t, region, region->header, type, 1) || !is_right_timer(t, region, type))
			continue;
		if (found)
			return 0;
		found = type;
	}
	return found;
}

static void contain_close_object(struct holders *h, uint32_t id, gotype_id timer,
                                 gotype_id user_timer)
{
	struct typing *t = h->typing;
	struct region region;
	regions_get(&t->regions, id, &region);
	for (uint32_t p = t->first_part[id]; p && !t->object[id].type; p = t->parts[p - 1].next) {
		const struct typed_part part = t->parts[p - 1];
		gotype_id field = part.type == timer && user_timer ? user_timer : part.type;
		gotype_id whole = contain_holder_of(h, &region, field, part.offset - region.header);
		if (whole)
			propagate_add_as(
				t, (struct type_claim){region.address + region.header, whole, 1, SOURCE_WHOLE, 0},
				part.source);
	}
}

void close_holders(struct typing *t)
{
	struct holders h = {.typing = t};
	/* up to Go 1.22 package time has a copy of the runtime's type */
	gotype_id timer = gotypes_named(t->types, "runtime.timer");
	gotype_id user_timer = gotypes_named(t->types, "time.runtimeTimer");
	index_structs(&h);
	for (uint32_t id = 0; id < t->regions.objects; id++)
		if (!t->object[id].type && t->first_part[id])
			contain_close_object(&h, id, timer, user_timer);
	map_free(&h.first);
	free(h.links);
}
