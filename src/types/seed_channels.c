/* Channels that no typed pointer leads to, or only one of the runtime that does not know of what
   they are: they say themselves what they hold. */
#include "types/channel.h"
#include "types/propagate.h"

static void seed_channel(struct typing *t, const struct region *region)
{
	struct channel channel;
	if (!channel_look(&t->regions, region, &channel))
		return;
	gotype_id elem = gotypes_at(t->types, channel.elem_type - t->bias);
	if (!elem || gotype_get(t->types, elem)->size != channel.elem_size)
		return;
	gotype_id type = gotypes_channel(t->types, elem);
	if (!type || !shape_fits(t, region, region->header, type, 1))
		return;
	t->type[region->ref] = type;
	t->count[region->ref] = 1;
	t->told[region->ref] = told_by(SOURCE_CONTENTS, KNOWN_EXACT, false);
	if (channel.size)
		propagate_add(t, (struct type_claim){channel.buffer, elem, channel.size, SOURCE_CONTENTS,
		                                     TYPE_CLAIM_COUNTED});
}

void seed_channels(struct typing *t)
{
	struct region region;
	gotype_id any = gotypes_named(t->types, "runtime.hchan");
	for (uint32_t id = 0; id < t->regions.objects; id++) {
		if (t->type[id] && t->type[id] != any)
			continue;
		regions_get(&t->regions, id, &region);
		seed_channel(t, &region);
	}
}
