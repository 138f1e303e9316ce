/* Two flows of one unit each from the roots to the object, through nodes that carry one unit, but
   for the gates. The path is the first; where it has put itself into the way of a second one, that
   turns it aside: an augmenting path of Ford and Fulkerson, looked for backwards from each gate to
   the one before it. Every node is cut into an entry and an exit, so that it is used once only. */
#include "analysis/apart.h"

#include "analysis/upward.h"
#include "base/mem.h"

#include <stdlib.h>

enum { STEP = 4096 };

/* A state of the search: from the entry, or the exit, of this node there is a way to the gate. */
struct state {
	uint32_t node;
	uint32_t nearer : 31; /* the state that it was reached from */
	uint32_t exit : 1;
};

struct finder {
	struct gates *gates;
	const struct dominators *d;
	uint32_t *line; /* the path as nodes: first its anchors, then its steps */
	size_t count, anchors;
	uint32_t *place;   /* by node: 1 + its place in the line; 0: it is not on it */
	uint32_t *next;    /* by node: 1 + the node after it, where the flows have changed; CUT */
	uint64_t *seen[2]; /* a bit a node: entries, exits */
	uint32_t *second;  /* by gate: where the second way goes first; OBJECT_NONE: there is none */
	struct state *state;
	size_t states, capacity;
	size_t from; /* number of the gate that the stretch begins at */
};

#define CUT UINT32_MAX

static void visit(struct finder *f, uint32_t node, bool exit, size_t nearer)
{
	uint64_t bit = (uint64_t)1 << node % 64;
	if (f->seen[exit][node / 64] & bit || f->states > INT32_MAX)
		return;
	f->seen[exit][node / 64] |= bit;
	f->state = mem_grow(f->state, f->states, &f->capacity, sizeof *f->state);
	f->state[f->states++] = (struct state){node, nearer & INT32_MAX, exit};
}

/* Does the path lead from one node right to the other? */
static bool on_line(const struct finder *f, uint32_t from, uint32_t to)
{
	return f->place[from] && f->place[to] == f->place[from] + 1;
}

/* The nodes that point at the entry of a node. True: one of them is the gate. */
static bool look_up(struct finder *f, size_t at)
{
	uint32_t to = f->state[at].node, from;
	struct upward upward;
	upward_start(&upward, f->d, f->gates->reach, to);
	while (upward_next(&upward, &from)) {
		if (gates_deepest(f->gates, from) != f->from || on_line(f, from, to))
			continue;
		if (from == f->gates->gate[f->from].node)
			return true;
		visit(f, from, true, at);
	}
	return false;
}

static bool is_gate(const struct finder *f, uint32_t node)
{
	return f->gates->gate[gates_deepest(f->gates, node)].node == node;
}

/* True: found; *last becomes the state that the gate points at. */
static bool search(struct finder *f, struct progress *progress, size_t *last)
{
	uint32_t gate = f->gates->gate[f->from + 1].node;
	f->states = 0;
	visit(f, gate, false, 0);
	for (size_t at = 0; at < f->states; at++) {
		struct state state = f->state[at];
		uint32_t place = f->place[state.node];
		*last = at;
		if (!state.exit && look_up(f, at))
			return true;
		if (!state.exit && place && !is_gate(f, state.node))
			visit(f, state.node, true, at); /* takes the path's flow back */
		if (state.exit)
			visit(f, place ? f->line[place] : state.node, false, at);
		if (at % STEP == 0 && !progress_step(progress, at))
			return false;
	}
	return false;
}

/* What the second way takes back is no longer of the path; what it adds is. */
static void turn_aside(struct finder *f, size_t last)
{
	f->second[f->from] = f->state[last].node;
	for (size_t at = last; at; at = f->state[at].nearer)
		if (!f->state[at].exit && f->state[f->state[at].nearer].exit &&
		    f->state[at].node != f->state[f->state[at].nearer].node)
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

static void append(struct finder *f, struct path *path, size_t *capacity, uint32_t node)
{
	const struct anchors *anchors = f->d->anchors;
	if (node >= heap_object_count(anchors->heap)) {
		path->root = node; /* for now its anchor */
		return;
	}
	if (path->count == 0) {
		struct ids roots = reach_roots_of(f->gates->reach, node);
		uint32_t anchor = anchors_of_node(anchors, path->root);
		for (size_t i = roots.count; i-- > 0;)
			if (anchors->of_root[roots.id[i]] == anchor)
				path->root = roots.id[i];
	}
	path->step = mem_grow(path->step, path->count, capacity, sizeof *path->step);
	path->step[path->count++] = node;
}

/* From gate to gate, by the first way or, where there is one, the second. */
static struct path follow(struct finder *f, bool second)
{
	struct path path = {0};
	size_t capacity = 0;
	for (size_t i = 0; i + 1 < f->gates->count; i++) {
		uint32_t end = f->gates->gate[i + 1].node, node = f->line[f->place[f->gates->gate[i].node]];
		if (second && f->second[i] != OBJECT_NONE)
			node = f->second[i];
		for (; node != end; node = after(f, node))
			append(f, &path, &capacity, node);
		append(f, &path, &capacity, end);
	}
	return path;
}

static void add_anchors(struct finder *f, uint32_t anchor)
{
	size_t first = f->count;
	for (uint32_t node = anchor; node != f->d->root; node = upward_anchor(f->d, node))
		f->line[f->count++] = node;
	f->line[f->count++] = f->d->root;
	for (size_t low = first, high = f->count - 1; low < high; low++, high--) {
		uint32_t node = f->line[low];
		f->line[low] = f->line[high];
		f->line[high] = node;
	}
	f->anchors = f->count;
}

enum { LEVELS = 8 }; /* more anchors than one is below */

static void init(struct finder *f, struct gates *gates, const struct path *path)
{
	const struct anchors *anchors = gates->dominators->anchors;
	size_t column = gates->dominators->nodes * sizeof(uint32_t);
	*f = (struct finder){.gates = gates, .d = gates->dominators};
	f->line = mem_alloc((path->count + LEVELS) * sizeof *f->line);
	f->second = mem_alloc(gates->count * sizeof *f->second);
	f->place = mem_column(column);
	f->next = mem_column(column);
	for (int i = 0; i < 2; i++)
		f->seen[i] = mem_column(f->d->nodes / 8 + 8ULL);
	add_anchors(f, anchors_node(anchors, anchors->of_root[path->root]));
	for (size_t i = 0; i < path->count; i++)
		f->line[f->count++] = path->step[i];
	for (size_t i = 0; i < f->count; i++)
		f->place[f->line[i]] = (uint32_t)i + 1;
}

static void fini(struct finder *f)
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

bool apart_find(struct gates *gates, const struct path *path, struct progress *progress,
                struct apart *apart)
{
	struct finder f;
	bool any = false, going_on = true;
	init(&f, gates, path);
	*apart = (struct apart){0};
	progress_begin(progress, "looking for the ways that differ most", gates->count);
	for (f.from = 0; f.from + 1 < gates->count && going_on; f.from++) {
		size_t last;
		f.second[f.from] = OBJECT_NONE;
		bool found = search(&f, progress, &last);
		if (found)
			turn_aside(&f, last);
		any |= found;
		going_on = progress_step(progress, f.from);
	}
	if (going_on)
		apart->path[0] = follow(&f, false);
	if (going_on && any)
		apart->path[1] = follow(&f, true);
	fini(&f);
	return going_on;
}

void apart_fini(struct apart *apart)
{
	free(apart->path[0].step);
	free(apart->path[1].step);
}
