/* The tree of a contracted graph, as its difference from the first tree. */
#include "analysis/dom_graph.h"
#include "base/index_io.h"
#include "base/mem.h"

#include <stdlib.h>

/* The members of a contracted graph by number. */
struct dom_member {
	uint64_t bytes;
	uint32_t objects, node;
};

static uint32_t dom_difference_next(const struct dom_graph *g, uint32_t node)
{
	while (node < g->members->limit && !ranks_has(g->members, node))
		node += node % 64 || g->members->bits[node / 64] ? 1 : 64;
	return node;
}

/* Adds what a member retains in the first tree to the member, and subtracts it from its dominator
   there. So a member has the sum of all nodes that it dominates and that are no members. */
static void dom_difference_place(const struct dom_graph *g, const struct dominators *like,
                                 struct dom_member *member)
{
	for (uint32_t node = dom_difference_next(g, 0); node < like->nodes;
	     node = dom_difference_next(g, node + 1)) {
		uint32_t number = g->number[dom_graph_at(g, node)], above = dominators_above(like, node);
		bool has = dominators_has(like, node);
		uint64_t bytes = has ? dominators_bytes(like, node) : dominators_self(like, node);
		uint32_t objects = has ? dominators_objects(like, node) : node < like->root;
		if (number >= DOM_MARKS)
			continue;
		member[number].bytes += bytes;
		member[number].objects += objects;
		member[number].node = node;
		if (above == OBJECT_NONE || (number = g->number[dom_graph_at(g, above)]) >= DOM_MARKS)
			continue;
		member[number].bytes -= bytes;
		member[number].objects -= objects;
	}
}

static struct dominators_difference dom_difference_at(const struct dom_graph *g,
                                                      const struct dom_member *member,
                                                      uint32_t node)
{
	uint32_t number = g->number[dom_graph_at(g, node)];
	if (number >= DOM_MARKS)
		return (struct dominators_difference){.idom = OBJECT_NONE};
	const struct dom_member *m = &member[number];
	return (struct dominators_difference){number ? member[g->dominator[number]].node : OBJECT_NONE,
	                                      (uint32_t)m->bytes, (uint32_t)(m->bytes >> 32),
	                                      m->objects};
}

static void dom_difference_find_blocks(struct dominators *d)
{
	d->blocks = mem_alloc((d->nodes / DOMINATORS_BLOCK / 64 + 1) * sizeof *d->blocks);
	for (uint32_t word = 0; word <= d->nodes / 64; word++)
		if (d->differing.bits[word])
			word_bit_set(d->blocks, word / (DOMINATORS_BLOCK / 64));
}

/* Stores the members that differ. */
static void dom_difference_store(const struct dom_graph *g, const struct dom_member *member,
                                 struct dominators *out)
{
	const struct dominators *like = out->like;
	size_t capacity = 0, count = 0;
	ranks_init(&out->differing, out->nodes);
	for (uint32_t node = dom_difference_next(g, 0); node < like->nodes;
	     node = dom_difference_next(g, node + 1)) {
		struct dominators_difference own = dom_difference_at(g, member, node);
		uint64_t bytes = dominators_bytes(like, node);
		if (own.idom == dominators_above(like, node) && own.low == (uint32_t)bytes
		    && own.high == bytes >> 32 && own.objects == dominators_objects(like, node))
			continue;
		word_bit_set(out->differing.bits, node);
		MEM_PUSH(out->difference, count, capacity, own);
	}
	ranks_count(&out->differing);
	out->difference = mem_resize(out->difference, count * sizeof *out->difference);
	dom_difference_find_blocks(out);
}

struct dominators *dom_difference(const struct dom_graph *graph, const struct dominators *like)
{
	struct dominators *out = mem_alloc(sizeof *out);
	SCOPED_FREE struct dom_member *member = mem_alloc(graph->count * sizeof *member);
	*out = (struct dominators){.root_nodes = like->root_nodes,
	                           .retain = graph->retain,
	                           .nodes = like->nodes,
	                           .root = like->root,
	                           .like = like};
	dom_difference_place(graph, like, member);
	for (uint32_t w = graph->count; w-- > 1;) {
		member[graph->dominator[w]].bytes += member[w].bytes;
		member[graph->dominator[w]].objects += member[w].objects;
	}
	dom_difference_store(graph, member, out);
	return out;
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
