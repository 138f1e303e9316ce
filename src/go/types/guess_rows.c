/* Guesses arrays and bytes from untyped slices and strings: a pointer followed by lengths. */
#include "go/types/guess.h"

#include "go/types/labelling.h"

enum { TINY_SLOT = 16, ELEMENTS = 16 /* limit of elements examined */, MOST_CANDIDATES = 512 };

/* For each object, the words after the pointer to it, with the maximum capacity. */
struct row_finder {
	struct guesser *guesser;
	struct map length, capacity; /* keys are object + 1 */
};

static void find_rows_in(struct row_finder *f, const struct region *region)
{
	const struct typing *t = f->guesser->typing;
	const struct regions *regions = &t->regions;
	uint64_t width = regions->width, before = 0;
	for (uint64_t at = 0; at + 2 * width <= region->size; at += width) {
		struct region target;
		if (!region_points(regions, region, at) || region_points(regions, region, at + width)
		    || !regions_find(regions, region_word(regions, region, at), &target)
		    || target.kind != REGION_OBJECT || t->object[target.ref].type
		    || region_word(regions, region, at) != target.address + target.header)
			continue;
		uint64_t key = target.ref + 1ULL, length = region_word(regions, region, at + width);
		uint64_t capacity = 0;
		if (at + 3 * width <= region->size && !region_points(regions, region, at + 2 * width))
			capacity = region_word(regions, region, at + 2 * width);
		if (!map_get(&f->length, key, &before) || before < length)
			map_put(&f->length, key, length);
		if (length <= capacity && capacity <= target.size
		    && (!map_get(&f->capacity, key, &before) || before < capacity))
			map_put(&f->capacity, key, capacity);
	}
}

static void guess_find_rows(struct row_finder *f)
{
	const struct typing *t = f->guesser->typing;
	uint32_t all = t->regions.objects + t->regions.segments + t->regions.frames;
	struct region region;
	for (uint32_t i = 0; i < all && guess_goes_on(f->guesser, i); i++) {
		bool typed = i < t->regions.objects && t->object[i].type
		             && told_source((uint8_t)t->object[i].told) != SOURCE_CLOSURE;
		if (typed)
			continue;
		regions_get(&t->regions, i, &region);
		if (!region.noscan)
			find_rows_in(f, &region);
	}
}

static bool guess_bytes(struct guesser *g, const struct region *object, uint64_t length,
                        uint64_t capacity)
{
	const struct typing *t = g->typing;
	bool tiny = object->size <= TINY_SLOT;
	bool text = length && length <= object->size
	            && (size_class_fits(object->size, length) || (tiny && length < TINY_SLOT));
	if (capacity > 1 && !tiny && size_class_fits(object->size, capacity))
		guess_take(g, object->ref, t->byte, capacity, TYPE_CLAIM_COUNTED);
	else if (text && label_rows_is_text(object->data, length))
		guess_take(g, object->ref, t->byte, length, TYPE_CLAIM_TEXT);
	return t->object[object->ref].type;
}

/* Returns the score of `count` elements of a type. */
static int score_elements(struct guesser *g, const struct region *object, gotype_id type,
                          uint64_t count)
{
	uint64_t size = gotype_get(g->typing->types, type)->size;
	int score = 0;
	for (uint64_t i = 0; i < count && i < ELEMENTS; i++) {
		int one = guess_score(g, object, object->header + i * size, type);
		if (one == GUESS_IMPOSSIBLE)
			return GUESS_IMPOSSIBLE;
		score += one;
	}
	return score;
}

gotype_id guess_pointer_to(struct guesser *g, const struct region *object, uint64_t count)
{
	const struct typing *t = g->typing;
	uint64_t type = 0;
	struct region target;
	for (uint64_t i = 0; i < count && !type; i++) {
		uint64_t word = region_word(&t->regions, object, object->header + i * t->regions.width);
		if (word && regions_find(&t->regions, word, &target) && target.kind == REGION_OBJECT
		    && word == target.address + target.header && t->object[target.ref].count == 1)
			map_get(&g->pointers, t->object[target.ref].type, &type);
	}
	return type && score_elements(g, object, (gotype_id)type, count) > 0 ? (gotype_id)type : 0;
}

static gotype_id guess_row_element(struct guesser *g, const struct region *object, uint64_t size,
                                   uint64_t count)
{
	struct guess_best best = {0};
	uint64_t link = 0, width = g->typing->regions.width;
	if (size == width)
		return guess_pointer_to(g, object, count);
	map_get(&g->first, guess_key_of_region(g, object, object->header, size / width), &link);
	for (int tried = 0; link && tried < MOST_CANDIDATES; tried++) {
		gotype_id type = g->candidates[link - 1].type;
		int score = gotype_get(g->typing->types, type)->size == size
		                ? score_elements(g, object, type, count)
		                : GUESS_IMPOSSIBLE;
		if (score > 0)
			guess_compare(g, type, score, &best);
		link = g->candidates[link - 1].next;
	}
	return guess_best_type(&best);
}

static bool guess_row(struct guesser *g, uint32_t id, uint64_t length, uint64_t capacity)
{
	const struct typing *t = g->typing;
	struct region object;
	regions_get(&t->regions, id, &object);
	if (object.noscan)
		return guess_bytes(g, &object, length, capacity);
	uint64_t size = capacity ? label_element_size(&t->regions, &object, capacity) : 0;
	if (!size || !label_is_periodic(&t->regions, &object, size, capacity))
		return false;
	gotype_id type = guess_row_element(g, &object, size, capacity);
	if (type)
		guess_take(g, id, type, capacity, TYPE_CLAIM_COUNTED);
	return t->object[id].type;
}

bool guess_rows(struct guesser *g)
{
	struct row_finder f = {.guesser = g};
	bool any = false;
	guess_find_rows(&f);
	for (uint32_t id = 0; id < g->typing->regions.objects && guess_goes_on(g, id); id++) {
		uint64_t length = 0, capacity = 0;
		if (g->typing->object[id].type || !map_get(&f.length, id + 1ULL, &length))
			continue;
		map_get(&f.capacity, id + 1ULL, &capacity);
		any |= guess_row(g, id, length, capacity);
	}
	map_free(&f.length);
	map_free(&f.capacity);
	return any;
}
