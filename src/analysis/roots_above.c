#include "analysis/roots_above.h"

#include "base/bits.h"
#include "base/mem.h"
#include "heap/edges.h"
#include "heap/heap.h"

#include <stdlib.h>

/* A search from an object backward. */
struct above {
	const struct root_nodes *root_nodes;
	const struct reach *reach;
	uint64_t *seen; /* bits by node */
	uint32_t *object;
	size_t count, capacity;
};

static void above_add(struct above *above, uint32_t id)
{
	if (reach_has(above->reach, id) && word_bit_add(above->seen, id))
		MEM_PUSH(above->object, above->count, above->capacity, id);
}

/* Takes note of the variable, thread ... that the root of an object belongs to. */
static void above_add_root(struct above *above, uint32_t root)
{
	const struct root_nodes *root_nodes = above->root_nodes;
	uint32_t at = root_nodes->of_root[root];
	if (above->reach->root_class[root] == ROOT_CLASS_WEAK || at == UINT32_MAX)
		return;
	while (!root_nodes_is_flat(root_nodes, at)
	       && !root_nodes_is_flat(root_nodes, root_nodes->root_node[at].parent))
		at = root_nodes->root_node[at].parent;
	word_bit_add(above->seen, root_nodes_node(root_nodes, at));
}

static bool above_search(struct above *above, size_t most)
{
	for (size_t at = 0; at < above->count; at++) {
		if (at == most)
			return false;
		uint32_t id = above->object[at];
		struct ids ids = heap_referrers(above->root_nodes->heap, id);
		for (size_t i = 0; i < ids.count; i++)
			above_add(above, ids.id[i]);
		ids = reach_roots_of(above->reach, id);
		for (size_t i = 0; i < ids.count; i++)
			above_add_root(above, ids.id[i]);
	}
	return true;
}

size_t roots_above_count(const struct root_nodes *root_nodes, const struct reach *reach,
                         uint32_t object, size_t most, uint32_t *named)
{
	size_t nodes = (size_t)heap_object_count(root_nodes->heap) + root_nodes->count, count = 0;
	SCOPED_FREE uint64_t *seen = mem_alloc((nodes / 64 + 1) * sizeof *seen);
	struct above above = {.root_nodes = root_nodes, .reach = reach, .seen = seen};
	above_add(&above, object);
	bool whole = above_search(&above, most);
	for (uint32_t at = 0; at < root_nodes->count && whole; at++) {
		if (!word_bit_is_set(seen, root_nodes_node(root_nodes, at)))
			continue;
		if (count < ROOTS_ABOVE_NAMED)
			named[count] = at;
		count++;
	}
	free(above.object);
	return count;
}
