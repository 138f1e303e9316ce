/* The last resort for objects without a type: the only type that has pointers at the same places
   and whose fields agree with what they point to. Guesses are marked as such and lead nowhere. */
#include "types/propagate.h"
#include "types/scalar_fields.h"

#include "base/mem.h"
#include "goruntime/goiface.h"

#include <stdlib.h>
#include <string.h>

enum { SMALLEST = 9, LARGEST = 8192, MOST_LEAVES = 256, MOST_CANDIDATES = 512, IMPOSSIBLE = -1 };

struct candidate {
	gotype_id type;
	uint32_t next; /* of the same pointers: index + 1 */
	uint32_t first_scalar, scalars;
	uint64_t layout; /* of equal leaves at equal places */
};

struct guesser {
	struct typing *typing;
	struct scalar_fields scalars;
	struct map first; /* pointer words -> index + 1 */
	struct candidate *candidates;
	size_t count, capacity;
	struct scalar_field *scalar;
	size_t scalar_count, scalar_capacity;
};

static uint64_t guess_mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15;
	return hash ^ hash >> 29;
}

/* What two leaves must have in common to be equal but for names. */
static uint64_t scalar_key(const struct typing *t, const struct scalar_field *scalar)
{
	const struct gotype *type = gotype_get(t->types, scalar->type);
	uint64_t key = guess_mix(scalar->offset, type->kind);
	if (type->kind == GO_INTERFACE)
		return guess_mix(key, type->has_methods);
	return type->kind == GO_STRING ? key : guess_mix(guess_mix(key, type->elem), type->key);
}

static void add_candidate(struct guesser *g, gotype_id type, uint64_t pointers)
{
	struct candidate c = {.type = type, .first_scalar = (uint32_t)g->scalar_count};
	uint64_t count = scalar_fields_count(&g->scalars, type), first = 0;
	struct buf name = {0};
	if (!count || count > MOST_LEAVES)
		return;
	for (; c.scalars < count; c.scalars++) {
		buf_clear(&name);
		g->scalar = mem_grow(g->scalar, g->scalar_count, &g->scalar_capacity, sizeof *g->scalar);
		g->scalar[g->scalar_count] = scalar_fields_get(&g->scalars, type, c.scalars, &name);
		c.layout = guess_mix(c.layout, scalar_key(g->typing, &g->scalar[g->scalar_count++]));
	}
	buf_free(&name);
	map_get(&g->first, pointers, &first);
	c.next = (uint32_t)first;
	g->candidates = mem_grow(g->candidates, g->count, &g->capacity, sizeof *g->candidates);
	g->candidates[g->count++] = c;
	map_put(&g->first, pointers, g->count);
}

/* The runtime's own structs are known by other ways, and what the compiler makes of generic code
   has another, real name. */
static bool is_candidate(const struct gotype *type)
{
	static const char *const made[] = {"noalg.", "map.", "hash<", "map<", "bucket<"};
	bool kind = type->kind == GO_STRUCT || type->kind == GO_STRING || type->kind == GO_SLICE
	            || type->kind == GO_INTERFACE;
	if (!kind || type->size < SMALLEST || type->size > LARGEST || strstr(type->name, "go.shape."))
		return false;
	for (size_t i = 0; i < sizeof made / sizeof *made; i++)
		if (strncmp(type->name, made[i], strlen(made[i])) == 0)
			return false;
	return true;
}

static uint64_t guess_add_word(uint64_t key, uint64_t word, bool pointer)
{
	return pointer ? guess_mix(key, word + 1) : key;
}

/* Up to Go 1.10 the first word of an interface is listed, too. */
static void index_type(struct guesser *g, gotype_id id)
{
	const struct shape *shape = shape_of(g->typing, id);
	uint64_t what_if = 0, with = 0;
	if (!shape->pointers)
		return;
	for (uint32_t w = 0; w < shape->words; w++) {
		bool pointer = shape->pointer[w / 64] >> w % 64 & 1,
			 maybe = shape->maybe[w / 64] >> w % 64 & 1;
		what_if = guess_add_word(what_if, w, pointer);
		with = guess_add_word(with, w, pointer || maybe);
	}
	add_candidate(g, id, what_if);
	if (with != what_if)
		add_candidate(g, id, with);
}

static void guess_index_types(struct guesser *g)
{
	struct gotypes *types = g->typing->types;
	gotypes_complete(types);
	for (gotype_id id = 1; id <= gotypes_count(types); id++)
		if (is_candidate(gotype_get(types, id)))
			index_type(g, id);
}

/* What an object is known to be, other than by a guess. */
static gotype_id known_type(const struct typing *t, const struct region *region)
{
	uint32_t id = region->ref;
	bool known = region->kind == REGION_OBJECT && told_source(t->object[id].told) > SOURCE_GUESS;
	return known ? t->object[id].type : 0;
}

/* A pointer to `count` values of a type: 1 where they are known to be, IMPOSSIBLE where they cannot
   be there, 0 where nobody knows. */
static int score_pointer(const struct typing *t, uint64_t address, gotype_id elem, uint64_t count)
{
	struct region target;
	const struct gotype *type = gotype_get(t->types, elem);
	if (!address || !regions_find(&t->regions, address, &target) || target.kind != REGION_OBJECT)
		return 0;
	uint64_t offset = address - target.address, room = target.size - offset;
	if (type->size && count > room / type->size)
		return IMPOSSIBLE;
	gotype_id known = known_type(t, &target);
	if (offset != target.header || !known || !type->size)
		return 0;
	if (known == elem)
		return 1;
	/* what a pointer to a struct leads to may be its first field */
	return gotype_get(t->types, known)->kind == GO_STRUCT ? 0 : IMPOSSIBLE;
}

static int score_interface(struct typing *t, uint64_t first, uint64_t data, bool has_methods)
{
	if (!first)
		return data ? IMPOSSIBLE : 0;
	return goiface_find(&t->runtime, first, has_methods) ? 1 : IMPOSSIBLE;
}

static int score_func(const struct typing *t, uint64_t address)
{
	struct region target;
	if (!address || !regions_find(&t->regions, address, &target) || target.kind != REGION_OBJECT)
		return 0;
	return told_source(t->object[target.ref].told) == SOURCE_CLOSURE ? 1 : IMPOSSIBLE;
}

static int score_scalar(struct typing *t, const struct region *region,
                        const struct scalar_field *scalar)
{
	const struct gotype type = *gotype_get(t->types, scalar->type);
	uint64_t at = region->header + scalar->offset, width = t->regions.width, word[3] = {0};
	if (type.kind == GO_BOOL)
		return region->data[at] > 1 ? IMPOSSIBLE : 0;
	for (uint64_t i = 0; i < 3 && (i + 1) * width <= type.size; i++)
		word[i] = region_word(&t->regions, region, at + i * width);
	switch (type.kind) {
	case GO_POINTER:
		return score_pointer(t, word[0], type.elem, 1);
	case GO_STRING:
		return word[0] ? score_pointer(t, word[0], t->byte, word[1]) : word[1] ? IMPOSSIBLE : 0;
	case GO_SLICE:
		if (word[1] > word[2] || (!word[0] && word[2]))
			return IMPOSSIBLE;
		return score_pointer(t, word[0], type.elem, word[2]);
	case GO_INTERFACE:
		return score_interface(t, word[0], word[1], type.has_methods);
	case GO_FUNC:
		return score_func(t, word[0]);
	case GO_MAP:
	case GO_CHAN:
		return score_pointer(t, word[0], type.header, 1);
	default:
		return 0;
	}
}

/* How many leaves are known to be right; IMPOSSIBLE: one is wrong. */
static int score_candidate(struct guesser *g, const struct candidate *c,
                           const struct region *region)
{
	int score = 0;
	for (uint32_t i = 0; i < c->scalars; i++) {
		int scalar = score_scalar(g->typing, region, &g->scalar[c->first_scalar + i]);
		if (scalar == IMPOSSIBLE)
			return IMPOSSIBLE;
		score += scalar;
	}
	return score;
}

struct best {
	const struct candidate *candidate;
	int score;
	bool several; /* others are as good */
};

/* Of equal leaves a string or a slice is rather itself than in a struct; two structs are two. */
static void guess_compare(struct guesser *g, const struct candidate *c, int score,
                          struct best *best)
{
	const struct gotypes *types = g->typing->types;
	if (score < best->score || (best->candidate && c->type == best->candidate->type))
		return;
	if (score > best->score) {
		*best = (struct best){c, score, false};
		return;
	}
	bool basic = gotype_get(types, c->type)->kind != GO_STRUCT;
	bool best_basic = gotype_get(types, best->candidate->type)->kind != GO_STRUCT;
	if (c->layout != best->candidate->layout || basic == best_basic)
		best->several |= !(basic && best_basic && c->layout == best->candidate->layout);
	else if (basic)
		*best = (struct best){c, score, false};
}

static gotype_id guess_type(struct guesser *g, const struct region *region)
{
	struct best best = {.score = 0};
	uint64_t key = 0, link = 0, words = (region->size - region->header) / g->typing->regions.width;
	for (uint64_t w = 0; w < words; w++)
		key = guess_add_word(key, w,
		                     region_points(&g->typing->regions, region,
		                                   region->header + w * g->typing->regions.width));
	map_get(&g->first, key, &link);
	for (int tried = 0; link && tried < MOST_CANDIDATES; tried++) {
		const struct candidate *c = &g->candidates[link - 1];
		uint64_t size = region->header + gotype_get(g->typing->types, c->type)->size;
		int score = size_class_fits(region->size, size) ? score_candidate(g, c, region)
		                                                : IMPOSSIBLE;
		if (score > 0)
			guess_compare(g, c, score, &best);
		link = c->next;
	}
	return best.candidate && !best.several ? best.candidate->type : 0;
}

void guess_types(struct typing *t)
{
	struct guesser g = {.typing = t, .scalars = {.types = t->types}};
	struct region region;
	guess_index_types(&g);
	for (uint32_t id = 0; id < t->regions.objects; id++) {
		if (t->object[id].type)
			continue;
		regions_get(&t->regions, id, &region);
		gotype_id type = region.noscan || region.size > LARGEST ? 0 : guess_type(&g, &region);
		if (!type)
			continue;
		t->object[id] = object_type(type, 1, told_by(SOURCE_GUESS, KNOWN_EXACT, false));
	}
	scalar_fields_fini(&g.scalars);
	map_free(&g.first);
	free(g.candidates);
	free(g.scalar);
}
