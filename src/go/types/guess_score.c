/* Scores of guesses: fields that match their targets. */
#include "go/types/guess.h"
#include "go/types/propagate.h"

#include "base/mem.h"
#include "base/text.h"
#include "go/runtime/goiface.h"

#include <string.h>

/* A field that points to a value of its type that is known; one that only fits. */
enum { KNOWN = 2, FITS = 1 };
enum { DEPTH = 64, MOST_LEAVES = 256, LOOKED_AT = 64 };

/* Like regions_find. */
static bool guess_find(struct guesser *g, uint64_t address, struct region *region)
{
	struct guess_target *target = &g->target[(address * 0x9e3779b97f4a7c15 >> 32) % GUESS_TARGETS];
	if (!target->asked || target->address != address) {
		target->asked = true;
		target->address = address;
		target->found = regions_find(&g->typing->regions, address, &target->region);
	}
	*region = target->region;
	return target->found;
}

static uint64_t guess_mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15;
	return hash ^ hash >> 29;
}

/* Returns a hash of a leaf, equal for leaves that differ only by name. */
static uint64_t scalar_key(const struct typing *t, const struct scalar_field *scalar)
{
	const struct gotype *type = gotype_get(t->types, scalar->type);
	uint64_t key = guess_mix(scalar->offset, type->kind);
	if (type->kind == GO_INTERFACE)
		return guess_mix(key, type->has_methods);
	return type->kind == GO_STRING ? key : guess_mix(guess_mix(key, type->elem), type->key);
}

const struct guess_leaves *guess_leaves_of(struct guesser *g, gotype_id type)
{
	uint64_t known = 0, count;
	if (map_get(&g->leaves_of, type, &known))
		return known ? &g->leaves[known - 1] : NULL;
	count = scalar_fields_count(&g->scalars, type);
	if (count && count <= MOST_LEAVES) {
		struct guess_leaves leaves = {.first = (uint32_t)g->scalar_count};
		for (; leaves.count < count; leaves.count++) {
			g->scalar =
				mem_grow(g->scalar, g->scalar_count, &g->scalar_capacity, sizeof *g->scalar);
			g->scalar[g->scalar_count] = scalar_fields_get(&g->scalars, type, leaves.count, NULL);
			leaves.layout =
				guess_mix(leaves.layout, scalar_key(g->typing, &g->scalar[g->scalar_count++]));
		}
		MEM_PUSH(g->leaves, g->leaves_count, g->leaves_capacity, leaves);
		known = g->leaves_count;
	}
	map_put(&g->leaves_of, type, known);
	return known ? &g->leaves[known - 1] : NULL;
}

static uint64_t guess_add_word(uint64_t key, uint64_t word, bool pointer)
{
	return pointer ? guess_mix(key, word + 1) : key;
}

uint64_t guess_key_of_region(const struct guesser *g, const struct region *region, uint64_t offset,
                             uint64_t words)
{
	const struct regions *regions = &g->typing->regions;
	uint64_t key = 0;
	for (uint64_t w = 0; w < words; w++)
		key = guess_add_word(key, w, region_points(regions, region, offset + w * regions->width));
	return key;
}

/* Up to Go 1.10 the first word of an interface is listed as a pointer, too (`maybe`). */
uint64_t guess_key_of_type(struct guesser *g, gotype_id type, bool maybe)
{
	const struct shape *shape = shape_of(g->typing, type);
	uint64_t key = 0;
	for (uint32_t w = 0; w < shape->words; w++)
		key = guess_add_word(key, w,
		                     word_bit_is_set(shape->pointer, w)
		                         || (maybe && word_bit_is_set(shape->maybe, w)));
	return key;
}

/* Returns true if a value contains a value of another type at an offset. */
static bool guess_has_at(const struct gotypes *types, gotype_id id, uint64_t offset, gotype_id part)
{
	for (int depth = 0; id && depth < DEPTH; depth++) {
		const struct gotype *type = gotype_get(types, id);
		gotype_id inner = 0;
		if (id == part && offset == 0)
			return true;
		if (type->kind == GO_ARRAY && gotype_get(types, type->elem)->size) {
			inner = type->elem;
			offset %= gotype_get(types, inner)->size;
		}
		for (uint32_t i = 0; type->kind == GO_STRUCT && i < type->fields; i++) {
			const struct gofield *field = gotype_field(types, type->first_field + i);
			if (offset < field->offset
			    || offset - field->offset >= gotype_get(types, field->type)->size)
				continue;
			inner = field->type;
			offset -= field->offset;
			break;
		}
		id = inner;
	}
	return false;
}

static gotype_id guess_element(const struct gotypes *types, gotype_id type, uint64_t *count)
{
	for (int depth = 0; gotype_get(types, type)->kind == GO_ARRAY && depth < DEPTH; depth++) {
		uint64_t more = gotype_get(types, type)->count;
		*count = more && *count <= UINT32_MAX && more <= UINT32_MAX ? *count * more : 1;
		type = gotype_get(types, type)->elem;
	}
	return type;
}

/* Returns the score of a pointer into an object whose type is known or guessed. */
static int score_known(const struct guesser *g, const struct object_type *known, uint64_t offset,
                       gotype_id elem)
{
	const struct gotypes *types = g->typing->types;
	uint64_t size = gotype_get(types, known->type)->size;
	if (size && offset < size * known->count
	    && guess_has_at(types, known->type, offset % size, elem))
		return KNOWN;
	/* The runtime uses its own names for timers that package time names differently. */
	bool own = strncmp(gotype_get(types, known->type)->name, "runtime.", strlen("runtime.")) == 0;
	bool sure = told_known((uint8_t)known->told) > KNOWN_GUESS && offset < size * known->count;
	return sure && !own ? GUESS_IMPOSSIBLE : 0;
}

/* Returns the score of a pointer to `count` values. */
static int guess_score_pointer(struct guesser *g, uint64_t address, gotype_id elem, uint64_t count)
{
	struct typing *t = g->typing;
	struct region target;
	if (!address || !elem || !guess_find(g, address, &target) || target.kind != REGION_OBJECT)
		return 0;
	elem = guess_element(t->types, elem, &count);
	uint64_t size = gotype_get(t->types, elem)->size, offset = address - target.address;
	if (!size)
		return 0;
	if (offset < target.header || count > (target.size - offset) / size)
		return GUESS_IMPOSSIBLE;
	const struct object_type *known = &t->object[target.ref];
	if (count == 1 && elem == t->byte)
		return 0; /* any pointer into text or a buffer leads to a byte */
	if (known->type && told_source((uint8_t)known->told) != SOURCE_BLOCK)
		return score_known(g, known, offset - target.header, elem);
	if (!shape_fits(t, &target, offset, elem, count))
		return GUESS_IMPOSSIBLE;
	bool whole = offset == target.header
	             && size_class_fits(target.size, target.header + size * count);
	return whole && (count > 1 || shape_of(t, elem)->pointers)
	               && shape_equals(t, &target, offset, elem)
	           ? FITS
	           : 0;
}

/* Returns the score of a string in the heap or in the executable. */
static int score_string(struct guesser *g, uint64_t data, uint64_t len)
{
	struct typing *t = g->typing;
	struct region target;
	const uint8_t *bytes = NULL;
	int score = 0;
	if (!data)
		return len ? GUESS_IMPOSSIBLE : 0;
	if (guess_find(g, data, &target)) {
		if (len > target.size - (data - target.address))
			return GUESS_IMPOSSIBLE;
		if (target.kind == REGION_OBJECT && !target.noscan)
			return GUESS_IMPOSSIBLE;
		bytes = target.data + (data - target.address);
		bool known = target.kind == REGION_OBJECT && t->object[target.ref].type == t->byte;
		score = known ? KNOWN : 0;
	} else {
		const struct image *image = gotypes_image(t->types);
		if (image_room(image, data - t->bias) < len)
			return 0;
		bytes = image_bytes(image, data - t->bias, len);
	}
	for (uint64_t i = 0; bytes && i < len && i < LOOKED_AT; i++)
		if (bytes[i] < ' ' || bytes[i] == 0x7f)
			return score;
	return bytes && len ? score + FITS : score;
}

/* The array of a slice without capacity is hardly an object: a map's header has such words. */
static int score_slice(struct guesser *g, const uint64_t word[3], gotype_id elem)
{
	struct region target;
	if (word[1] > word[2] || (!word[0] && word[2]))
		return GUESS_IMPOSSIBLE;
	if (word[2])
		return guess_score_pointer(g, word[0], elem, word[2]);
	return word[0] && guess_find(g, word[0], &target) ? GUESS_IMPOSSIBLE : 0;
}

static int score_interface(struct typing *t, uint64_t first, uint64_t data, bool has_methods)
{
	if (!first)
		return data ? GUESS_IMPOSSIBLE : 0;
	return goiface_find(&t->runtime, first, has_methods) ? KNOWN : GUESS_IMPOSSIBLE;
}

static int score_func(struct guesser *g, uint64_t address)
{
	const struct typing *t = g->typing;
	struct region target;
	if (!address || !guess_find(g, address, &target) || target.kind != REGION_OBJECT)
		return 0;
	return told_source(t->object[target.ref].told) == SOURCE_CLOSURE ? KNOWN : GUESS_IMPOSSIBLE;
}

/* Returns the score of a pointer in a struct of the runtime that its fields do not describe, such
   as an atomic.Pointer[T]. */
static int score_special(struct guesser *g, const struct region *region, uint64_t at, gotype_id id)
{
	struct typing *t = g->typing;
	const struct goruntime_struct *special = shape_of(t, id)->special;
	const struct goruntime_place place = {&t->runtime, &t->regions, region, at, id};
	struct pointee to[POINTEES];
	size_t count = special ? special->points_to(&place, to) : 0;
	int score = 0;
	for (size_t i = 0; i < count; i++) {
		int one = guess_score_pointer(g, to[i].address, to[i].type, to[i].count);
		if (one == GUESS_IMPOSSIBLE)
			return GUESS_IMPOSSIBLE;
		score += one;
	}
	return score;
}

static int score_scalar(struct guesser *g, const struct region *region, uint64_t at, gotype_id id)
{
	struct typing *t = g->typing;
	const struct gotype type = *gotype_get(t->types, id);
	uint64_t width = t->regions.width, word[3] = {0};
	if (at + type.size > region->size)
		return GUESS_IMPOSSIBLE;
	if (type.kind == GO_BOOL)
		return region->data[at] > 1 ? GUESS_IMPOSSIBLE : 0;
	for (uint64_t i = 0; i < 3 && (i + 1) * width <= type.size; i++)
		word[i] = region_word(&t->regions, region, at + i * width);
	switch (type.kind) {
	case GO_POINTER:
		return guess_score_pointer(g, word[0], type.elem, 1);
	case GO_STRING:
		return score_string(g, word[0], word[1]);
	case GO_SLICE:
		return score_slice(g, word, type.elem);
	case GO_INTERFACE:
		return score_interface(t, word[0], word[1], type.has_methods);
	case GO_FUNC:
		return score_func(g, word[0]);
	case GO_MAP:
	case GO_CHAN:
		return guess_score_pointer(g, word[0], type.header, 1);
	case GO_STRUCT:
		return score_special(g, region, at, id);
	default:
		return 0;
	}
}

/* Returns the score of known parts of the object. */
static int score_parts(struct guesser *g, const struct region *region, gotype_id type)
{
	const struct typing *t = g->typing;
	uint64_t size = gotype_get(t->types, type)->size;
	int score = 0;
	for (uint32_t p = t->first_part[region->ref]; p; p = t->parts[p - 1].next) {
		const struct typed_part *part = &t->parts[p - 1];
		uint64_t offset = part->offset - region->header;
		if (told_known(part->source) > KNOWN_GUESS && offset < size)
			score += guess_has_at(t->types, type, offset, part->type) ? KNOWN : 0;
	}
	return score;
}

int guess_score_leaves(struct guesser *g, const struct region *region, uint64_t offset,
                       gotype_id type, struct guess_leaves leaves)
{
	int score = 0;
	for (uint32_t i = 0; i < leaves.count; i++) {
		const struct scalar_field *scalar = &g->scalar[leaves.first + i];
		int one = score_scalar(g, region, offset + scalar->offset, scalar->type);
		if (one == GUESS_IMPOSSIBLE)
			return GUESS_IMPOSSIBLE;
		score += one;
	}
	if (region->kind == REGION_OBJECT && offset == region->header)
		score += score_parts(g, region, type);
	return score;
}

int guess_score(struct guesser *g, const struct region *region, uint64_t offset, gotype_id type)
{
	const struct guess_leaves *leaves = guess_leaves_of(g, type);
	return leaves ? guess_score_leaves(g, region, offset, type, *leaves) : 0;
}
