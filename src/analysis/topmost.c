#include "analysis/topmost.h"

#include "base/mem.h"

enum { AHEAD = 24 };

/* Prefetches dominators, which are scattered in memory, but close together for neighbors. */
static void topmost_ask(const struct topmost *t, uint32_t node)
{
	if (node < t->dominators->nodes && ranks_has(&t->inner, node)) {
		uint32_t above = dominators_above(t->dominators, node);
		if (above != OBJECT_NONE)
			dominators_ask_above(t->dominators, above);
	}
}

/* Climbs to a known node, and stores the result on the path. */
static void topmost_climb(struct topmost *t, uint32_t node)
{
	uint32_t *below = t->below, at = node;
	while (!below[ranks_at(&t->inner, at)])
		at = dominators_above(t->dominators, at);
	uint32_t known = below[ranks_at(&t->inner, at)];
	for (uint32_t n = node; n != at; n = dominators_above(t->dominators, n))
		below[ranks_at(&t->inner, n)] = known;
}

static size_t topmost_size(const struct topmost *t)
{
	return t->inner.count * sizeof *t->below;
}

void topmost_init(struct topmost *t, const struct dominators *dominators, const uint32_t *top,
                  uint32_t tops)
{
	*t = (struct topmost){.dominators = dominators};
	dominators_find_inner(dominators, &t->inner);
	t->below = mem_column(topmost_size(t));
	ranks_init(&t->tops, dominators->nodes);
	for (uint32_t i = 0; i < tops; i++) {
		word_bit_set(t->tops.bits, top[i]);
		if (ranks_has(&t->inner, top[i]))
			t->below[ranks_at(&t->inner, top[i])] = i + 1;
	}
	ranks_count(&t->tops);
	for (uint32_t node = 0; node < dominators->nodes; node++) {
		topmost_ask(t, node + AHEAD);
		if (ranks_has(&t->inner, node) && !root_nodes_is_flat_node(dominators->root_nodes, node))
			topmost_climb(t, node);
	}
}

void topmost_fini(struct topmost *t)
{
	mem_column_recycle(t->below, topmost_size(t));
	ranks_fini(&t->inner);
	ranks_fini(&t->tops);
}
