/* Everything below a topmost node is reached through that one, so that nodes are joined into as
   many as there are topmost ones. Between these, the ways are followed backwards; those that lead
   to each other have the same owners, and Tarjan's algorithm finds them together, after all that
   leads to them. */
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
	uint32_t way, end;    /* ways into it that are still to be followed, of the heap's */
};

struct co_holders {
	struct owners *owners;
	const struct dominators *dominators;
	const struct root_nodes *root_nodes;
	struct edges in;
	uint32_t objects;
	uint32_t *top_of; /* by node: 1 + which of owners->top it is below; 0: not known yet */
	struct top *top;  /* as owners->top */
	uint32_t *stack;  /* those met whose set is not there */
	size_t stacked, stack_capacity;
	uint32_t *visit; /* topmost nodes */
	size_t depth, visit_capacity;
	uint32_t met;
	struct progress *progress;
};

static uint32_t top_above(struct co_holders *j, uint32_t node)
{
	const uint32_t *idom = j->dominators->idom;
	uint32_t top = node;
	while (!j->top_of[top])
		top = idom[top];
	for (uint32_t n = node; n != top; n = idom[n])
		j->top_of[n] = j->top_of[top];
	return j->top_of[top] - 1;
}

/* To owners by root class, ways from those that are less firm do not count, nor into a pool from
   outside of it. */
static bool owner_co_holders_counts(const struct co_holders *j, uint32_t from, uint32_t to)
{
	return j->dominators->retain != RETAIN_STRONGEST || j->top[from].above == j->top[to].above;
}

/* The topmost node that a reference to another one comes from. */
static uint32_t top_from(struct co_holders *j, uint32_t top, uint32_t object)
{
	uint32_t known = j->top_of[object];
	if (!known && !dominators_has(j->dominators, object))
		return NOTHING;
	uint32_t from = known ? known - 1 : top_above(j, object);
	return owner_co_holders_counts(j, from, top) ? from : NOTHING;
}

/* What is needed next lies anywhere: who is above where ways come from, then what is known of
   that. */
enum { AHEAD_NODE = 16, AHEAD_TOP = 4 };

static inline void owner_co_holders_prefetch(const struct co_holders *j, const struct top *top)
{
	const uint32_t *way = j->in.to + top->way;
	uint32_t left = top->end - top->way;
	if (left > AHEAD_NODE)
		__builtin_prefetch(&j->top_of[way[AHEAD_NODE]], 1);
	uint32_t from = left > AHEAD_TOP ? j->top_of[way[AHEAD_TOP]] : 0;
	if (from)
		__builtin_prefetch(&j->top[from - 1], 1);
}

static void owner_co_holders_enter(struct co_holders *j, uint32_t index)
{
	struct top *top = &j->top[index];
	for (uint32_t w = top->way; w < top->end && w < top->way + AHEAD_NODE; w++)
		__builtin_prefetch(&j->top_of[j->in.to[w]], 1);
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

static void take_way(struct co_holders *j, uint32_t top, uint32_t object)
{
	uint32_t from = top_from(j, top, object);
	if (from == NOTHING)
		return;
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
		owner_co_holders_prefetch(j, top);
		if (top->way < top->end)
			take_way(j, index, j->in.to[top->way++]);
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
		struct top *top = &j->top[i];
		j->top_of[node] = i + 1;
		top->above = j->dominators->idom[node];
		if (node < j->objects) {
			top->way = j->in.row[node];
			top->end = j->in.row[node + 1];
			continue;
		}
		uint32_t root_node = root_nodes_of_node(j->root_nodes, node);
		top->set = owner_sets_one(&o->sets, o->of_root_node[root_node]);
		top->number = FINISHED;
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

uint32_t *owner_co_holder_sets(struct owners *owners, struct progress *progress)
{
	const struct dominators *d = owners->dominators;
	size_t nodes = d->nodes * sizeof(uint32_t), tops = owners->tops * sizeof(struct top);
	struct co_holders j = {
		.owners = owners,
		.dominators = d,
		.root_nodes = d->root_nodes,
		.progress = progress,
		.in = heap_back_edges(d->root_nodes->heap),
		.objects = heap_object_count(d->root_nodes->heap),
		.top_of = mem_column(nodes),
		.top = mem_column(tops),
	};
	uint32_t *sets = NULL;
	bool done = true;
	progress_begin(progress, "looking who holds what jointly", owners->tops);
	owner_co_holders_start(&j);
	give_all_targets(&j);
	for (uint32_t top = 0; top < owners->tops && done; top++)
		done = j.top[top].number || owner_co_holders_search(&j, top);
	mem_column_free(j.top_of, nodes);
	if (done)
		sets = mem_alloc((owners->tops + 1) * sizeof *sets);
	for (uint32_t top = 0; top < owners->tops && done; top++)
		sets[top] = j.top[top].set;
	mem_column_free(j.top, tops);
	free(j.stack);
	free(j.visit);
	return sets;
}
