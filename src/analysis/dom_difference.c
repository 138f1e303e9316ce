/* The difference between two dominator trees. The RETAIN_STRONGEST tree equals the RETAIN_ALIVE
   tree except for a few nodes, because roots of several classes share little; only those nodes are
   stored. */
#include "analysis/dom_graph.h"
#include "base/index_io.h"
#include "base/mem.h"

#include <stdlib.h>

enum {
	FEWER = 8
}; /* a difference costs 20 bytes, a node of a full tree 8: at most one node in FEWER may differ */

/* A parallel walk over two trees of the same nodes; counts the inner nodes so far. */
struct pair {
	const struct dominators *a, *b;
	uint32_t inner_a, inner_b;
};

static uint64_t dom_difference_sum(const struct dominators *d, uint32_t at)
{
	uint64_t high = d->inner_high.ranks.count ? sparse_get(&d->inner_high, at) : 0;
	return high << 32 | d->inner_bytes[at];
}

/* Returns true if the next node in order differs. */
static bool dom_difference_is(struct pair *p, uint32_t node)
{
	bool inner_a = ranks_has(&p->a->inner, node), inner_b = ranks_has(&p->b->inner, node);
	uint32_t a = p->inner_a, b = p->inner_b;
	p->inner_a += inner_a;
	p->inner_b += inner_b;
	if (p->a->idom[node] != p->b->idom[node] || inner_a != inner_b)
		return true;
	return inner_a
	       && (p->a->inner_objects[a] != p->b->inner_objects[b]
	           || dom_difference_sum(p->a, a) != dom_difference_sum(p->b, b));
}

static size_t dom_difference_find(struct dominators *d, const struct dominators *like)
{
	struct pair pair = {.a = d, .b = like};
	ranks_init(&d->differing, d->nodes);
	for (uint32_t node = 0; node < d->nodes; node++)
		if (dom_difference_is(&pair, node))
			word_bit_set(d->differing.bits, node);
	ranks_count(&d->differing);
	return d->differing.count;
}

static void dom_difference_find_blocks(struct dominators *d)
{
	d->blocks = mem_alloc((d->nodes / DOMINATORS_BLOCK / 64 + 1) * sizeof *d->blocks);
	for (uint32_t word = 0; word <= d->nodes / 64; word++)
		if (d->differing.bits[word])
			word_bit_set(d->blocks, word / (DOMINATORS_BLOCK / 64));
}

bool dominators_reduce(struct dominators *d, const struct dominators *like)
{
	struct dominators_difference *to = NULL;
	size_t count = like->like ? SIZE_MAX : dom_difference_find(d, like);
	if (count > d->nodes / FEWER) {
		ranks_fini(&d->differing);
		d->differing = (struct ranks){0};
		return false;
	}
	d->difference = to = mem_alloc((count + 1) * sizeof *to);
	for (uint32_t node = 0; node < d->nodes; node++) {
		if (!ranks_has(&d->differing, node))
			continue;
		uint64_t bytes = dominators_bytes(d, node);
		*to++ = (struct dominators_difference){
			d->idom[node], (uint32_t)bytes, (uint32_t)(bytes >> 32), dominators_objects(d, node)};
	}
	dom_tree_drop(d);
	dom_difference_find_blocks(d);
	d->like = like;
	return true;
}

void dom_difference_fini(struct dominators *d)
{
	ranks_fini(&d->differing);
	free(d->difference);
	free(d->blocks);
}

bool dom_difference_index(struct dominators *d, const struct index_io *io)
{
	const struct index_io differing = index_io_below(io, "differing");
	size_t count = d->differing.count;
	if (!INDEX_ARRAY(io, "difference", d->difference, count)
	    || !ranks_index(&d->differing, d->nodes, &differing) || count != d->differing.count)
		return false;
	if (io->file)
		dom_difference_find_blocks(d);
	return true;
}
