/* Types channels without a typed pointer, or with one from the runtime that does not know the
   element type: the header of a channel has it. */
#include "goruntime/gochan.h"
#include "types/propagate.h"

static void seed_channel(struct typing *t, const struct gochan_layouts *layouts,
                         const struct probe *object)
{
	struct gochan_found found;
	const struct region *region = &object->region;
	if (!gochan_look(layouts, object, &found))
		return;
	gotype_id elem = gotypes_at(t->types, found.elem_type - t->bias);
	if (!elem || gotype_get(t->types, elem)->size != found.elem_size)
		return;
	gotype_id type = gotypes_channel(t->types, elem);
	if (!type || !shape_fits(t, region, region->header, type, 1))
		return;
	t->object[region->ref] = object_type(type, 1, told_by(SOURCE_CONTENTS, KNOWN_EXACT, false));
	if (found.room)
		propagate_add(t, (struct type_claim){found.buffer, elem, found.room, SOURCE_CONTENTS,
		                                     TYPE_CLAIM_COUNTED});
}

void seed_channels(struct typing *t)
{
	struct gochan_layouts layouts;
	struct probe object;
	gotype_id any = gotypes_named(t->types, "runtime.hchan");
	gochan_layouts_init(&layouts, t->regions.width);
	for (uint32_t id = 0; id < t->regions.objects; id++) {
		if (t->object[id].type && t->object[id].type != any)
			continue;
		probe_init(&object, &t->regions, id);
		seed_channel(t, &layouts, &object);
	}
}
