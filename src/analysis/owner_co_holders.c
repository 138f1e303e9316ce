/* Everything below a topmost node is reached through that one, so that nodes are joined into as
   many as there are topmost ones, whose ways are collected first. These are followed backwards;
   those that lead to each other have the same owners, and Tarjan's algorithm finds them together,
   after all that leads to them. */
#include "analysis/owner_co_holders.h"

#include "base/mem.h"

#include <stdlib.h>

enum { STEP = 1 << 14 };

#define FINISHED UINT32_MAX
#define NOTHING  UINT32_MAX

/* What is asked of a topmost node together. */
struct top {
	uint32_t number, low; /* number: 0: not met yet; FINISHED: its set is there */
	uint32_t set;         /* before it is finished, of the owners met so far */
	uint32_t above;       /* its dominator */
	uint32_t way, end;    /* ways into it that are still to be followed, of co_holders.way */
};

struct co_holders {
	struct owners *owners;
	const struct dominators *dominators;
	const struct root_nodes *root_nodes;
	struct edges in;
	uint32_t objects;
	uint32_t *top_of; /* by node: 1 + which of owners->top it is below; 0: not known yet */
	struct top *top;  /* as owners->top */
	uint32_t *way; /* the topmost nodes that others are led to from, in the order of the others */
	uint32_t ways;
	uint32_t *stack; /* those met whose set is not there */
	size_t stacked, stack_capacity;
	uint32_t *visit; /* topmost nodes */
	size_t depth, visit_capacity;
	uint32_t met;
	struct progress *progress;
};

static uint32_t top_above(struct co_holders *j, uint32_t node)
{
	const struct dominators *d = j->dominators;
	uint32_t top = node;
	while (!j->top_of[top])
		top = dominators_above(d, top);
	for (uint32_t n = node; n != top; n = dominators_above(d, n))
		j->top_of[n] = j->top_of[top];
	return j->top_of[top] - 1;
}

/* To owners by root class, ways from those that are less firm do not count, nor into a pool from
   outside of it. */
static bool owner_co_holders_counts(const struct co_holders *j, uint32_t from, uint32_t to)
{
	return j->dominators->retain != RETAIN_STRONGEST || j->top[from].above == j->top[to].above;
}

/* What a search asks for first of those that ways come from. */
enum { AHEAD = 16 };

static void owner_co_holders_enter(struct co_holders *j, uint32_t index)
{
	struct top *top = &j->top[index];
	for (uint32_t w = top->way; w < top->end && w < top->way + AHEAD; w++)
		__builtin_prefetch(&j->top[j->way[w]], 1);
	top->number = top->low = ++j->met;
	j->stack = mem_grow(j->stack, j->stacked, &j->stack_capacity, sizeof *j->stack);
	j->stack[j->stacked++] = index;
	j->visit = mem_grow(j->visit, j->depth, &j->visit_capacity, sizeof *j->visit);
	j->visit[j->depth++] = index;
}

static void owner_co_holders_give(struct co_holders *j, uint32_t top, uint32_t set)
{
	if (j->top[top].set != set)
		j->top[top].set = owner_sets_union(&j->owners->sets, j->top[top].set, set);
}

/* Those from `first` on lead to each other. */
static void owner_co_holders_finish(struct co_holders *j, uint32_t first)
{
	size_t end = j->stacked, at = end;
	do
		owner_co_holders_give(j, first, j->top[j->stack[--at]].set);
	while (j->stack[at] != first);
	for (size_t i = at; i < end; i++) {
		j->top[j->stack[i]].set = j->top[first].set;
		j->top[j->stack[i]].number = FINISHED;
	}
	j->stacked = at;
}

static void owner_co_holders_lower(struct co_holders *j, uint32_t top, uint32_t low)
{
	if (low < j->top[top].low)
		j->top[top].low = low;
}

/* What leads to a finished one leads to the one that it has been met from. */
static void owner_co_holders_leave(struct co_holders *j)
{
	uint32_t top = j->visit[--j->depth];
	if (j->top[top].low == j->top[top].number)
		owner_co_holders_finish(j, top);
	if (!j->depth)
		return;
	uint32_t to = j->visit[j->depth - 1];
	if (j->top[top].number == FINISHED)
		owner_co_holders_give(j, to, j->top[top].set);
	else
		owner_co_holders_lower(j, to, j->top[top].low);
}

static void take_way(struct co_holders *j, uint32_t top, uint32_t from)
{
	if (j->top[from].number == FINISHED)
		owner_co_holders_give(j, top, j->top[from].set);
	else if (j->top[from].number)
		owner_co_holders_lower(j, top, j->top[from].number);
	else
		owner_co_holders_enter(j, from);
}

static bool owner_co_holders_search(struct co_holders *j, uint32_t first)
{
	uint64_t steps = 0;
	owner_co_holders_enter(j, first);
	while (j->depth) {
		uint32_t index = j->visit[j->depth - 1];
		struct top *top = &j->top[index];
		if (++steps % STEP == 0 && !progress_step(j->progress, j->met))
			return false;
		if (top->way < top->end)
			take_way(j, index, j->way[top->way++]);
		else
			owner_co_holders_leave(j);
	}
	return true;
}

/* Root nodes are owners by themselves. */
static void owner_co_holders_start(struct co_holders *j)
{
	struct owners *o = j->owners;
	for (uint32_t i = 0; i < o->tops; i++) {
		uint32_t node = o->top[i];
		j->top_of[node] = i + 1;
		j->top[i].above = dominators_above(j->dominators, node);
		if (node < j->objects)
			continue;
		uint32_t root_node = root_nodes_of_node(j->root_nodes, node);
		j->top[i].set = owner_sets_one(&o->sets, o->of_root_node[root_node]);
		j->top[i].number = FINISHED;
	}
}

/* Those of a root node's targets that are topmost have its owner. */
static void give_targets(struct co_holders *j, uint32_t root_node)
{
	const struct root_nodes *a = j->root_nodes;
	uint32_t from = top_above(j, root_nodes_node(a, root_node));
	for (uint32_t i = a->row[root_node]; i < a->row[root_node + 1]; i++) {
		uint32_t object = a->target[i];
		if (!dominators_has(j->dominators, object))
			continue;
		uint32_t top = top_above(j, object);
		if (j->owners->top[top] == object && owner_co_holders_counts(j, from, top))
			j->top[top].set = owner_sets_union(&j->owners->sets, j->top[top].set, j->top[from].set);
	}
}

static void give_all_targets(struct co_holders *j)
{
	for (uint32_t root_node = 0; root_node < j->root_nodes->count; root_node++)
		if (j->root_nodes->row[root_node] < j->root_nodes->row[root_node + 1]
		    && dominators_has(j->dominators, root_nodes_node(j->root_nodes, root_node)))
			give_targets(j, root_node);
}

/* Ways to be collected, many at once: which topmost node each comes from, and what is known of
   that, lies anywhere in memory and is asked for ahead. */
enum { WAYS = 256 };
struct ways {
	uint32_t to[WAYS], from[WAYS]; /* a topmost node; first an object, then one of those or NOTHING
	                                */
	size_t count;
};

/* Most come from owners, whose sets are there; those from what is below itself, or from the same as
   the one before, say nothing. */
static void collect_way(struct co_holders *j, uint32_t to, uint32_t from)
{
	struct top *top = &j->top[to];
	if (!top->end)
		top->way = top->end = j->ways;
	if (from == NOTHING || from == to || !owner_co_holders_counts(j, from, to))
		return;
	if (j->top[from].number == FINISHED)
		owner_co_holders_give(j, to, j->top[from].set);
	else if (j->ways == top->way || j->way[j->ways - 1] != from)
		j->way[j->ways++] = from;
	top->end = j->ways;
}

static void collect_ways(struct co_holders *j, struct ways *ways)
{
	for (size_t i = 0; i < ways->count; i++) {
		uint32_t object = ways->from[i], known = j->top_of[object];
		bool has = known || dominators_has(j->dominators, object);
		ways->from[i] = known ? known - 1 : has ? top_above(j, object) : NOTHING;
		if (has)
			__builtin_prefetch(&j->top[ways->from[i]], 1);
	}
	for (size_t i = 0; i < ways->count; i++)
		collect_way(j, ways->to[i], ways->from[i]);
	ways->count = 0;
}

static void put_ways(struct co_holders *j, struct ways *ways, uint32_t top)
{
	struct ids from = edges_of(j->in, j->owners->top[top]);
	for (size_t i = 0; i < from.count; i++) {
		if (ways->count == WAYS)
			collect_ways(j, ways);
		__builtin_prefetch(&j->top_of[from.id[i]], 1);
		ways->to[ways->count] = top;
		ways->from[ways->count++] = from.id[i];
	}
}

/* Objects are the first of the nodes. */
static bool collect_all_ways(struct co_holders *j)
{
	struct ways ways = {.count = 0};
	for (uint32_t i = 0; i < j->owners->tops && j->owners->top[i] < j->objects; i++) {
		if (i % STEP == 0 && !progress_step(j->progress, i))
			return false;
		put_ways(j, &ways, i);
	}
	collect_ways(j, &ways);
	return true;
}

static bool owner_co_holders_all(struct co_holders *j)
{
	owner_co_holders_start(j);
	give_all_targets(j);
	bool done = collect_all_ways(j);
	for (uint32_t top = 0; top < j->owners->tops && done; top++)
		done = j->top[top].number || owner_co_holders_search(j, top);
	return done;
}

uint32_t *owner_co_holder_sets(struct owners *owners, struct progress *progress)
{
	const struct dominators *d = owners->dominators;
	const struct heap *heap = d->root_nodes->heap;
	size_t nodes = d->nodes * sizeof(uint32_t), tops = owners->tops * sizeof(struct top);
	size_t ways = (heap->edge_count + 1) * sizeof(uint32_t); /* at most */
	struct co_holders j = {
		.owners = owners,
		.dominators = d,
		.root_nodes = d->root_nodes,
		.progress = progress,
		.in = heap_back_edges(heap),
		.objects = heap_object_count(heap),
		.top_of = mem_column(nodes),
		.top = mem_column(tops),
		.way = mem_column(ways),
	};
	uint32_t *sets = NULL;
	progress_begin(progress, "looking who holds what jointly", owners->tops);
	bool done = owner_co_holders_all(&j);
	mem_column_free(j.top_of, nodes);
	mem_column_free(j.way, ways);
	if (done)
		sets = mem_alloc((owners->tops + 1) * sizeof *sets);
	for (uint32_t top = 0; top < owners->tops && done; top++)
		sets[top] = j.top[top].set;
	mem_column_free(j.top, tops);
	free(j.stack);
	free(j.visit);
	return sets;
}
