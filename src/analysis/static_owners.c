/* Static data without a symbol, such as that of `var x = &T{}`, by the variable that points to it:
   pointers are followed from variables with symbols, breadth first. */
#include "static_owners.h"

#include "analysis/kept.h"
#include "analysis/variable_users.h"
#include "base/bound.h"
#include "base/mem.h"
#include "base/plugin.h"
#include "go/exe/image.h"
#include "heap/heap.h"
#include "heap/region.h"

#include <stdlib.h>

enum { ROUNDS = 8, STATIC_OWNERS_MOST = 1 << 20 };

struct static_search {
	const struct image *image;
	struct regions regions;
	uint64_t bias;
	struct static_owners *owners; /* sorted up to `sorted` */
	size_t sorted, capacity;
	struct map known;
};

const struct static_owner *static_owners_find(const struct static_owners *owners,
                                              const struct image *image, uint64_t bias,
                                              uint64_t address)
{
	size_t after =
		upper_bound(owners->at, owners->count, BOUND_BY(struct static_owner, address), address);
	const struct static_owner *owner = after ? &owners->at[after - 1] : NULL;
	if (!owner || address - owner->address > VARIABLE_REACH)
		return NULL;
	/* a variable between them ends the data of the one before it */
	uint64_t low = owner->address - bias;
	size_t symbol = upper_bound(image->symbols, image->symbol_count,
	                            BOUND_BY(struct image_symbol, address), low);
	bool between = symbol < image->symbol_count && image->symbols[symbol].address <= address - bias;
	return between ? NULL : owner;
}

/* Returns the address of the variable that a word of a segment belongs to; 0: not known. */
static uint64_t static_search_variable(const struct static_search *s, uint64_t word)
{
	const struct image_symbol *symbol = image_variable_at(s->image, word - s->bias);
	if (symbol)
		return symbol->address;
	struct static_owners sorted = {s->owners->at, s->sorted};
	const struct static_owner *owner = static_owners_find(&sorted, s->image, s->bias, word);
	return owner ? owner->variable : 0;
}

static void static_search_segment(struct static_search *s, const struct region *region)
{
	struct static_owners *owners = s->owners;
	struct region target;
	for (uint64_t at = 0, width = s->regions.width; at + width <= region->size; at += width) {
		uint64_t word =
			region_points(&s->regions, region, at) ? region_word(&s->regions, region, at) : 0;
		if (!word || owners->count >= STATIC_OWNERS_MOST
		    || !regions_find(&s->regions, word, &target) || target.kind != REGION_SEGMENT
		    || image_variable_at(s->image, word - s->bias))
			continue;
		uint64_t variable = static_search_variable(s, region->address + at);
		if (variable && map_add(&s->known, word, &variable))
			MEM_PUSH(owners->at, owners->count, s->capacity, (struct static_owner){word, variable});
	}
}

static void static_search_all(struct static_search *s)
{
	struct region region;
	for (int round = 0; round < ROUNDS; round++) {
		size_t before = s->owners->count;
		for (uint32_t i = 0; i < s->regions.segments; i++) {
			regions_get(&s->regions, s->regions.objects + i, &region);
			static_search_segment(s, &region);
		}
		if (s->owners->count == before)
			return;
		bound_sort(s->owners->at, s->owners->count, BOUND_BY(struct static_owner, address));
		s->sorted = s->owners->count;
	}
}

static void *static_owners_make(const struct analysis *analysis, enum retain retain,
                                struct progress *progress)
{
	const struct names *names = analysis_names(analysis);
	struct static_owners *owners = mem_alloc(sizeof *owners);
	(void)retain, (void)progress;
	if (!names->exe || !exe_image(names->exe)->symbol_count)
		return owners;
	struct static_search s = {
		.image = exe_image(names->exe), .bias = names->fit.data_bias, .owners = owners};
	regions_init_others(&s.regions, analysis_heap(analysis));
	static_search_all(&s);
	regions_fini(&s.regions);
	map_free(&s.known);
	return owners;
}

static void static_owners_free(void *made)
{
	struct static_owners *owners = made;
	free(owners->at);
	free(owners);
}

static bool static_owners_index(void *made, const struct index_io *io)
{
	struct static_owners *owners = made;
	return INDEX_ARRAY(io, "static-owner", owners->at, owners->count);
}

const struct kept_kind static_owners_kept = {
	.name = "static-owners",
	.needs = STAGE_NAMED,
	.make = static_owners_make,
	.free = static_owners_free,
	.size = sizeof(struct static_owners),
	.index = static_owners_index,
};
PLUGIN(kept_kinds, static_owners_kept);
