/* What is freed without certain holders, compared with an adjacency matrix of the same graph. */
#include "analysis/what_if.h"
#include "heap/edges.h"
#include "heap/random_heap.h"

#include "cmocka_all.h"

struct taken {
	bool object[RANDOM_OBJECTS], roots_of[RANDOM_OBJECTS];
	bool reference[RANDOM_OBJECTS][RANDOM_OBJECTS];
};

/* Counts the reachable objects by marking until nothing changes. */
static int naive_count(const struct random_heap *random, const struct taken *taken)
{
	bool marked[RANDOM_OBJECTS];
	int count = 0;
	for (int i = 0; i < RANDOM_OBJECTS; i++)
		marked[i] = (random->strong[i] || random->passing[i]) && !taken->roots_of[i]
		            && !taken->object[i];
	for (bool changed = true; changed;) {
		changed = false;
		for (int a = 0; a < RANDOM_OBJECTS; a++)
			for (int b = 0; b < RANDOM_OBJECTS; b++)
				if (marked[a] && !marked[b] && random->edge[a][b] && !taken->object[b]
				    && !taken->reference[a][b])
					changed = marked[b] = true;
	}
	for (int i = 0; i < RANDOM_OBJECTS; i++)
		count += marked[i];
	return count;
}

static void take_roots(struct what_if *what_if, const struct reach *reach, uint32_t object)
{
	struct ids roots = reach_roots_of(reach, object);
	for (size_t i = 0; i < roots.count; i++)
		what_if_root(what_if, roots.id[i]);
}

/* Removes one item after another and counts after each. */
static int take_all(const struct random_heap *random, uint64_t seed)
{
	struct reach *reach = reach_new(random->heap, NULL, NULL, NULL);
	struct what_if *what_if = what_if_new(random->heap);
	struct taken taken = {0};
	int before = naive_count(random, &taken), freed_sometimes = 0;
	for (uint32_t step = 0; step < 12; step++) {
		uint32_t a = (uint32_t)(seed * 31 + step * 17) % RANDOM_OBJECTS;
		uint32_t b = (uint32_t)(seed * 7 + step * 23) % RANDOM_OBJECTS;
		if (step % 3 == 0) {
			taken.object[a] = true;
			what_if_object(what_if, a);
		} else if (step % 3 == 1) {
			taken.roots_of[a] = true;
			take_roots(what_if, reach, a);
		} else {
			taken.reference[a][b] = true;
			what_if_reference(what_if, a, b);
		}
		struct freed freed;
		assert_true(what_if_count(what_if, NULL, &freed));
		assert_int_equal(freed.objects, before - naive_count(random, &taken));
		assert_int_equal(freed.bytes, freed.objects * RANDOM_SIZE);
		freed_sometimes += freed.objects > step;
	}
	what_if_free(what_if);
	reach_free(reach);
	return freed_sometimes;
}

TEST(what_is_left_is_what_can_be_reached)
{
	int freed_sometimes = 0;
	for (uint64_t seed = 1; seed <= 300; seed++) {
		struct random_heap random;
		random_heap_make(&random, seed);
		freed_sometimes += take_all(&random, seed);
		random_heap_free(&random);
	}
	assert_true(freed_sometimes > 100); /* more than the removed object itself */
}

enum { SET = 9 };

/* Adds random removals to a set and to those of the naive search. */
static struct what_if *random_set(const struct random_heap *random, const struct reach *reach,
                                  uint64_t seed, uint32_t i, struct taken *taken)
{
	struct what_if *set = what_if_new(random->heap);
	uint32_t at = (uint32_t)(seed * 31 + i * 7);
	for (uint32_t k = 0; k < i % SET; k++) {
		uint32_t id = (at + k * (k + i)) % RANDOM_OBJECTS;
		taken->object[id] = true;
		what_if_object(set, id);
	}
	uint32_t of = at % RANDOM_OBJECTS, from = (at + 3) % RANDOM_OBJECTS;
	taken->roots_of[of] = true;
	take_roots(set, reach, of);
	for (uint32_t to = 0; to < RANDOM_OBJECTS; to++) {
		if (i % 2)
			taken->reference[from][to] = true;
		if (i % 3 || to % 5)
			continue;
		taken->reference[of][to] = true;
		what_if_reference(set, of, to);
	}
	if (i % 2)
		what_if_closed(set, from);
	return set;
}

/* Compares sets of random removals in one search with each removed naively, and by the search for
   one. Returns how many free more than themselves. */
static int remove_sets(const struct random_heap *random, uint64_t seed)
{
	struct what_if *set[WHAT_IF_SETS];
	struct freed freed[WHAT_IF_SETS], alone;
	struct taken taken[WHAT_IF_SETS] = {0}, nothing = {0};
	struct err err = {0};
	struct reach *reach = reach_new(random->heap, NULL, NULL, NULL);
	int before = naive_count(random, &nothing), more = 0;
	for (uint32_t i = 0; i < WHAT_IF_SETS; i++)
		set[i] = random_set(random, reach, seed, i, &taken[i]);
	struct what_if_sets *found = what_if_sets_new(set, WHAT_IF_SETS, UINT64_MAX, NULL, &err);
	assert_non_null(found);
	what_if_sets_count(found, freed);
	for (uint32_t i = 0; i < WHAT_IF_SETS; i++) {
		assert_int_equal(freed[i].objects, before - naive_count(random, &taken[i]));
		assert_true(what_if_count(set[i], NULL, &alone));
		assert_int_equal(freed[i].objects, alone.objects);
		assert_int_equal(freed[i].bytes, alone.bytes);
		more += freed[i].objects > i % SET;
	}
	what_if_sets_free(found);
	for (uint32_t i = 0; i < WHAT_IF_SETS; i++)
		what_if_free(set[i]);
	reach_free(reach);
	return more;
}

TEST(sets_free_what_only_they_reach)
{
	int freed_more = 0;
	for (uint64_t seed = 1; seed <= 30; seed++) {
		struct random_heap random;
		random_heap_make(&random, seed);
		freed_more += remove_sets(&random, seed);
		random_heap_free(&random);
	}
	assert_true(freed_more > 100);
}

TEST(sets_take_no_more_memory_than_they_may)
{
	struct random_heap random;
	struct err err = {0};
	struct progress progress = {.cancel = true};
	random_heap_make(&random, 1);
	struct what_if *none = what_if_new(random.heap);
	uint64_t required = RANDOM_OBJECTS * (sizeof(uint64_t) + sizeof(uint32_t));
	struct what_if_sets *sets = what_if_sets_new(&none, 1, required, NULL, &err);
	assert_non_null(sets);
	what_if_sets_free(sets);
	assert_null(what_if_sets_new(&none, 1, required, &progress, &err));
	assert_false(err.set);
	assert_null(what_if_sets_new(&none, 1, required - 1, NULL, &err));
	assert_non_null(strstr(err.text, "requires 720 B of memory"));
	what_if_free(none);
	random_heap_free(&random);
}
