#include "analysis/joint.h"

#include "analysis/upward.h"
#include "base/mem.h"

#include <stdlib.h>

enum { STEP = 4096 };

bool joint_exists(struct gates *gates, size_t gate)
{
	uint32_t above;
	struct upward upward;
	upward_start(&upward, gates->dominators, gates->reach, gates->gate[gate].node);
	while (upward_next(&upward, &above))
		if (above != gates->gate[gate - 1].node && gates_deepest(gates, above) == gate - 1)
			return true;
	return false;
}

struct search {
	struct gates *gates;
	size_t from; /* number of the first gate */
	struct joint *joint;
	uint64_t *seen; /* a bit a node */
	uint32_t *queue;
	size_t count, capacity;
};

static void visit(struct search *s, uint32_t node)
{
	uint64_t bit = (uint64_t)1 << node % 64;
	if (s->seen[node / 64] & bit)
		return;
	s->seen[node / 64] |= bit;
	s->queue = mem_grow(s->queue, s->count, &s->capacity, sizeof *s->queue);
	s->queue[s->count++] = node;
}

static void add(struct joint *joint, uint32_t node)
{
	joint->holder = mem_grow(joint->holder, joint->count, &joint->capacity,
	                         sizeof *joint->holder);
	joint->holder[joint->count++] = node;
}

/* What points at a node of the stretch; the gate that the stretch begins at makes it a holder. */
static void look_up(struct search *s, uint32_t node)
{
	uint32_t first = s->gates->gate[s->from].node, end = s->gates->gate[s->from + 1].node, above;
	struct upward upward;
	upward_start(&upward, s->gates->dominators, s->gates->reach, node);
	while (upward_next(&upward, &above)) {
		if (above != first && gates_deepest(s->gates, above) == s->from)
			visit(s, above);
		else if (above == first && node == end)
			s->joint->directly = true;
		else if (above == first)
			add(s->joint, node);
	}
}

static int ascending(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

bool joint_find(struct gates *gates, size_t gate, struct progress *progress, struct joint *joint)
{
	size_t size = gates->dominators->nodes / 8 + 8ULL;
	struct search s = {.gates = gates, .from = gate - 1, .joint = joint, .seen = mem_column(size)};
	bool going_on = true;
	*joint = (struct joint){0};
	progress_begin(progress, "looking who holds it", 0);
	visit(&s, gates->gate[gate].node);
	for (size_t head = 0; head < s.count && going_on; head++) {
		look_up(&s, s.queue[head]);
		going_on = head % STEP != 0 || progress_step(progress, head);
	}
	if (joint->count)
		qsort(joint->holder, joint->count, sizeof *joint->holder, ascending);
	mem_column_free(s.seen, size);
	free(s.queue);
	return going_on;
}

void joint_fini(struct joint *joint)
{
	free(joint->holder);
	*joint = (struct joint){0};
}

static int compare(const void *key, const void *item)
{
	return ascending(key, item);
}

/* Is a root one of those of an anchor that is among the holders? */
static bool is_held(const struct joint *joint, const struct dominators *d, uint32_t root)
{
	uint32_t node = anchors_node(d->anchors, d->anchors->of_root[root]);
	for (; node != d->root; node = upward_anchor(d, node))
		if (bsearch(&node, joint->holder, joint->count, sizeof node, compare))
			return true;
	return false;
}

/* What leads from the gate before right to this one. */
static void take_reference(struct without *without, const struct gates *gates, size_t gate)
{
	const struct anchors *anchors = gates->dominators->anchors;
	uint32_t from = gates->gate[gate - 1].node, to = gates->gate[gate].node;
	if (from < heap_object_count(anchors->heap)) {
		without_reference(without, from, to);
		return;
	}
	struct ids roots = reach_roots_of(gates->reach, to);
	for (size_t i = 0; i < roots.count; i++)
		if (anchors_node(anchors, anchors->of_root[roots.id[i]]) == from)
			without_root(without, roots.id[i]);
}

bool joint_freed(const struct gates *gates, size_t gate, const struct joint *joint,
                 struct progress *progress, struct freed *freed)
{
	const struct dominators *d = gates->dominators;
	const struct heap *heap = d->anchors->heap;
	uint32_t objects = heap_object_count(heap);
	struct without *without = without_new(gates->reach);
	size_t count = joint->count;
	for (size_t i = 0; i < count && joint->holder[i] < objects; i++)
		without_object(without, joint->holder[i]);
	if (count && joint->holder[count - 1] >= objects)
		for (uint32_t root = 0; root < heap->root_count; root++)
			if (is_held(joint, d, root))
				without_root(without, root);
	if (joint->directly)
		take_reference(without, gates, gate);
	bool done = without_count(without, progress, freed);
	without_free(without);
	return done;
}
