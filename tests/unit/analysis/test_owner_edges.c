/* Sets of owners that are given on along edges, by the fast method and by the one for any graph,
   against following the edges from each owner on its own. */
#include "cmocka_all.h"
#include "xorshift.h"

#include "analysis/owner_edges.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { TOPS_MOST = 400, OWNERS = 24, DEGREE = 4 };

struct graph {
	struct owner_edges edges;
	struct owner_sets sets;
	struct owner_top top[TOPS_MOST];
	uint32_t row[TOPS_MOST + 1], to[TOPS_MOST * DEGREE];
	bool owned[TOPS_MOST][OWNERS]; /* owned directly; then by all paths */
};

static struct graph *begin(uint32_t tops)
{
	struct graph *g = mem_alloc(sizeof *g);
	owner_sets_init(&g->sets);
	g->edges = (struct owner_edges){.top = g->top, .tops = tops, .row = g->row, .to = g->to};
	return g;
}

static void end(struct graph *g)
{
	owner_sets_fini(&g->sets);
	free(g);
}

static void own(struct graph *g, uint32_t top, uint32_t owner)
{
	g->owned[top][owner] = true;
	g->top[top].set = owner_sets_union(&g->sets, g->top[top].set, owner_sets_one(&g->sets, owner));
}

/* Edges anywhere, or along rows with a few back. */
static struct graph *any(uint64_t seed)
{
	uint64_t state = seed * 0x9e3779b97f4a7c15 + 1;
	struct graph *g = begin(2 + (uint32_t)xorshift_below(&state, 60));
	uint64_t far = xorshift_below(&state, 2) ? g->edges.tops : 3;
	for (uint32_t top = 0, edge = 0; top < g->edges.tops; top++) {
		for (uint64_t n = xorshift_below(&state, DEGREE); n > 0; n--)
			g->to[edge++] =
				(uint32_t)((top + g->edges.tops - 1 + xorshift_below(&state, far)) % g->edges.tops);
		g->row[top + 1] = edge;
		if (!xorshift_below(&state, 6))
			own(g, top, (uint32_t)xorshift_below(&state, OWNERS));
	}
	return g;
}

/* Returns a ring whose owners are in reverse order: the sets of all reach each node one by one. */
static struct graph *ring(void)
{
	struct graph *g = begin(TOPS_MOST);
	for (uint32_t top = 0; top < g->edges.tops; top++) {
		g->to[top] = (top + 1) % g->edges.tops;
		g->row[top + 1] = top + 1;
	}
	for (uint32_t owner = 0; owner < OWNERS; owner++)
		own(g, owner * (TOPS_MOST / OWNERS), owner);
	return g;
}

/* Follows all edges until nothing changes. */
static void follow(struct graph *g)
{
	for (bool more = true; more;) {
		more = false;
		for (uint32_t top = 0; top < g->edges.tops; top++)
			for (uint32_t w = g->row[top]; w < g->row[top + 1]; w++)
				for (int owner = 0; owner < OWNERS; owner++)
					if (g->owned[top][owner] && !g->owned[g->to[w]][owner])
						more = g->owned[g->to[w]][owner] = true;
	}
}

static size_t check(struct graph *g)
{
	size_t several = 0;
	follow(g);
	for (uint32_t top = 0; top < g->edges.tops; top++) {
		struct ids set = owner_sets_of(&g->sets, g->top[top].set);
		bool has[OWNERS] = {false};
		for (size_t i = 0; i < set.count; i++)
			has[set.id[i]] = true;
		assert_memory_equal(has, g->owned[top], sizeof has);
		several += set.count > 1;
	}
	return several;
}

TEST(spread_gives_what_leads_there)
{
	size_t spread = 0, several = 0;
	for (uint64_t seed = 1; seed <= 2000; seed++) {
		struct graph *g = any(seed);
		if (owner_edges_spread(&g->edges, &g->sets, NULL)) {
			several += check(g);
			spread++;
		}
		end(g);
	}
	assert_true(spread > 1000 && several > 10000);
}

TEST(what_leads_to_each_other_is_found_first)
{
	size_t several = 0;
	for (uint64_t seed = 1; seed <= 2000; seed++) {
		struct graph *g = any(seed);
		assert_true(owner_co_holders_find(&g->edges, &g->sets, NULL));
		several += check(g);
		end(g);
	}
	assert_true(several > 10000);
}

/* The slow algorithm continues with the sets that the fast one has reached. */
TEST(what_is_given_up_is_found_otherwise)
{
	struct graph *g = ring();
	assert_false(owner_edges_spread(&g->edges, &g->sets, NULL));
	assert_true(owner_co_holders_find(&g->edges, &g->sets, NULL));
	assert_int_equal(check(g), TOPS_MOST);
	end(g);
}
