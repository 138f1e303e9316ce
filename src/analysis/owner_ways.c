/* Collects the edges between topmost nodes object by object, and sorts them by source with a
   counting sort. */
#include "analysis/owner_ways.h"

#include "analysis/topmost.h"
#include "base/mem.h"

enum { STEP = 1 << 14, BATCH = 256, AHEAD = 16 };

struct way {
	uint32_t from, to; /* topmost nodes */
};

struct owner_ways_maker {
	struct owner_ways *ways;
	struct owners *owners;
	const struct dominators *dominators;
	const struct root_nodes *root_nodes;
	struct topmost topmost;
	uint32_t objects;      /* topmost nodes that are objects; they come first */
	struct way met[BATCH]; /* a buffer of edges whose nodes are prefetched */
	size_t batch;
	struct way *way;
	size_t count;
};

/* Returns the mark of a topmost node. For RETAIN_STRONGEST, edges from weaker root classes do not
   count, nor edges into a pool from outside: all edges stay within one class. */
static uint32_t owner_ways_mark(const struct owner_ways_maker *m, uint32_t node)
{
	const struct root_nodes *a = m->root_nodes;
	if (m->dominators->retain != RETAIN_STRONGEST)
		return 0;
	const struct root_node *above =
		&a->root_node[root_nodes_of_node(a, dominators_above(m->dominators, node))];
	return above->kind == ROOT_NODE_CLASS ? above->index + 1 : 0;
}

/* Initializes the topmost nodes. Root nodes are their own owners. */
static void owner_ways_start(struct owner_ways_maker *m)
{
	struct owners *o = m->owners;
	for (uint32_t i = 0; i < o->tops; i++) {
		struct owner_top *top = &m->ways->top[i];
		uint32_t root_node = root_nodes_of_node(m->root_nodes, o->top[i]);
		top->mark = owner_ways_mark(m, o->top[i]);
		if (root_node == UINT32_MAX)
			m->objects++;
		else
			top->set = owner_sets_one(&o->sets, o->of_root_node[root_node]);
	}
}

/* Adds an edge. Most come from owners and go into the sets; edges within a subtree and repetitions
   of the last edge are dropped. */
static void owner_ways_take(struct owner_ways_maker *m, struct way way)
{
	struct owner_top *to = &m->ways->top[way.to], *from = &m->ways->top[way.from];
	const struct way *last = m->count ? &m->way[m->count - 1] : NULL;
	if (way.from == way.to || from->mark != to->mark)
		return;
	if (way.from < m->objects) {
		if (!last || last->from != way.from || last->to != way.to)
			m->way[m->count++] = way;
	} else if (from->set != to->set) {
		to->set = owner_sets_union(&m->owners->sets, to->set, from->set);
	}
}

static void owner_ways_take_all(struct owner_ways_maker *m)
{
	for (size_t i = 0; i < m->batch; i++)
		owner_ways_take(m, m->met[i]);
	m->batch = 0;
}

static inline void owner_ways_meet(struct owner_ways_maker *m, uint32_t from, uint32_t to)
{
	if (m->batch == BATCH)
		owner_ways_take_all(m);
	__builtin_prefetch(&m->ways->top[from]);
	__builtin_prefetch(&m->ways->top[to], 1);
	m->met[m->batch++] = (struct way){from, to};
}

/* Adds the edges from a node. */
static inline void owner_ways_put(struct owner_ways_maker *m, uint32_t node, const uint32_t *to,
                                  size_t count)
{
	uint32_t from = TOPMOST_NONE;
	for (size_t i = 0; i < count; i++) {
		if (!ranks_has(&m->topmost.tops, to[i]))
			continue;
		if (from == TOPMOST_NONE && (from = topmost_of(&m->topmost, node)) == TOPMOST_NONE)
			return;
		owner_ways_meet(m, from, ranks_at(&m->topmost.tops, to[i]));
	}
}

static bool owner_ways_collect(struct owner_ways_maker *m, struct progress *progress)
{
	const struct root_nodes *a = m->root_nodes;
	struct edges edges = heap_edges(a->heap);
	for (uint32_t r = 0; r < a->count; r++)
		if (a->row[r] < a->row[r + 1])
			owner_ways_put(m, root_nodes_node(a, r), a->target + a->row[r],
			               a->row[r + 1] - a->row[r]);
	for (uint32_t id = 0, first = starts_at(edges.starts, 0); id < heap_object_count(a->heap);
	     id++) {
		uint32_t end = starts_at(edges.starts, id + 1);
		if (id % STEP == 0 && !progress_step(progress, id))
			return false;
		owner_ways_put(m, id, edges.to + first, end - first);
		first = end;
	}
	owner_ways_take_all(m);
	return true;
}

static size_t owner_ways_row_size(const struct owner_ways *ways)
{
	return (ways->tops + (size_t)1) * sizeof *ways->row;
}

/* Sorts the edges. The writes are random, so they are prefetched. */
static void owner_ways_order(struct owner_ways *ways, const struct way *way, size_t count)
{
	uint32_t end = 0;
	ways->to_size = count * sizeof *ways->to;
	ways->row = mem_column(owner_ways_row_size(ways));
	ways->to = mem_column(ways->to_size);
	for (size_t i = 0; i < count; i++)
		ways->row[way[i].from]++;
	for (uint32_t top = 0; top < ways->tops; top++)
		ways->row[top] = end += ways->row[top]; /* the end of the row; placing the edges turns it
		                                           into the start */
	ways->row[ways->tops] = end;
	for (size_t i = count; i-- > 0;) {
		if (i >= AHEAD)
			__builtin_prefetch(&ways->to[ways->row[way[i - AHEAD].from] - 1], 1);
		ways->to[--ways->row[way[i].from]] = way[i].to;
	}
}

bool owner_ways_init(struct owner_ways *ways, struct owners *owners, struct progress *progress)
{
	const struct dominators *d = owners->dominators;
	size_t size = d->root_nodes->heap->edge_count + d->root_nodes->heap->root_count;
	struct owner_ways_maker m = {
		.ways = ways, .owners = owners, .dominators = d, .root_nodes = d->root_nodes};
	*ways = (struct owner_ways){.tops = owners->tops};
	ways->top = mem_column(ways->tops * sizeof *ways->top);
	m.way = mem_column_most(size * sizeof *m.way); /* upper bound */
	topmost_init(&m.topmost, d, owners->top, owners->tops);
	owner_ways_start(&m);
	bool done = owner_ways_collect(&m, progress);
	topmost_fini(&m.topmost);
	for (uint32_t top = 0; top < ways->tops; top++)
		ways->top[top].mark = 0;
	if (done)
		owner_ways_order(ways, m.way, m.count);
	mem_column_recycle_part(m.way, m.count * sizeof *m.way, size * sizeof *m.way);
	return done;
}

void owner_ways_fini(struct owner_ways *ways)
{
	mem_column_recycle(ways->top, ways->tops * sizeof *ways->top);
	mem_column_recycle(ways->row, owner_ways_row_size(ways));
	mem_column_recycle(ways->to, ways->to_size);
}
