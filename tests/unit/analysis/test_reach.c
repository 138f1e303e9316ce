/* Reachability and paths compared with a naive search of the same graph. */
#include "analysis/paths.h"
#include "go/runtime/goplumbing.h"
#include "heap/dump_heap.h"
#include "heap/edges.h"
#include "heap/random_heap.h"
#include "heap/reference.h"

#include "cmocka_all.h"

enum { FAR = 1000000 };

/* Computes the number of steps from a root to every object by relaxation until nothing changes.
   References to the objects of `without`, a bit set, do not count. */
static void naive_distances(const struct random_heap *random, bool with_passing, uint64_t without,
                            int *distance)
{
	for (int i = 0; i < RANDOM_OBJECTS; i++)
		distance[i] = random->strong[i] || (with_passing && random->passing[i]) ? 1 : FAR;
	for (bool changed = true; changed;) {
		changed = false;
		for (int a = 0; a < RANDOM_OBJECTS; a++)
			for (int b = 0; b < RANDOM_OBJECTS; b++)
				if (random->edge[a][b] && !(without >> b & 1) && distance[a] + 1 < distance[b]) {
					distance[b] = distance[a] + 1;
					changed = true;
				}
	}
}

TEST(shortest_paths_are_shortest)
{
	uint64_t unreachable = 0, only_passing = 0;
	for (uint64_t seed = 1; seed <= 1000; seed++) {
		struct random_heap random;
		int strong[RANDOM_OBJECTS], any[RANDOM_OBJECTS];
		random_heap_make(&random, seed);
		struct reach *reach = reach_new(random.heap, NULL, NULL, NULL);
		naive_distances(&random, false, 0, strong);
		naive_distances(&random, true, 0, any);
		uint64_t objects = 0;
		for (uint32_t i = 0; i < RANDOM_OBJECTS; i++) {
			assert_int_equal(reach_has(reach, i), any[i] < FAR);
			objects += any[i] < FAR;
			unreachable += any[i] == FAR;
			only_passing += strong[i] == FAR && any[i] < FAR;
			if (strong[i] < FAR)
				assert_int_equal(reach_distance(reach, i, FAR), strong[i]);
		}
		assert_int_equal(reach->objects, objects);
		assert_int_equal(reach->bytes, objects * RANDOM_SIZE);
		reach_free(reach);
		random_heap_free(&random);
	}
	assert_true(unreachable > 0 && only_passing > 0); /* the graphs had such objects */
}

/* An object with another referrer has no path through plumbing; an object without one is reachable
   all the same. */
TEST(references_to_plumbing_come_last)
{
	_Static_assert(RANDOM_OBJECTS <= 64, "a bit an object");
	uint64_t longer = 0, only_so = 0;
	for (uint64_t seed = 1; seed <= 1000; seed++) {
		struct random_heap random;
		int strong[RANDOM_OBJECTS], beside[RANDOM_OBJECTS], any[RANDOM_OBJECTS];
		uint64_t bits[2] = {seed * 0x9e3779b97f4a7c15 & seed * 0xc2b2ae3d27d4eb4f, 0};
		struct goplumbing plumbing = {.bits = bits};
		struct goplumbing_part part[RANDOM_OBJECTS];
		plumbing.part = part;
		random_heap_make(&random, seed);
		for (uint32_t i = 0; i < RANDOM_OBJECTS; i++)
			if (bits[0] >> i & 1)
				part[plumbing.count++] = (struct goplumbing_part){i, UINT32_MAX, 0};
		struct reach *reach = reach_new(random.heap, NULL, &plumbing, NULL);
		naive_distances(&random, false, 0, strong);
		naive_distances(&random, false, bits[0], beside);
		naive_distances(&random, true, 0, any);
		for (uint32_t i = 0; i < RANDOM_OBJECTS; i++) {
			assert_int_equal(reach_has(reach, i), any[i] < FAR);
			if (beside[i] < FAR)
				assert_int_equal(reach_distance(reach, i, FAR), beside[i]);
			longer += beside[i] < FAR && beside[i] > strong[i];
			only_so += beside[i] == FAR && strong[i] < FAR;
		}
		reach_free(reach);
		random_heap_free(&random);
	}
	assert_true(longer > 0 && only_so > 0);
}

static void check_path(const struct random_heap *random, const struct path *path, uint32_t object)
{
	const struct heap *heap = random->heap;
	assert_true(path->count >= 1);
	assert_int_equal(path->step[path->count - 1], object);
	assert_int_equal(heap->roots[path->root].target, path->step[0]);
	for (size_t k = 1; k < path->count; k++) {
		struct object_record record;
		uint64_t offset = reference_offset(heap, path->step[k - 1], path->step[k], 0);
		assert_true(random->edge[path->step[k - 1]][path->step[k]] > 0);
		assert_true(heap_object(heap, path->step[k - 1], &record));
		assert_int_equal(heap_find(heap, heap_word(heap, record.data + offset)), path->step[k]);
		assert_int_not_equal(path->step[k - 1], object); /* it does not pass through its own end */
	}
}

static uint32_t last_holder(const struct path *path)
{
	return path->count > 1 ? path->step[path->count - 2] : OBJECT_NONE;
}

/* Every path exists, no two share root and last referrer, and every root that reaches the object
   and every referrer that is reachable without it has a path. */
TEST(other_paths_differ_and_none_is_missing)
{
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct random_heap random;
		random_heap_make(&random, seed);
		assert_true(heap_reverse(random.heap, NULL));
		struct reach *reach = reach_new(random.heap, NULL, NULL, NULL);
		for (uint32_t object = 0; object < RANDOM_OBJECTS; object++) {
			struct paths *paths = paths_open(random.heap, reach, object);
			bool direct[64] = {false};
			size_t count = 0;
			for (const struct path *p; (p = paths_get(paths, count, NULL)); count++) {
				check_path(&random, p, object);
				direct[p->root] = true;
				for (size_t k = 0; k < count; k++) {
					const struct path *q = paths_get(paths, k, NULL);
					assert_false(q->root == p->root && last_holder(q) == last_holder(p));
				}
			}
			assert_int_equal(count > 0, reach_has(reach, object));
			assert_true(paths_exhausted(paths) || count == 0);
			struct ids roots = reach_roots_of(reach, object);
			for (size_t i = 0; i < roots.count; i++)
				assert_true(direct[roots.id[i]]);
			paths_close(paths);
		}
		reach_free(reach);
		random_heap_free(&random);
	}
}

/* A list of 300,000 nodes: nothing recurses, and the last node is as many steps away. */
TEST(a_long_chain_is_walked)
{
	enum { NODES = 300000 };
	const uint64_t base = 0xc000000000;
	SCOPED_DUMP w;
	dump_start(&w, 8, false, "go1.19.8");
	for (uint64_t i = 0; i < NODES; i++) {
		struct dump_field next = {0, i + 1 < NODES ? base + 16 * (i + 1) : 0, 0};
		dump_object(&w, base + 16 * i, 16, &next, 1);
	}
	dump_segment(&w, true, 0x5000, 8, &(struct dump_field){0, base, 0}, 1);
	dump_end(&w);
	SCOPED_HEAP heap = dump_reversed(&w);
	struct reach *reach = reach_new(heap, NULL, NULL, NULL);
	assert_int_equal(reach_distance(reach, NODES - 1, SIZE_MAX), NODES);
	struct paths *paths = paths_open(heap, reach, NODES - 1);
	const struct path *path = paths_get(paths, 0, NULL);
	assert_int_equal(path->count, NODES);
	for (uint32_t k = 0; k < NODES; k++)
		assert_int_equal(path->step[k], k);
	assert_null(paths_get(paths, 1, NULL));
	assert_true(paths_exhausted(paths));
	paths_close(paths);
	reach_free(reach);
}

/* A hub with 100,000 referrers: each further path comes without delay. */
TEST(a_hub_gives_its_paths_lazily)
{
	enum { REFERRERS = 100000 };
	const uint64_t base = 0xc000000000;
	struct dump_field *globals = test_malloc((REFERRERS + 1) * sizeof *globals);
	SCOPED_DUMP w;
	dump_start(&w, 8, false, "go1.19.8");
	dump_object(&w, base, 16, NULL, 0);
	for (uint64_t i = 0; i < REFERRERS; i++) {
		struct dump_field hub = {0, base, 0};
		dump_object(&w, base + 16 * (i + 1), 16, &hub, 1);
		globals[i] = (struct dump_field){8 * i, base + 16 * (i + 1), 0};
	}
	dump_segment(&w, true, 0x5000, 8 * REFERRERS, globals, REFERRERS);
	dump_end(&w);
	struct heap *heap = dump_reversed(&w);
	assert_int_equal(heap_referrers(heap, 0).count, REFERRERS);
	struct reach *reach = reach_new(heap, NULL, NULL, NULL);
	struct paths *paths = paths_open(heap, reach, 0);
	for (size_t k = 0; k < 20; k++)
		assert_int_equal(paths_get(paths, k, NULL)->count, 2);
	paths_close(paths);
	reach_free(reach);
	heap_free(heap);
	test_free(globals);
}
