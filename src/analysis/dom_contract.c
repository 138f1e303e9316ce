/* The RETAIN_STRONGEST tree, from that for RETAIN_ALIVE. The graphs differ in few edges, so most of
   the first tree stays, and only a contracted graph is searched.

   Let A and S be the two graphs, d a node, T(d) the nodes that d dominates in A, d included. The
   changed nodes are the targets of edges that pools, timers and seats (analysis/root_nodes.h) add
   or remove. Call a node open if it strictly dominates a changed node in A; the root always is. So
   the dominators of open nodes are open. The contracted graph has these nodes:

      1. entered nodes: those whose immediate dominator in A is open;
      2. the sources of all edges to entered nodes, and all that dominates these sources in A.

   Its edges are all edges of S to entered nodes, and an edge from its dominator in A to every other
   node. Its dominators are those of S:

   a. Nodes that are not open form disjoint sets T(d), one for each entered d that is not open. All
      edges into T(d), except to d, come from T(d), or d would not dominate their targets. S adds no
      others, and removes none of these: pools, timers and seats change none, as T(d) has no changed
      node but d. Nor do root classes: T(d) is in the root class of d, the first one to reach d.

   b. So with a node v removed, the same nodes of T(d) can be reached from d in A and S: all but
      T(v). This holds, too, if only edges from immediate dominators remain within T(d). Dominance
      is this reachability, so it is the same in S and in the graph with these edges.

   c. In that graph, nodes that are not in the contracted graph lead only to such nodes, so they
      change no other node. Their dominators and retained sizes in S are those in A.

   Objects that only pools reach are unreachable in A. If there are any, all unreachable objects are
   entered nodes, and what they reference is changed. */
#include "analysis/dom_graph.h"

#include "base/mem.h"
#include "heap/heap.h"

#include <stdlib.h>

enum { STEP = 1 << 14 };

struct contraction {
	const struct dominators *alive;
	const struct root_nodes *root_nodes;
	uint64_t *open, *entered; /* bits by node */
	uint64_t *seated;         /* bits by object: only the edges from its seats count */
	bool unreachable;         /* entered nodes include unreachable objects */
	struct ranks members;     /* nodes of the contracted graph */
	struct contraction_edge {
		uint32_t from, to;
	} * edge;
	size_t count, capacity;
	/* of the graph: CSR by its nodes */
	struct starts starts;
	uint32_t *to;
};

/* Adds a node and its dominators to a set that contains the dominators of its members. */
static void contraction_mark(const struct contraction *c, uint64_t *set, uint32_t node)
{
	while (node != OBJECT_NONE && word_bit_add(set, node))
		node = dominators_above(c->alive, node);
}

static void contraction_add_changed(struct contraction *c, uint32_t object)
{
	c->unreachable |= !dominators_has(c->alive, object);
	contraction_mark(c, c->open, dominators_above(c->alive, object));
}

static void contraction_add_unreachable(struct contraction *c)
{
	struct edges edges = heap_edges(c->root_nodes->heap);
	for (uint32_t id = 0; id < c->alive->root; id++) {
		struct ids to = edges_of(edges, id);
		for (size_t i = 0; i < to.count && !dominators_has(c->alive, id); i++)
			contraction_add_changed(c, to.id[i]);
	}
}

static void contraction_find_open(struct contraction *c)
{
	const struct root_nodes *h = c->root_nodes;
	word_bit_set(c->open, c->alive->root);
	for (uint32_t i = 0; i < h->seats; i++) {
		contraction_add_changed(c, h->seat[i].object);
		word_bit_set(c->seated, h->seat[i].object);
	}
	for (uint32_t i = 0; i < h->pools.count; i++) /* also if a damaged dump has a seat for it */
		word_bit_clear(c->seated, h->pools.object[i]);
	for (int k = 0; k < ROOT_CLASSES - 1; k++)
		for (uint32_t i = h->row[h->root_class[k]]; i < h->row[h->root_class[k + 1]]; i++)
			if (!root_class_has_roots((enum root_class)k))
				contraction_add_changed(c, h->target[i]);
	if (c->unreachable)
		contraction_add_unreachable(c);
}

/* Root nodes that are not in the first tree are entered, too. */
static void contraction_find_entered(struct contraction *c)
{
	const struct dominators *alive = c->alive;
	for (uint32_t node = 0; node < alive->nodes; node++) {
		uint32_t above = dominators_above(alive, node);
		if (above == OBJECT_NONE ? node >= alive->root || c->unreachable
		                         : word_bit_is_set(c->open, above))
			word_bit_set(c->entered, node);
	}
}

static void contraction_add_edge(struct contraction *c, uint32_t from, uint32_t to)
{
	MEM_PUSH(c->edge, c->count, c->capacity, (struct contraction_edge){from, to});
	contraction_mark(c, c->members.bits, from);
}

static void contraction_add_targets(struct contraction *c, uint32_t from, struct ids to)
{
	for (size_t i = 0; i < to.count; i++)
		if (word_bit_is_set(c->entered, to.id[i]) && !word_bit_is_set(c->seated, to.id[i]))
			contraction_add_edge(c, from, to.id[i]);
}

/* Adds the edges to entered nodes. Those between root nodes are not in the CSR rows. */
static bool contraction_add_entries(struct contraction *c, struct progress *progress)
{
	const struct root_nodes *h = c->root_nodes;
	struct edges edges = heap_edges(h->heap);
	uint32_t objects = c->alive->root;
	progress_begin(progress, "finding owners", objects);
	for (uint32_t id = 0; id < objects; id++) {
		if (c->unreachable || dominators_has(c->alive, id))
			contraction_add_targets(c, id, edges_of(edges, id));
		if (id % STEP == 0 && !progress_step(progress, id))
			return false;
	}
	for (uint32_t i = 0; i < h->count; i++)
		contraction_add_targets(c, objects + i,
		                        (struct ids){h->target + h->row[i], h->row[i + 1] - h->row[i]});
	for (uint32_t i = 0; i < h->seats; i++)
		contraction_add_edge(c, objects + h->seat[i].root_node, h->seat[i].object);
	return true;
}

/* Adds the edges from immediate dominators to nodes that are not entered. */
static void contraction_close(struct contraction *c)
{
	for (uint32_t word = 0; word <= c->alive->nodes / 64; word++)
		c->members.bits[word] |= c->entered[word];
	word_bit_set(c->members.bits, c->alive->root);
	ranks_count(&c->members);
	for (uint32_t id = 0; id < c->alive->root; id++)
		if (ranks_has(&c->members, id) && !word_bit_is_set(c->entered, id))
			MEM_PUSH(c->edge, c->count, c->capacity,
			         (struct contraction_edge){dominators_above(c->alive, id), id});
}

/* A counting sort of the edges by source. */
static void contraction_sort(struct contraction *c, const struct dom_graph *g)
{
	SCOPED_FREE uint32_t *row = mem_alloc((g->nodes + 2ULL) * sizeof *row);
	struct starts_maker maker;
	c->to = mem_alloc(c->count * sizeof *c->to);
	for (size_t i = 0; i < c->count; i++)
		row[dom_graph_at(g, c->edge[i].from) + 2]++;
	starts_begin(&maker, g->nodes + 1ULL);
	for (uint32_t at = 0; at <= g->nodes; at++) {
		row[at + 1] += row[at];
		starts_put(&maker, row[at + 1]);
	}
	for (size_t i = 0; i < c->count; i++)
		c->to[row[dom_graph_at(g, c->edge[i].from) + 1]++] = dom_graph_at(g, c->edge[i].to);
	c->starts = starts_end(&maker);
}

static void contraction_fini(struct contraction *c)
{
	ranks_fini(&c->members);
	starts_fini(&c->starts);
	free(c->open);
	free(c->entered);
	free(c->seated);
	free(c->edge);
	free(c->to);
}

struct dominators *dominators_new_strongest(const struct dominators *alive,
                                            struct progress *progress)
{
	size_t words = alive->nodes / 64 + 1;
	struct contraction c = {.alive = alive,
	                        .root_nodes = alive->root_nodes,
	                        .open = mem_alloc(words * sizeof *c.open),
	                        .entered = mem_alloc(words * sizeof *c.entered),
	                        .seated = mem_alloc(words * sizeof *c.seated)};
	struct dominators *out = NULL;
	ranks_init(&c.members, alive->nodes);
	contraction_find_open(&c);
	contraction_find_entered(&c);
	if (contraction_add_entries(&c, progress)) {
		contraction_close(&c);
		struct dom_graph graph = {.root_nodes = alive->root_nodes,
		                          .retain = RETAIN_STRONGEST,
		                          .objects = ranks_at(&c.members, alive->root),
		                          .members = &c.members};
		graph.nodes = graph.objects + alive->root_nodes->count;
		contraction_sort(&c, &graph);
		graph.references = (struct edges){&c.starts, c.to};
		if (dom_graph_search(&graph, c.count, progress))
			out = dom_difference(&graph, alive);
		dom_graph_fini(&graph);
	}
	contraction_fini(&c);
	return out;
}
