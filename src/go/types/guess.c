/* Guesses the types of remaining objects: the only type with equal pointer words and fields that
   match their targets. Guesses are marked; types that they propagate are guesses, too, and help
   with further ones. */
#include "go/types/guess.h"
#include "go/types/propagate.h"

#include "base/mem.h"
#include "base/progress.h"
#include "go/runtime/gomap.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CANDIDATES = 512, GUESS_STEP = 1 << 10 };

static void add_candidate(struct guesser *g, gotype_id type, const struct guess_leaves *leaves,
                          uint64_t pointers)
{
	struct guess_candidate c = {.type = type,
	                            .size = (uint32_t)gotype_get(g->typing->types, type)->size,
	                            .leaves = (uint32_t)(leaves - g->leaves)};
	uint64_t first = 0;
	map_get(&g->first, pointers, &first);
	c.next = (uint32_t)first;
	MEM_PUSH(g->candidates, g->count, g->capacity, c);
	map_put(&g->first, pointers, g->count);
}

/* Returns false for structs of the runtime and slots of maps, which are found by other means, for
   atomic pointers, which are parts of others, and for types made by the compiler for generic code,
   which have another, real name. */
static bool is_candidate(const struct typing *t, const struct gotype *type)
{
	static const char *const made[] = {"noalg.",       "map.",          "hash<",
	                                   "map<",         "bucket<",       "runtime.",
	                                   "table<",       "group<",        "internal/runtime/",
	                                   "sync/atomic.", "struct { key ", "struct { F uintptr"};
	bool kind = type->kind == GO_STRUCT || type->kind == GO_STRING || type->kind == GO_SLICE
	            || type->kind == GO_INTERFACE;
	if (!kind || type->size < t->regions.width || type->size > GUESS_LARGEST
	    || strstr(type->name, "go.shape."))
		return false;
	for (size_t i = 0; i < sizeof made / sizeof *made; i++)
		if (strncmp(type->name, made[i], strlen(made[i])) == 0)
			return false;
	return true;
}

void guess_add_candidate(struct guesser *g, gotype_id id, uint64_t package)
{
	if (!is_candidate(g->typing, gotype_get(g->typing->types, id))
	    || !shape_of(g->typing, id)->pointers)
		return;
	const struct guess_leaves *leaves = guess_leaves_of(g, id);
	if (!leaves)
		return;
	uint64_t key = guess_key_of_type(g, id, false), with = guess_key_of_type(g, id, true);
	add_candidate(g, id, leaves, key ^ package);
	if (with != key)
		add_candidate(g, id, leaves, with ^ package);
}

/* Ranks types with equal leaves: an unnamed type before a named one, that before a struct around
   it; two structs are ambiguous. */
static int plainness(const struct gotype *type)
{
	bool named = *type->name != '[' && strchr(type->name, '.');
	return type->kind == GO_STRUCT ? 0 : named ? 1 : 2;
}

void guess_compare(struct guesser *g, gotype_id type, int score, struct guess_best *best)
{
	const struct gotypes *types = g->typing->types;
	const struct guess_leaves *leaves = guess_leaves_of(g, type);
	uint64_t layout = leaves ? leaves->layout : 0;
	if (score < best->score || type == best->type)
		return;
	int plain = plainness(gotype_get(types, type)),
		best_plain = plainness(gotype_get(types, best->type));
	if (score > best->score || !best->type || (layout == best->layout && plain > best_plain))
		*best = (struct guess_best){type, layout, score, false};
	else if (layout != best->layout || plain == best_plain)
		best->several = true;
}

gotype_id guess_best_type(const struct guess_best *best)
{
	return best->score > 0 && !best->several ? best->type : 0;
}

void guess_take(struct guesser *g, uint32_t object, gotype_id type, uint64_t count, unsigned marks)
{
	propagate_add(g->typing, (struct type_claim){heap_address(g->typing->heap, object), type, count,
	                                             SOURCE_GUESS, marks});
}

gotype_id guess_type(struct guesser *g, const struct region *region, uint64_t package)
{
	struct guess_best best = {0};
	uint64_t link = 0, words = (region->size - region->header) / g->typing->regions.width;
	map_get(&g->first, guess_key_of_region(g, region, region->header, words) ^ package, &link);
	uint64_t below = size_class_below(region->size);
	for (int tried = 0; link && tried < MOST_CANDIDATES; tried++) {
		const struct guess_candidate candidate = g->candidates[link - 1];
		uint64_t size = region->header + (uint64_t)candidate.size;
		link = candidate.next;
		if (size <= below || size > region->size)
			continue;
		int score = guess_score_leaves(g, region, region->header, candidate.type,
		                               g->leaves[candidate.leaves])
		            + (package != 0);
		if (score > 0)
			guess_compare(g, candidate.type, score, &best);
	}
	return words == 1 && !best.type && !package ? guess_pointer_to(g, region, 1)
	                                            : guess_best_type(&best);
}

bool guess_goes_on(struct guesser *g, uint64_t done)
{
	if (done % GUESS_STEP == 0 && !progress_step(g->progress, done))
		g->cancelled = true;
	return !g->cancelled;
}

bool guess_objects(struct guesser *g)
{
	const struct typing *t = g->typing;
	struct region region;
	bool any = false;
	for (uint32_t id = 0; id < t->regions.objects && guess_goes_on(g, id); id++) {
		if (t->object[id].type)
			continue;
		regions_get(&t->regions, id, &region);
		gotype_id type = region.noscan || region.size > GUESS_LARGEST ? 0
		                                                              : guess_type(g, &region, 0);
		if (type)
			guess_take(g, id, type, 1, 0);
		any |= t->object[id].type != 0;
	}
	return any;
}

/* ---- All guesses */

/* The order of guesses: first by the packages around the objects, then in rounds, as what one guess
   leads to helps with the next. */

enum { ROUNDS = 4 };

static void guess_index_types(struct guesser *g)
{
	struct gotypes *types = g->typing->types;
	gotypes_complete(types);
	for (gotype_id id = 1; id <= gotypes_count(types); id++) {
		const struct gotype *type = gotype_get(types, id);
		gotype_id slots = type->kind == GO_MAP ? gomap_slots_type(types, id) : 0;
		guess_add_candidate(g, id, 0);
		if (type->kind == GO_POINTER && type->elem)
			map_put(&g->pointers, type->elem, id);
		if (!slots)
			continue;
		map_put(&g->maps, slots, id);
		MEM_PUSH(g->slots, g->slots_count, g->slots_capacity, slots);
	}
}

static void guesser_fini(struct guesser *g)
{
	scalar_fields_fini(&g->scalars);
	map_free(&g->first);
	map_free(&g->pointers);
	map_free(&g->leaves_of);
	map_free(&g->maps);
	free(g->slots);
	free(g->candidates);
	free(g->leaves);
	free(g->scalar);
}

/* Repeats until no type is new, at most ROUNDS times. Returns false if cancelled. */
static bool guess_rounds(struct guesser *g, struct progress *progress)
{
	struct typing *t = g->typing;
	bool any = true, done = true;
	for (int round = 0; any && done && !g->cancelled && round < ROUNDS; round++) {
		any = guess_objects(g);
		done = !g->cancelled && propagate_all(t, progress);
		any |= done && guess_maps(g, false);
		any |= done && guess_rows(g);
		done = done && !g->cancelled && propagate_all(t, progress);
	}
	return done && !g->cancelled;
}

bool guess_types(struct typing *t, struct progress *progress)
{
	struct guesser g = {.typing = t, .scalars = {.types = t->types}, .progress = progress};
	guess_index_types(&g);
	guess_maps(&g, true); /* before what points to them is guessed */
	bool done = !g.cancelled && propagate_all(t, progress);
	if (done)
		guess_by_package(&g);
	done = done && !g.cancelled && propagate_all(t, progress) && guess_rounds(&g, progress);
	guesser_fini(&g);
	return done;
}
