/* Collects the edges between topmost nodes object by object, and sorts them by source with a
   counting sort. */
#include "analysis/owner_edges.h"

#include "base/mem.h"
#include "heap/heap.h"

enum { STEP = 1 << 14, BATCH = 256, AHEAD = 16 };

struct owner_edge {
	uint32_t from, to; /* topmost nodes */
};

struct owner_edges_maker {
	struct owner_edges *edges;
	struct owners *owners;
	const struct dominators *dominators;
	const struct root_nodes *root_nodes;
	struct topmost topmost;
	uint32_t objects;             /* topmost nodes that are objects; they come first */
	struct owner_edge met[BATCH]; /* a buffer of edges whose nodes are prefetched */
	size_t batch;
	struct owner_edge *edge;
	size_t count;
};

/* Returns the mark of a topmost node. For RETAIN_STRONGEST, edges from weaker root classes do not
   count, nor edges into a pool from outside: all edges stay within one class. */
static uint32_t owner_edges_mark(const struct owner_edges_maker *m, uint32_t node)
{
	const struct root_nodes *a = m->root_nodes;
	if (m->dominators->retain != RETAIN_STRONGEST)
		return 0;
	const struct root_node *above =
		&a->root_node[root_nodes_of_node(a, dominators_above(m->dominators, node))];
	return above->kind == ROOT_NODE_CLASS ? above->index + 1 : 0;
}

/* Initializes the topmost nodes. Root nodes are their own owners. */
static void owner_edges_start(struct owner_edges_maker *m)
{
	struct owners *o = m->owners;
	for (uint32_t i = 0; i < o->tops; i++) {
		struct owner_top *top = &m->edges->top[i];
		uint32_t root_node = root_nodes_of_node(m->root_nodes, o->top[i]);
		top->mark = owner_edges_mark(m, o->top[i]);
		if (root_node == UINT32_MAX)
			m->objects++;
		else
			top->set = owner_sets_one(&o->sets, o->of_root_node[root_node]);
	}
}

/* Adds an edge. Most come from owners and go into the sets; edges within a subtree and repetitions
   of the last edge are dropped. */
static void owner_edges_take(struct owner_edges_maker *m, struct owner_edge edge)
{
	struct owner_top *to = &m->edges->top[edge.to], *from = &m->edges->top[edge.from];
	const struct owner_edge *last = m->count ? &m->edge[m->count - 1] : NULL;
	if (edge.from == edge.to || from->mark != to->mark)
		return;
	if (edge.from < m->objects) {
		if (!last || last->from != edge.from || last->to != edge.to)
			m->edge[m->count++] = edge;
	} else if (from->set != to->set) {
		to->set = owner_sets_union(&m->owners->sets, to->set, from->set);
	}
}

static void owner_edges_take_all(struct owner_edges_maker *m)
{
	for (size_t i = 0; i < m->batch; i++)
		owner_edges_take(m, m->met[i]);
	m->batch = 0;
}

static inline void owner_edges_meet(struct owner_edges_maker *m, uint32_t from, uint32_t to)
{
	if (m->batch == BATCH)
		owner_edges_take_all(m);
	__builtin_prefetch(&m->edges->top[from]);
	__builtin_prefetch(&m->edges->top[to], 1);
	m->met[m->batch++] = (struct owner_edge){from, to};
}

/* Adds the edges from a node. */
static inline void owner_edges_put(struct owner_edges_maker *m, uint32_t node, const uint32_t *to,
                                   size_t count)
{
	uint32_t from = TOPMOST_NONE;
	for (size_t i = 0; i < count; i++) {
		if (!ranks_has(&m->topmost.tops, to[i]))
			continue;
		if (from == TOPMOST_NONE && (from = topmost_of(&m->topmost, node)) == TOPMOST_NONE)
			return;
		owner_edges_meet(m, from, ranks_at(&m->topmost.tops, to[i]));
	}
}

static bool owner_edges_collect(struct owner_edges_maker *m, struct progress *progress)
{
	const struct root_nodes *a = m->root_nodes;
	struct edges edges = heap_edges(a->heap);
	for (uint32_t r = 0; r < a->count; r++)
		if (a->row[r] < a->row[r + 1])
			owner_edges_put(m, root_nodes_node(a, r), a->target + a->row[r],
			                a->row[r + 1] - a->row[r]);
	for (uint32_t id = 0, first = starts_at(edges.starts, 0); id < heap_object_count(a->heap);
	     id++) {
		uint32_t end = starts_at(edges.starts, id + 1);
		if (id % STEP == 0 && !progress_step(progress, id))
			return false;
		owner_edges_put(m, id, edges.to + first, end - first);
		first = end;
	}
	owner_edges_take_all(m);
	return true;
}

static size_t owner_edges_row_size(const struct owner_edges *edges)
{
	return (edges->tops + (size_t)1) * sizeof *edges->row;
}

/* Sorts the edges. The writes are random, so they are prefetched. */
static void owner_edges_order(struct owner_edges *edges, const struct owner_edge *edge,
                              size_t count)
{
	uint32_t end = 0;
	edges->to_size = count * sizeof *edges->to;
	edges->row = mem_column(owner_edges_row_size(edges));
	edges->to = mem_column(edges->to_size);
	for (size_t i = 0; i < count; i++)
		edges->row[edge[i].from]++;
	for (uint32_t top = 0; top < edges->tops; top++)
		/* the end of the row; placing the edges turns it into the start */
		edges->row[top] = end += edges->row[top];
	edges->row[edges->tops] = end;
	for (size_t i = count; i-- > 0;) {
		if (i >= AHEAD)
			__builtin_prefetch(&edges->to[edges->row[edge[i - AHEAD].from] - 1], 1);
		edges->to[--edges->row[edge[i].from]] = edge[i].to;
	}
}

bool owner_edges_init(struct owner_edges *edges, struct owners *owners, struct progress *progress)
{
	const struct dominators *d = owners->dominators;
	size_t size = d->root_nodes->heap->edge_count + d->root_nodes->heap->root_count;
	struct owner_edges_maker m = {
		.edges = edges, .owners = owners, .dominators = d, .root_nodes = d->root_nodes};
	*edges = (struct owner_edges){.tops = owners->tops};
	edges->top = mem_column(edges->tops * sizeof *edges->top);
	m.edge = mem_column_most(size * sizeof *m.edge); /* upper bound */
	topmost_init(&m.topmost, d, owners->top, owners->tops);
	owner_edges_start(&m);
	bool done = owner_edges_collect(&m, progress);
	topmost_fini(&m.topmost);
	for (uint32_t top = 0; top < edges->tops; top++)
		edges->top[top].mark = 0;
	if (done)
		owner_edges_order(edges, m.edge, m.count);
	mem_column_recycle_part(m.edge, m.count * sizeof *m.edge, size * sizeof *m.edge);
	return done;
}

void owner_edges_fini(struct owner_edges *edges)
{
	mem_column_recycle(edges->top, edges->tops * sizeof *edges->top);
	mem_column_recycle(edges->row, owner_edges_row_size(edges));
	mem_column_recycle(edges->to, edges->to_size);
}

/* ---- Topmost dominators of all nodes */

enum { AHEAD_NODE = 24 };

/* Prefetches dominators, which are scattered in memory, but close together for neighbors. */
static void topmost_prefetch(const struct topmost *t, uint32_t node)
{
	if (node < t->dominators->nodes && ranks_has(&t->inner, node)) {
		uint32_t above = dominators_above(t->dominators, node);
		if (above != OBJECT_NONE)
			dominators_prefetch_above(t->dominators, above);
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
		topmost_prefetch(t, node + AHEAD_NODE);
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
