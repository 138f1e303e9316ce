/* Channels that are only known as such, since the runtime's own pointers lead to them: each says
   itself what it holds (runtime/chan.go: hchan.elemtype). */
#include "types/spread.h"

/* The header type of the channels of every element type. */
static struct map headers_by_element(const struct gotypes *types)
{
	struct map headers = {0};
	uint32_t count = gotypes_count(types);
	for (gotype_id id = 1; id <= count; id++) {
		const struct gotype *type = gotype_get(types, id);
		if (type->kind == GO_CHAN && type->header && type->elem)
			map_put(&headers, type->elem, type->header);
	}
	return headers;
}

void close_channels(struct typing *t)
{
	gotype_id plain = gotypes_named(t->types, "runtime.hchan");
	uint64_t at, header, size = gotype_get(t->types, plain)->size;
	struct region region;
	if (!gotype_field_named(t->types, plain, "elemtype", &at))
		return;
	struct map headers = headers_by_element(t->types);
	for (uint32_t id = 0; id < t->regions.objects; id++) {
		if (t->type[id] != plain)
			continue;
		regions_get(&t->regions, id, &region);
		if (region.size - region.header < size)
			continue;
		uint64_t descriptor = region_word(&t->regions, &region, region.header + at);
		if (map_get(&headers, gotypes_at(t->types, descriptor - t->bias), &header)
		    && gotype_get(t->types, (gotype_id)header)->size == size)
			t->type[id] = (gotype_id)header;
	}
	map_free(&headers);
}
