/* Maximum flow with node capacities: two units of flow from the roots to the object, where every
   node except dominators carries one unit. The given path is the first unit. The second is an
   augmenting path (Ford and Fulkerson), searched backward from each dominator to the previous one;
   it may redirect the first. Every node is split into an entry and an exit, to limit the flow. */
#include "analysis/path_dominators.h"

#include "base/mem.h"

#include <stdlib.h>

enum { STEP = 4096 };

/* A state of the search: a path leads from the entry or exit of this node to the dominator. */
struct state {
	uint32_t node;
	uint32_t nearer : 31; /* the state from which it was reached */
	uint32_t exit : 1;
};

struct finder {
	struct path_dominators *chain;
	const struct dominators *d;
	uint32_t *line; /* the path as nodes: root nodes, then steps */
	size_t count, root_nodes;
	uint32_t *place;   /* by node: 1 + its place in the line; 0: not on it */
	uint32_t *next;    /* by node: 1 + the next node, where the flows differ from the line; CUT */
	uint64_t *seen[2]; /* bits by node: entries, exits */
	uint32_t *second;  /* by dominator: the first node of the second path; OBJECT_NONE: none */
	struct state *state;
	size_t states, capacity;
	size_t from; /* index of the dominator at the start of the segment */
};

#define CUT UINT32_MAX

static void disjoint_paths_visit(struct finder *f, uint32_t node, bool exit, size_t nearer)
{
	if (f->states <= INT32_MAX && word_bit_add(f->seen[exit], node))
		MEM_PUSH(f->state, f->states, f->capacity, (struct state){node, nearer & INT32_MAX, exit});
}

/* Visits the predecessors of the entry of a node. True: one of them is the dominator. */
static bool disjoint_paths_look_up(struct finder *f, size_t at)
{
	uint32_t to = f->state[at].node, place = f->place[to], from;
	struct predecessors predecessors;
	predecessors_start(&predecessors, f->d, f->chain->reach, to);
	while (predecessors_next(&predecessors, &from)) {
		bool on_path = f->place[from] && place == f->place[from] + 1; /* it carries flow already */
		if (path_dominators_deepest(f->chain, from) != f->from || on_path)
			continue;
		if (from == f->chain->item[f->from].node)
			return true;
		disjoint_paths_visit(f, from, true, at);
	}
	return false;
}

static bool is_path_dominator(const struct finder *f, uint32_t node)
{
	return f->chain->item[path_dominators_deepest(f->chain, node)].node == node;
}

/* Searches an augmenting path. True: found; *last is the state that the dominator references. */
static bool disjoint_paths_search(struct finder *f, struct progress *progress, size_t *last)
{
	uint32_t path_dominator = f->chain->item[f->from + 1].node;
	f->states = 0;
	disjoint_paths_visit(f, path_dominator, false, 0);
	for (size_t at = 0; at < f->states; at++) {
		struct state state = f->state[at];
		uint32_t place = f->place[state.node];
		*last = at;
		if (!state.exit && disjoint_paths_look_up(f, at))
			return true;
		if (!state.exit && place && !is_path_dominator(f, state.node))
			disjoint_paths_visit(f, state.node, true, at); /* cancels the flow of the path */
		if (state.exit)
			disjoint_paths_visit(f, place ? f->line[place] : state.node, false, at);
		if (at % STEP == 0 && !progress_step(progress, at))
			return false;
	}
	return false;
}

/* Applies the augmenting path: removes the edges that it cancels, adds those that it uses. */
static void disjoint_paths_augment(struct finder *f, size_t last)
{
	f->second[f->from] = f->state[last].node;
	for (size_t at = last; at; at = f->state[at].nearer)
		if (!f->state[at].exit && f->state[f->state[at].nearer].exit
		    && f->state[at].node != f->state[f->state[at].nearer].node)
			f->next[f->state[f->state[at].nearer].node] = CUT;
	for (size_t at = last; at; at = f->state[at].nearer)
		if (f->state[at].exit && f->state[at].node != f->state[f->state[at].nearer].node)
			f->next[f->state[at].node] = f->state[f->state[at].nearer].node + 1;
}

static uint32_t after(const struct finder *f, uint32_t node)
{
	uint32_t next = f->next[node];
	return next ? next - 1 : f->line[f->place[node]];
}

static void disjoint_paths_append(struct finder *f, struct path *path, size_t *capacity,
                                  uint32_t node)
{
	const struct root_nodes *root_nodes = f->d->root_nodes;
	if (node >= heap_object_count(root_nodes->heap)) {
		path->root = node; /* preliminary: the root node */
		return;
	}
	if (path->count == 0) {
		struct ids roots = reach_roots_of(f->chain->reach, node);
		uint32_t root_node = root_nodes_of_node(root_nodes, path->root);
		for (size_t i = roots.count; i-- > 0;)
			if (root_nodes->of_root[roots.id[i]] == root_node)
				path->root = roots.id[i];
	}
	MEM_PUSH(path->step, path->count, *capacity, node);
}

/* Returns one of the two paths, dominator by dominator. */
static struct path disjoint_paths_follow(struct finder *f, bool second)
{
	struct path path = {0};
	size_t capacity = 0;
	for (size_t i = 0; i + 1 < f->chain->count; i++) {
		uint32_t end = f->chain->item[i + 1].node, node = f->line[f->place[f->chain->item[i].node]];
		if (second && f->second[i] != OBJECT_NONE)
			node = f->second[i];
		for (; node != end; node = after(f, node))
			disjoint_paths_append(f, &path, &capacity, node);
		disjoint_paths_append(f, &path, &capacity, end);
	}
	return path;
}

static void add_root_nodes(struct finder *f, uint32_t root_node)
{
	f->root_nodes = 1;
	for (uint32_t node = root_node; node != f->d->root; node = predecessors_root_node(f->d, node))
		f->root_nodes++;
	f->line[0] = f->d->root;
	f->count = f->root_nodes;
	for (size_t at = f->count; --at > 0; root_node = predecessors_root_node(f->d, root_node))
		f->line[at] = root_node;
}

enum { LEVELS = 8 }; /* an upper bound on the depth of root nodes */

static void finder_init(struct finder *f, struct path_dominators *chain, const struct path *path)
{
	const struct root_nodes *root_nodes = chain->dominators->root_nodes;
	size_t column = chain->dominators->nodes * sizeof(uint32_t);
	*f = (struct finder){.chain = chain, .d = chain->dominators};
	f->line = mem_alloc((path->count + LEVELS) * sizeof *f->line);
	f->second = mem_alloc(chain->count * sizeof *f->second);
	f->place = mem_column(column);
	f->next = mem_column(column);
	for (int i = 0; i < 2; i++)
		f->seen[i] = mem_column(f->d->nodes / 8 + 8ULL);
	add_root_nodes(f, root_nodes_node(root_nodes, root_nodes->of_root[path->root]));
	for (size_t i = 0; i < path->count; i++)
		f->line[f->count++] = path->step[i];
	for (size_t i = 0; i < f->count; i++)
		f->place[f->line[i]] = (uint32_t)i + 1;
}

static void finder_fini(struct finder *f)
{
	size_t column = f->d->nodes * sizeof(uint32_t);
	mem_column_free(f->place, column);
	mem_column_free(f->next, column);
	for (int i = 0; i < 2; i++)
		mem_column_free(f->seen[i], f->d->nodes / 8 + 8ULL);
	free(f->line);
	free(f->second);
	free(f->state);
}

bool disjoint_paths_find(struct path_dominators *chain, const struct path *path,
                         struct progress *progress, struct disjoint_paths *disjoint)
{
	struct finder f;
	bool any = false, going_on = true;
	finder_init(&f, chain, path);
	*disjoint = (struct disjoint_paths){0};
	progress_begin(progress, "looking for the paths that differ most", chain->count);
	for (f.from = 0; f.from + 1 < chain->count && going_on; f.from++) {
		size_t last;
		f.second[f.from] = OBJECT_NONE;
		bool found = disjoint_paths_search(&f, progress, &last);
		if (found)
			disjoint_paths_augment(&f, last);
		any |= found;
		going_on = progress_step(progress, f.from);
	}
	if (going_on)
		disjoint->path[0] = disjoint_paths_follow(&f, false);
	if (going_on && any)
		disjoint->path[1] = disjoint_paths_follow(&f, true);
	finder_fini(&f);
	return going_on;
}

void disjoint_paths_fini(struct disjoint_paths *disjoint)
{
	free(disjoint->path[0].step);
	free(disjoint->path[1].step);
}
