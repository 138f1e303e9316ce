/* Which owners of a holding are named first: part of table/estate_cell.h. */
#include "table/estate_cell.h"

#include <stdlib.h>
#include <string.h>

struct telling {
	uint32_t owner;
	int rank; /* the smallest first */
	uint32_t alike;
};

static bool is_named(const struct analysis *analysis, const struct anchor *anchor)
{
	const char *name;
	uint64_t offset;
	return names_variable(analysis_names(analysis),
	                      analysis->heap->roots[anchor->index].address, &name, &offset);
}

static int rank_of(const struct analysis *analysis, uint32_t anchor)
{
	enum { VARIABLE, GOROUTINE, WORD, REST };
	const struct anchors *anchors = analysis->anchors;
	const struct anchor *a = &anchors->anchor[anchor];
	bool runtime = a->parent == anchors->strength[STRENGTH_RUNTIME];
	if (a->kind == ANCHOR_GOROUTINE)
		return GOROUTINE;
	if (a->kind != ANCHOR_GLOBAL || runtime)
		return REST;
	return is_named(analysis, a) ? VARIABLE : WORD;
}

static int most_telling(const void *a, const void *b)
{
	const struct telling *x = a, *y = b;
	if (x->rank != y->rank)
		return x->rank - y->rank;
	if (x->alike != y->alike)
		return x->alike > y->alike ? -1 : 1;
	return x->owner < y->owner ? -1 : x->owner > y->owner;
}

void estate_order_owners(const struct analysis *analysis, const struct owners *owners,
                         struct ids set, uint32_t *out)
{
	struct telling telling[OWNERS_MOST];
	for (size_t i = 0; i < set.count; i++) {
		const struct owner *owner = &owners->owner[set.id[i]];
		telling[i] = (struct telling){set.id[i], rank_of(analysis, owner->anchor), owner->anchors};
	}
	qsort(telling, set.count, sizeof *telling, most_telling);
	for (size_t i = 0; i < set.count; i++)
		out[i] = telling[i].owner;
}
