/* Guesses types of maps of which only the header is recognized, from their entries. */
#include "go/types/guess.h"
#include "go/types/propagate.h"

#include "go/runtime/gomap.h"

enum {
	ENTRIES = 16,        /* limit of entries examined */
	MOST_TRIED = 1 << 26 /* limit of attempts for all maps: a file may have many maps and types */
};

/* Finds the buckets or groups of a map; the first ones if there are several arrays. */
static bool guess_maps_slots(const struct guesser *g, const struct gomap_layouts *layouts,
                             const struct probe *header, struct probe *slots)
{
	const struct regions *regions = &g->typing->regions;
	struct gomap_found found;
	struct probe at = *header;
	for (int step = 0; step < 3; step++) {
		if (!gomap_look(layouts, &at, probe_pointers(&at), &found) || !found.others
		    || (step == 0) != (found.role == GOMAP_HEADER))
			return false;
		probe_init(slots, regions, found.other[0].object);
		if (found.other[0].role != GOMAP_DIRECTORY)
			return true;
		if (slots->bytes < regions->width || !probe_find(regions, probe_word(slots, 0), &at))
			return false;
	}
	return false;
}

/* Returns the score of the entries for a bucket or group type. */
static int guess_score_entries(struct guesser *g, const struct region *region, gotype_id type)
{
	struct gomap_slots slots;
	const struct goruntime *rt = &g->typing->runtime;
	int score = 0;
	if (!gomap_slots(rt, type, &slots) || region->header + slots.size > region->size)
		return GUESS_IMPOSSIBLE;
	uint64_t buckets = (region->size - region->header) / slots.size;
	unsigned looked_at = 0;
	for (uint64_t b = 0; b < buckets && looked_at < ENTRIES; b++) {
		uint64_t at = region->header + b * slots.size;
		for (unsigned i = 0; i < GOMAP_SLOTS && looked_at < ENTRIES; i++) {
			if (gomap_slot_use(rt, &slots, region->data + at, i, false) != GOMAP_USED)
				continue;
			int key = guess_score(g, region, at + slots.key_at + i * slots.key_step, slots.key);
			int value =
				guess_score(g, region, at + slots.value_at + i * slots.value_step, slots.value);
			if (key == GUESS_IMPOSSIBLE || value == GUESS_IMPOSSIBLE)
				return GUESS_IMPOSSIBLE;
			score += key + value;
			looked_at++;
		}
	}
	return score;
}

/* Returns true if the object is an array of buckets with pointer words of the type. */
static bool guess_slots_fit(struct guesser *g, const struct region *region, gotype_id type)
{
	struct typing *t = g->typing;
	uint64_t size = gotype_get(t->types, type)->size, room = region->size - region->header;
	if (!size || size > room || region->noscan == shape_of(t, type)->pointers)
		return false;
	uint64_t count = room / size;
	if (!size_class_fits(region->size, region->header + count * size))
		return false;
	for (uint64_t i = 0; i < count && i < ENTRIES; i++)
		if (!region->noscan && !shape_equals(t, region, region->header + i * size, type))
			return false;
	return true;
}

static gotype_id guess_map(struct guesser *g, const struct region *region)
{
	struct guess_best best = {0};
	uint64_t map;
	for (size_t i = 0; i < g->slots_count && g->tried < MOST_TRIED; i++, g->tried++) {
		if (!guess_slots_fit(g, region, g->slots[i]) || !map_get(&g->maps, g->slots[i], &map))
			continue;
		int score = guess_score_entries(g, region, g->slots[i]);
		if (score > 0)
			guess_compare(g, (gotype_id)map, score, &best);
	}
	return guess_best_type(&best);
}

static void guess_maps_look(struct guesser *g, const struct gomap_layouts *layouts, uint32_t id,
                            bool sure)
{
	struct typing *t = g->typing;
	struct probe header, slots;
	uint64_t map = 0;
	probe_init(&header, &t->regions, id);
	if (!guess_maps_slots(g, layouts, &header, &slots))
		return;
	const struct object_type *known = &t->object[slots.region.ref];
	uint8_t told = (uint8_t)known->told;
	if (known->type)
		map_get(&g->maps, known->type, &map);
	else if (!sure)
		map = guess_map(g, &slots.region);
	gotype_id type = gotype_get(t->types, (gotype_id)map)->header;
	uint64_t address = heap_address(t->heap, id);
	if (sure && told_known(told) <= KNOWN_GUESS)
		return;
	if (type && known->type)
		propagate_add_as(t, (struct type_claim){address, type, 1, SOURCE_CONTENTS, 0}, told);
	else if (type)
		guess_take(g, id, type, 1, 0);
}

bool guess_maps(struct guesser *g, bool sure)
{
	struct typing *t = g->typing;
	struct gomap_layouts layouts;
	bool any = false;
	gomap_layouts_init(&layouts, t->regions.width);
	for (uint32_t id = 0; id < t->regions.objects && guess_goes_on(g, id); id++) {
		if (t->object[id].type)
			continue;
		guess_maps_look(g, &layouts, id, sure);
		any |= t->object[id].type != 0;
	}
	return any;
}
