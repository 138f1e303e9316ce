/* The order of guesses: first by the packages around the objects, then in rounds, as what one guess
   leads to helps with the next. */
#include "types/guess.h"

#include "base/mem.h"
#include "goruntime/gomap.h"

#include <stdlib.h>

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
		any |= done && guess_maps(g);
		any |= done && guess_rows(g);
		done = done && !g->cancelled && propagate_all(t, progress);
	}
	return done && !g->cancelled;
}

bool guess_types(struct typing *t, struct progress *progress)
{
	struct guesser g = {.typing = t, .scalars = {.types = t->types}, .progress = progress};
	guess_index_types(&g);
	guess_by_package(&g);
	bool done = !g.cancelled && propagate_all(t, progress) && guess_rounds(&g, progress);
	guesser_fini(&g);
	return done;
}
