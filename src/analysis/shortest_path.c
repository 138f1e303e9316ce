#include "analysis/shortest_path.h"

#include "base/mem.h"

#include <stdlib.h>

enum { STEP = 1 << 14 };

/* A breadth-first search; `before` is 1 + the object from which each was reached. */
static bool shortest_path_search(const struct heap *heap, uint32_t from, uint32_t to,
                                 uint32_t *before, uint32_t *queue, struct progress *progress)
{
	struct edges edges = heap_edges(heap);
	uint32_t head = 0, tail = 0;
	before[from] = from + 1;
	queue[tail++] = from;
	for (; head < tail && !before[to]; head++) {
		struct ids ids = edges_of(edges, queue[head]);
		for (size_t i = 0; i < ids.count; i++) {
			if (before[ids.id[i]])
				continue;
			before[ids.id[i]] = queue[head] + 1;
			queue[tail++] = ids.id[i];
		}
		if (head % STEP == 0 && !progress_step(progress, head))
			return false;
	}
	return before[to] != 0;
}

uint32_t *shortest_path(const struct heap *heap, uint32_t from, uint32_t to,
                        struct progress *progress, size_t *count, bool *found)
{
	size_t size = heap_object_count(heap) * sizeof(uint32_t);
	uint32_t *before = mem_column(size), *queue = mem_column(size), *steps = NULL;
	progress_begin(progress, "looking for a path", heap_object_count(heap));
	*found = shortest_path_search(heap, from, to, before, queue, progress);
	*count = 0;
	if (*found) {
		*count = 1;
		for (uint32_t id = to; id != from; id = before[id] - 1)
			++*count;
		steps = mem_alloc(*count * sizeof *steps);
		for (size_t at = *count; at-- > 0; to = before[to] - 1)
			steps[at] = to;
	}
	mem_column_free(before, size);
	mem_column_free(queue, size);
	return steps;
}
