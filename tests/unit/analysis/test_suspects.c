/* The way down from the biggest owners, against looking at all children at every step. */
#include "cmocka_all.h"

#include "analysis/suspects.h"
#include "heap/random_heap.h"

#include <stdlib.h>

enum { MOST = 6 };

static uint32_t largest_child(const struct dominators *d, uint32_t node, size_t *count)
{
	uint32_t *children = dominators_children(d, node, count);
	uint32_t largest = *count ? children[0] : OBJECT_NONE;
	free(children);
	return largest;
}

/* Returns the number of steps. */
static uint32_t check(const struct dominators *d, const struct suspect *suspect)
{
	uint32_t node = suspect->owner, steps = 0;
	size_t count;
	for (;;) {
		uint32_t next = largest_child(d, node, &count);
		if (next == OBJECT_NONE
		    || dominators_bytes(d, next) * 100 < dominators_bytes(d, node) * SUSPECT_KEEPS)
			break;
		node = next;
		steps++;
	}
	assert_int_equal(dominators_bytes(d, suspect->accumulation_point), dominators_bytes(d, node));
	assert_int_equal(suspect->steps, steps);
	if (suspect->accumulation_point == node)
		assert_int_equal(suspect->parts, count);
	return steps;
}

/* The bytes of the owners, the biggest first, each owner once. */
static void check_order(const struct dominators *d, const struct suspects *s)
{
	uint64_t owners = 0;
	for (uint32_t node = 0; node < d->nodes; node++) {
		size_t bigger = 0;
		if (!dominators_is_topmost(d, node))
			continue;
		owners++;
		for (uint32_t other = 0; other < d->nodes; other++)
			bigger += dominators_is_topmost(d, other)
			          && dominators_bytes(d, other) > dominators_bytes(d, node);
		for (size_t i = 0; i < s->count; i++)
			if (s->suspect[i].owner == node)
				assert_true(bigger <= i);
		if (bigger < s->count)
			assert_true(dominators_bytes(d, s->suspect[s->count - 1].owner)
			            <= dominators_bytes(d, node));
	}
	assert_int_equal(s->count, owners < MOST ? owners : MOST);
	for (size_t i = 1; i < s->count; i++)
		assert_true(dominators_bytes(d, s->suspect[i - 1].owner)
		            >= dominators_bytes(d, s->suspect[i].owner));
}

TEST(the_way_down_keeps_nearly_all)
{
	uint64_t steps = 0;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct random_heap random;
		random_heap_make(&random, seed);
		assert_true(heap_reverse(random.heap, NULL));
		struct reach *reach = reach_new(random.heap, NULL, NULL, NULL);
		struct root_nodes *root_nodes =
			root_nodes_new(random.heap, NULL, (struct sync_pools){0}, NULL);
		struct dominators *d = dominators_new(root_nodes, RETAIN_ALIVE, NULL, NULL);
		struct suspects *suspects = suspects_new(d, MOST, NULL);
		check_order(d, suspects);
		for (size_t i = 0; i < suspects->count; i++)
			steps += check(d, &suspects->suspect[i]);
		suspects_free(suspects);
		dominators_free(d);
		root_nodes_free(root_nodes);
		reach_free(reach);
		random_heap_free(&random);
	}
	assert_true(steps > 100); /* there were ways to go */
}
