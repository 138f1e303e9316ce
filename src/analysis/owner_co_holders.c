/* Everything below a topmost node is reached through that one, so that nodes are joined into as
   many as there are topmost ones. Between these, the ways are followed backwards; those that lead
   to each other have the same owners, and Tarjan's algorithm finds them together, after all that
   leads to them. */
#include "analysis/owner_co_holders.h"

#include "base/mem.h"

#include <stdlib.h>

enum { STEP = 1 << 14, AHEAD = 12 };

#define FINISHED UINT32_MAX
#define NOTHING  UINT32_MAX

struct visit {
	uint32_t top;
	size_t way; /* the next one into it */
};

struct co_holders {
	struct owners *owners;
	const struct dominators *dominators;
	const struct root_nodes *root_nodes;
	struct edges in;
	uint32_t objects;
	uint32_t *top_of;       /* by node: 1 + which of owners->top it is below; 0: not known yet */
	uint32_t *number, *low; /* by top: 0: not met yet; FINISHED: its set is there */
	uint32_t *set;          /* by top; before it is finished, of the owners met so far */
	uint32_t *stack;        /* those met whose set is not there */
	size_t stacked, stack_capacity;
	struct visit *visit;
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
	const struct dominators *d = j->dominators;
	const uint32_t *top = j->owners->top;
	return d->retain != RETAIN_STRONGEST || d->idom[top[from]] == d->idom[top[to]];
}

static struct ids ways_into(const struct co_holders *j, uint32_t top)
{
	return edges_of(j->in, j->owners->top[top]);
}

/* The topmost node that a reference to another one comes from. */
static uint32_t top_from(struct co_holders *j, uint32_t top, uint32_t object)
{
	if (!dominators_has(j->dominators, object))
		return NOTHING;
	uint32_t from = top_above(j, object);
	return owner_co_holders_counts(j, from, top) ? from : NOTHING;
}

static void owner_co_holders_enter(struct co_holders *j, uint32_t top)
{
	j->number[top] = j->low[top] = ++j->met;
	j->stack = mem_grow(j->stack, j->stacked, &j->stack_capacity, sizeof *j->stack);
	j->stack[j->stacked++] = top;
	j->visit = mem_grow(j->visit, j->depth, &j->visit_capacity, sizeof *j->visit);
	j->visit[j->depth++] = (struct visit){top, 0};
}

static void owner_co_holders_give(struct co_holders *j, uint32_t top, uint32_t set)
{
	if (j->set[top] != set)
		j->set[top] = owner_sets_union(&j->owners->sets, j->set[top], set);
}

/* Those from `first` on lead to each other. */
static void owner_co_holders_finish(struct co_holders *j, uint32_t first)
{
	size_t end = j->stacked, at = end;
	do
		owner_co_holders_give(j, first, j->set[j->stack[--at]]);
	while (j->stack[at] != first);
	for (size_t i = at; i < end; i++) {
		j->set[j->stack[i]] = j->set[first];
		j->number[j->stack[i]] = FINISHED;
	}
	j->stacked = at;
}

static void owner_co_holders_lower(struct co_holders *j, uint32_t top, uint32_t low)
{
	if (low < j->low[top])
		j->low[top] = low;
}

/* What leads to a finished one leads to the one that it has been met from. */
static void owner_co_holders_leave(struct co_holders *j)
{
	uint32_t top = j->visit[--j->depth].top;
	if (j->low[top] == j->number[top])
		owner_co_holders_finish(j, top);
	if (!j->depth)
		return;
	uint32_t to = j->visit[j->depth - 1].top;
	if (j->number[top] == FINISHED)
		owner_co_holders_give(j, to, j->set[top]);
	else
		owner_co_holders_lower(j, to, j->low[top]);
}

static void take_way(struct co_holders *j, uint32_t top, uint32_t object)
{
	uint32_t from = top_from(j, top, object);
	if (from == NOTHING)
		return;
	if (j->number[from] == FINISHED)
		owner_co_holders_give(j, top, j->set[from]);
	else if (j->number[from])
		owner_co_holders_lower(j, top, j->number[from]);
	else
		owner_co_holders_enter(j, from);
}

static bool owner_co_holders_search(struct co_holders *j, uint32_t first)
{
	uint64_t steps = 0;
	owner_co_holders_enter(j, first);
	while (j->depth) {
		struct visit *visit = &j->visit[j->depth - 1];
		struct ids ways = ways_into(j, visit->top);
		if (++steps % STEP == 0 && !progress_step(j->progress, j->met))
			return false;
		if (visit->way + AHEAD < ways.count)
			__builtin_prefetch(&j->top_of[ways.id[visit->way + AHEAD]]);
		if (visit->way < ways.count)
			take_way(j, visit->top, ways.id[visit->way++]);
		else
			owner_co_holders_leave(j);
	}
	return true;
}

/* Root nodes are owners by themselves. */
static void owner_co_holders_start(struct co_holders *j)
{
	struct owners *o = j->owners;
	for (uint32_t top = 0; top < o->tops; top++) {
		j->top_of[o->top[top]] = top + 1;
		if (o->top[top] < j->objects)
			continue;
		uint32_t root_node = root_nodes_of_node(j->root_nodes, o->top[top]);
		j->set[top] = owner_sets_one(&o->sets, o->of_root_node[root_node]);
		j->number[top] = FINISHED;
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
			j->set[top] = owner_sets_union(&j->owners->sets, j->set[top], j->set[from]);
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
	size_t nodes = d->nodes * sizeof(uint32_t), tops = owners->tops * sizeof(uint32_t);
	struct co_holders j = {
		.owners = owners,
		.dominators = d,
		.root_nodes = d->root_nodes,
		.progress = progress,
		.in = heap_back_edges(d->root_nodes->heap),
		.objects = heap_object_count(d->root_nodes->heap),
		.top_of = mem_column(nodes),
		.number = mem_column(tops),
		.low = mem_column(tops),
		.set = mem_alloc(tops),
	};
	bool done = true;
	progress_begin(progress, "looking who holds what jointly", owners->tops);
	owner_co_holders_start(&j);
	give_all_targets(&j);
	for (uint32_t top = 0; top < owners->tops && done; top++)
		done = j.number[top] || owner_co_holders_search(&j, top);
	mem_column_free(j.top_of, nodes);
	mem_column_free(j.number, tops);
	mem_column_free(j.low, tops);
	free(j.stack);
	free(j.visit);
	if (!done)
		free(j.set);
	return done ? j.set : NULL;
}
