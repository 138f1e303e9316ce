#include "go/types/statics.h"

#include "base/bound.h"
#include "base/mem.h"
#include "go/runtime/goiface.h"
#include "go/types/propagate.h"
#include "go/types/scalar_fields.h"

#include <stdlib.h>

enum { DEPTH = 8, MOST = 1 << 20 };

struct statics {
	struct static_value *at; /* in order of discovery, later sorted by address */
	size_t count, capacity;
};

struct finder {
	const struct typing *typing;
	struct gotypes *types;
	struct statics *statics;
	struct map known; /* known addresses */
	/* data without pointers, which is no segment, of the executable and each plugin */
	struct image_section *plain;
	size_t plain_count;
};

/* A value whose pointers are to be followed. */
struct holder {
	uint64_t address;
	gotype_id type;
	uint64_t count;
	uint32_t depth;
};

static bool statics_in_segment(const struct finder *f, uint64_t address, struct region *region)
{
	return regions_find(&f->typing->regions, address, region) && region->kind == REGION_SEGMENT;
}

/* Sets type and count of the value that the word at `offset` points to, by its leaf. Returns false
   if it is no such pointer. */
static bool target_of(const struct finder *f, const struct region *region, uint64_t offset,
                      const struct scalar_field *scalar, uint64_t scalar_at,
                      struct static_value *value)
{
	const struct gotype *type = gotype_get(f->types, scalar->type);
	unsigned width = f->typing->regions.width;
	value->type = type->elem;
	value->count = 1;
	if (type->kind == GO_POINTER)
		return true;
	if (type->kind == GO_SLICE && offset == scalar_at && offset + 3 * width <= region->size) {
		value->in_slice = true;
		value->count = region_word(&f->typing->regions, region, offset + 2 * width);
		return true;
	}
	if (type->kind != GO_INTERFACE || offset != scalar_at + width)
		return false;
	uint64_t first = region_word(&f->typing->regions, region, scalar_at);
	const struct gotype *dynamic =
		gotype_get(f->types, goiface_dynamic(&f->typing->runtime, first, type->has_methods));
	value->type = dynamic->elem;
	return dynamic->kind == GO_POINTER;
}

static void statics_find_plain(struct finder *f, const struct image *image)
{
	static const char *const names[] = {".noptrdata", ".noptrbss"};
	size_t capacity = 0;
	struct image_section section;
	for (size_t number = 0; number <= image->part_count; number++)
		for (size_t i = 0; i < sizeof names / sizeof *names; i++)
			if (image_section_of(image, number, names[i], &section))
				MEM_PUSH(f->plain, f->plain_count, capacity, section);
}

/* Returns the end of the variables that an address is among; 0: it is outside of them. */
static uint64_t statics_end(const struct finder *f, uint64_t address)
{
	struct region region;
	if (statics_in_segment(f, address, &region))
		return region.address + region.size;
	uint64_t place = address - f->typing->data_bias;
	for (size_t i = 0; i < f->plain_count; i++)
		if (place - f->plain[i].address < f->plain[i].size)
			return address + f->plain[i].size - (place - f->plain[i].address);
	return 0;
}

/* Adds the target of a word if it is among the variables and has no other name. */
static void statics_take(struct finder *f, struct static_value value)
{
	uint64_t size = value.size = gotype_get(f->types, value.type)->size;
	uint64_t end = statics_end(f, value.address);
	struct statics *statics = f->statics;
	if (!size || !value.address || !end
	    || gotypes_global_at(f->types, value.address - f->typing->data_bias)
	    || statics->count >= MOST)
		return;
	uint64_t room = (end - value.address) / size;
	if (value.count && value.count <= room && map_add(&f->known, value.address, &(uint64_t){1}))
		MEM_PUSH(statics->at, statics->count, statics->capacity, value);
}

static void look_through(struct finder *f, const struct holder *holder)
{
	const struct regions *regions = &f->typing->regions;
	uint64_t size = gotype_get(f->types, holder->type)->size;
	struct region region;
	if (!size || holder->depth >= DEPTH || !statics_in_segment(f, holder->address, &region))
		return;
	uint64_t first = holder->address - region.address, width = regions->width;
	uint64_t end = holder->count > (region.size - first) / size ? region.size
	                                                            : first + holder->count * size;
	for (uint64_t at = first; at + width <= end; at += width) {
		uint64_t word = region_word(regions, &region, at), inside = (at - first) % size;
		if (!word || !region_points(regions, &region, at)
		    || objects_has_page(heap_objects(f->typing->heap), word))
			continue;
		struct static_value value = {
			.address = word, .word = region.address + at, .depth = holder->depth + 1};
		struct scalar_field scalar = scalar_at(f->types, holder->type, inside, NULL);
		if (target_of(f, &region, at, &scalar, at - inside + scalar.offset, &value))
			statics_take(f, value);
	}
}

struct statics *statics_new(const struct typing *typing, struct gotypes *types,
                            const struct exe *exe)
{
	struct statics *statics = mem_alloc(sizeof *statics);
	struct finder f = {.typing = typing, .types = types, .statics = statics};
	statics_find_plain(&f, exe_image(exe));
	size_t globals;
	const struct exe_global *global = gotypes_globals(types, &globals);
	for (size_t i = 0; i < globals; i++)
		look_through(&f,
		             &(struct holder){global[i].address + typing->data_bias, global[i].type, 1, 0});
	for (size_t i = 0; i < statics->count; i++) {
		const struct static_value *value = &statics->at[i];
		look_through(&f, &(struct holder){value->address, value->type, value->count, value->depth});
	}
	bound_sort(statics->at, statics->count, BOUND_BY(struct static_value, address));
	map_free(&f.known);
	free(f.plain);
	return statics;
}

void statics_free(struct statics *statics)
{
	if (!statics)
		return;
	free(statics->at);
	free(statics);
}

const struct static_value *statics_all(const struct statics *statics, size_t *count)
{
	*count = statics ? statics->count : 0;
	return statics ? statics->at : NULL;
}

const struct static_value *statics_find(const struct statics *statics, uint64_t address)
{
	size_t after = statics ? upper_bound(statics->at, statics->count,
	                                     BOUND_BY(struct static_value, address), address)
	                       : 0;
	const struct static_value *value = after ? &statics->at[after - 1] : NULL;
	return value && (address - value->address) / value->size < value->count ? value : NULL;
}
