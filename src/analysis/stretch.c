#include "analysis/stretch.h"

#include "analysis/upward.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum {
	WAYS = 4096,      /* that are told apart */
	LOOKED = 1 << 16, /* holders that are looked at for them */
	STEP = 4096,
};

/* The first gate that is not before a step. */
static size_t next_gate(const struct gates *gates, size_t step)
{
	size_t low = gates->anchors, high = gates->count - 1;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (gates->gate[middle].step < step)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Does what points at the second gate begin behind the first one, and not behind the second? */
static bool is_way(const struct stretch *stretch, struct gates *gates, uint32_t holder)
{
	return gates_deepest(gates, holder) + 1 == stretch->gate;
}

static int ascending(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

static uint32_t present_holder(const struct gates *gates, const struct path *path, size_t end)
{
	const struct anchors *anchors = gates->dominators->anchors;
	return end ? path->step[end - 1] : anchors_node(anchors, anchors->of_root[path->root]);
}

static void add_way(struct stretch *stretch, size_t *capacity, uint32_t holder)
{
	stretch->holder = mem_grow(stretch->holder, stretch->ways, capacity, sizeof *stretch->holder);
	stretch->holder[stretch->ways++] = holder;
}

static void find_ways(struct stretch *stretch, struct gates *gates, const struct path *path)
{
	uint32_t present = present_holder(gates, path, stretch->end), node;
	struct upward upward;
	size_t capacity = 0, looked = 0;
	add_way(stretch, &capacity, present);
	upward_start(&upward, gates->dominators, gates->reach, path->step[stretch->end]);
	while (!stretch->limited && upward_next(&upward, &node)) {
		stretch->limited = ++looked > LOOKED || stretch->ways == WAYS;
		if (!stretch->limited && node != present && is_way(stretch, gates, node))
			add_way(stretch, &capacity, node);
	}
	qsort(stretch->holder, stretch->ways, sizeof *stretch->holder, ascending);
	while (stretch->holder[stretch->way] != present)
		stretch->way++;
}

void stretch_init(struct stretch *stretch, struct gates *gates, const struct path *path,
                  size_t step)
{
	*stretch = (struct stretch){.gate = next_gate(gates, step)};
	size_t before = stretch->gate > gates->anchors ? gates->gate[stretch->gate - 1].step + 1 : 0;
	stretch->first = before;
	stretch->end = gates->gate[stretch->gate].step;
	find_ways(stretch, gates, path);
}

void stretch_fini(struct stretch *stretch)
{
	free(stretch->holder);
	*stretch = (struct stretch){0};
}

/* A search from the last holder back to the gate, or to a root behind it. */
struct backward {
	const struct stretch *stretch;
	struct gates *gates;
	struct trail { uint32_t object, nearer; } *trail;
	size_t count, capacity;
	uint64_t *seen; /* a bit an object */
};

static void visit(struct backward *b, uint32_t object, uint32_t nearer)
{
	uint64_t bit = (uint64_t)1 << object % 64;
	if (b->seen[object / 64] & bit)
		return;
	b->seen[object / 64] |= bit;
	b->trail = mem_grow(b->trail, b->count, &b->capacity, sizeof *b->trail);
	b->trail[b->count++] = (struct trail){object, nearer};
}

/* False: cancelled. *last becomes the place in the trail that the gate points at, or a root behind
   it. */
static bool search(struct backward *b, struct progress *progress, uint32_t *last)
{
	const struct dominators *d = b->gates->dominators;
	uint32_t objects = heap_object_count(d->anchors->heap), node;
	uint32_t gate = b->gates->gate[b->stretch->gate - 1].node;
	for (uint32_t head = 0; head < b->count; head++) {
		struct upward upward;
		upward_start(&upward, d, b->gates->reach, b->trail[head].object);
		*last = head;
		while (upward_next(&upward, &node)) {
			if (node == gate || node >= objects)
				return true;
			if (is_way(b->stretch, b->gates, node))
				visit(b, node, head);
		}
		if (head % STEP == 0 && !progress_step(progress, head))
			return false;
	}
	return false;
}

/* A root that points at an object, behind an anchor if that is not OBJECT_NONE: one that lasts, if
   there is one. */
static uint32_t find_root(const struct gates *gates, uint32_t object, uint32_t anchor)
{
	const struct anchors *anchors = gates->dominators->anchors;
	struct ids roots = reach_roots_of(gates->reach, object);
	uint32_t found = OBJECT_NONE;
	for (size_t i = 0; i < roots.count; i++) {
		uint32_t root = roots.id[i], above = anchors_node(anchors, anchors->of_root[root]);
		if (anchor == OBJECT_NONE ? !dominators_has(gates->dominators, above) : above != anchor)
			continue;
		if (!reach_root_is_passing(anchors->heap, &anchors->heap->roots[root]))
			return root;
		found = found == OBJECT_NONE ? root : found;
	}
	return found;
}

/* The path up to the gate, the trail from `last` on, and the path from the second gate on. */
static void join(const struct backward *b, const struct path *path, uint32_t last, bool direct,
                 struct path *taken)
{
	size_t first = b->stretch->first, end = b->stretch->end, between = 0;
	for (uint32_t at = last; !direct; at = b->trail[at].nearer) {
		between++;
		if (at == 0)
			break;
	}
	*taken = (struct path){.root = path->root, .count = first + between + path->count - end};
	taken->step = mem_alloc(taken->count * sizeof *taken->step);
	memcpy(taken->step, path->step, first * sizeof *taken->step);
	for (size_t i = 0; i < between; i++, last = b->trail[last].nearer)
		taken->step[first + i] = b->trail[last].object;
	memcpy(taken->step + first + between, path->step + end,
	       (path->count - end) * sizeof *taken->step);
}

bool stretch_take(const struct stretch *stretch, struct gates *gates, const struct path *path,
                  size_t way, struct progress *progress, struct path *taken)
{
	const struct anchors *anchors = gates->dominators->anchors;
	uint32_t objects = heap_object_count(anchors->heap), holder = stretch->holder[way], last = 0;
	bool direct = holder >= objects || holder == gates->gate[stretch->gate - 1].node;
	struct backward b = {.stretch = stretch, .gates = gates};
	progress_begin(progress, "looking for another way", 0);
	b.seen = mem_alloc((objects / 64 + 1) * sizeof *b.seen);
	if (!direct)
		visit(&b, holder, 0);
	bool done = direct || search(&b, progress, &last);
	if (done)
		join(&b, path, last, direct, taken);
	if (done && stretch->first == 0)
		taken->root = find_root(gates, taken->step[0], holder >= objects ? holder : OBJECT_NONE);
	free(b.trail);
	free(b.seen);
	return done;
}
