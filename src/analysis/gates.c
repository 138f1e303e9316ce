#include "analysis/gates.h"

#include "base/mem.h"

#include <stdlib.h>

static void add(struct gates *gates, size_t *capacity, uint32_t node, size_t step)
{
	gates->gate = mem_grow(gates->gate, gates->count, capacity, sizeof *gates->gate);
	gates->gate[gates->count++] = (struct gate){node, step};
}

static void turn_round(struct gates *gates)
{
	for (size_t low = 0, high = gates->count - 1; low < high; low++, high--) {
		struct gate gate = gates->gate[low];
		gates->gate[low] = gates->gate[high];
		gates->gate[high] = gate;
	}
}

static bool is_strength(const struct anchors *anchors, uint32_t node)
{
	return anchors->anchor[anchors_of_node(anchors, node)].kind == ANCHOR_STRENGTH;
}

/* Both the path and the dominators of its end, from the end on: every dominator is on the path. */
void gates_init(struct gates *gates, const struct dominators *dominators,
                const struct reach *reach, const struct path *path)
{
	*gates = (struct gates){.dominators = dominators, .reach = reach};
	uint32_t objects = heap_object_count(dominators->anchors->heap);
	uint32_t node = path->step[path->count - 1];
	size_t capacity = 0;
	for (size_t step = path->count; step-- > 0;) {
		if (path->step[step] != node)
			continue;
		add(gates, &capacity, node, step);
		node = dominators->idom[node];
	}
	size_t on_heap = gates->count;
	for (; node >= objects && node != OBJECT_NONE; node = dominators->idom[node])
		if (!is_strength(dominators->anchors, node))
			add(gates, &capacity, node, SIZE_MAX);
	gates->anchors = gates->count - on_heap;
	turn_round(gates);
	gates->deepest = mem_column(dominators->nodes * sizeof *gates->deepest);
	for (size_t i = 0; i < gates->count; i++)
		gates->deepest[gates->gate[i].node] = (uint32_t)i + 1;
}

void gates_fini(struct gates *gates)
{
	if (gates->deepest)
		mem_column_free(gates->deepest, gates->dominators->nodes * sizeof *gates->deepest);
	free(gates->gate);
	*gates = (struct gates){0};
}

const struct gate *gates_at(const struct gates *gates, size_t step)
{
	size_t low = gates->anchors, high = gates->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (gates->gate[middle].step < step)
			low = middle + 1;
		else
			high = middle;
	}
	return low < gates->count && gates->gate[low].step == step ? &gates->gate[low] : NULL;
}

const struct gate *gates_anchor(const struct gates *gates)
{
	return gates->anchors > 1 ? &gates->gate[gates->anchors - 1] : NULL;
}

size_t gates_deepest(struct gates *gates, uint32_t node)
{
	const uint32_t *idom = gates->dominators->idom;
	uint32_t *deepest = gates->deepest, top = node;
	while (!deepest[top])
		top = idom[top];
	for (uint32_t found = deepest[top]; node != top; node = idom[node])
		deepest[node] = found;
	return deepest[top] - 1;
}
