/* The roots above an object: by the search backward, and by one search forward from each root. */
#include "cmocka_all.h"
#include "random_graph.h"

#include "analysis/roots_above.h"
#include "heap/edges.h"
#include "heap/heap.h"

enum { SEEDS = 200 };

/* Returns the root node below a root class that a root is part of. */
static uint32_t topmost_of(const struct random_graph *r, uint32_t root)
{
	const struct root_nodes *root_nodes = r->root_nodes;
	uint32_t at = root_nodes->of_root[root];
	while (!root_nodes_is_flat(root_nodes, root_nodes->root_node[at].parent))
		at = root_nodes->root_node[at].parent;
	return at;
}

static void mark_all_from(const struct random_graph *r, uint32_t id, bool *seen)
{
	uint32_t waiting[MOST_OBJECTS];
	size_t count = 0;
	if (seen[id])
		return;
	seen[id] = true;
	waiting[count++] = id;
	while (count) {
		struct ids to = heap_references(r->heap, waiting[--count]);
		for (size_t i = 0; i < to.count; i++)
			if (!seen[to.id[i]]) {
				seen[to.id[i]] = true;
				waiting[count++] = to.id[i];
			}
	}
}

/* Adds 1 to counts[object] for each object that a root node leads to. */
static void count_forward(const struct random_graph *r, uint32_t root_node, size_t *counts)
{
	bool seen[MOST_OBJECTS] = {false};
	for (uint32_t root = 0; root < r->heap->root_count; root++)
		if (r->reach->root_class[root] != ROOT_CLASS_WEAK && topmost_of(r, root) == root_node
		    && r->heap->roots[root].target != OBJECT_NONE)
			mark_all_from(r, r->heap->roots[root].target, seen);
	for (size_t id = 0; id < MOST_OBJECTS; id++)
		counts[id] += seen[id];
}

TEST(roots_above_are_those_that_lead_to_the_object)
{
	size_t several = 0;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct random_graph r;
		size_t counts[MOST_OBJECTS] = {0};
		uint32_t named[ROOTS_ABOVE_NAMED];
		random_graph_make(&r, seed);
		for (uint32_t at = 0; at < r.root_nodes->count; at++)
			count_forward(&r, at, counts);
		for (uint32_t id = 0; id < heap_object_count(r.heap); id++) {
			assert_int_equal(roots_above_count(r.root_nodes, r.reach, id, MOST_OBJECTS, named),
			                 counts[id]);
			several += counts[id] > 1;
			assert_int_equal(roots_above_count(r.root_nodes, r.reach, id, 0, named), 0);
		}
		random_graph_free(&r);
	}
	assert_true(several > SEEDS);
}
