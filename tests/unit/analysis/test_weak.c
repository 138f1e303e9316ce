/* Weak roots of a log keep nothing alive, but what they reach is known. */
#include "cmocka_all.h"

#include "analysis/dominators.h"
#include "analysis/path_dominators.h"
#include "analysis/paths.h"
#include "heap/heap.h"

#include <string.h>

/* 1 is held by a static variable and leads to 2, which a weak handle points at, too. Weak handles
   lead to the ring of 3 and 4, and through that to 5, which points at 2, too; 6 points at 5, and
   no root leads to it. */
static const char text[] = "a 2 weak.exe\n"
						   "o 1 1 10 2\n"
						   "o 2 1 20\n"
						   "o 3 1 100 4\n"
						   "o 4 1 200 3 5\n"
						   "o 5 1 400 2\n"
						   "o 6 1 800 5\n"
						   "r 1 4 0 1\n"
						   "r 2 3 2\n"
						   "r 3 3 2\n"
						   "r 4 1 2\n"
						   "c weak.exe\n";

struct log {
	struct input input;
	struct heap *heap;
	struct reach *reach;
	struct root_nodes *root_nodes;
};

static int make(void **state)
{
	static struct log log;
	struct err err = {0};
	log.input = (struct input){.data = (const uint8_t *)text, .size = strlen(text), .fd = -1};
	log.heap = heap_read(&log.input, NULL, &err);
	assert_true(log.heap && heap_link(log.heap, NULL, &err) && heap_reverse(log.heap, NULL));
	log.reach = reach_new(log.heap, NULL, NULL, NULL);
	log.root_nodes = root_nodes_new(log.heap, NULL, (struct sync_pools){0}, NULL);
	*state = &log;
	return 0;
}

static int unmake(void **state)
{
	struct log *log = *state;
	root_nodes_free(log->root_nodes);
	reach_free(log->reach);
	heap_free(log->heap);
	return 0;
}

static uint32_t object(const struct log *log, uint64_t number)
{
	uint32_t id = heap_find(log->heap, number);
	assert_int_not_equal(id, OBJECT_NONE);
	return id;
}

static uint32_t count_weak_roots(const struct reach *reach)
{
	uint32_t count = 0;
	for (uint32_t r = 0; r < reach->heap->root_count; r++)
		count += reach->root_class[r] == ROOT_CLASS_WEAK;
	return count;
}

TEST(what_only_they_lead_to_is_told_apart)
{
	const struct log *log = *state;
	const struct {
		uint64_t number;
		bool alive, weak;
		size_t distance;
	} right[] = {
		{1, true, false, 1}, {2, true, false, 2}, {3, false, true, 1},
		{4, false, true, 1}, {5, false, true, 2}, {6, false, false, 0},
	};
	for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
		uint32_t id = object(log, right[i].number);
		assert_int_equal(reach_has(log->reach, id), right[i].alive);
		assert_int_equal(reach_is_weak(log->reach, id), right[i].weak);
		if (right[i].distance)
			assert_int_equal(reach_distance(log->reach, id, SIZE_MAX), right[i].distance);
		else
			assert_int_equal(reach_before(log->reach, id), OBJECT_NONE);
	}
	assert_int_equal(log->reach->objects, 2);
	assert_int_equal(log->reach->bytes, 0x30);
	assert_int_equal(log->reach->weak_objects, 3);
	assert_int_equal(log->reach->weak_bytes, 0x700);
	assert_int_equal(count_weak_roots(log->reach), 3);
	assert_true(root_nodes_has_weak(log->root_nodes));
}

/* Counts the paths to an object, whose roots all keep alive, or all do not. */
static size_t count_paths(const struct log *log, uint64_t number, bool alive)
{
	struct paths *paths = paths_open(log->heap, log->reach, object(log, number));
	const struct path *path;
	size_t count = 0;
	while ((path = paths_get(paths, count, NULL))) {
		assert_int_equal(root_retains(&log->heap->roots[path->root]), alive);
		assert_int_equal(path->step[path->count - 1], object(log, number));
		count++;
	}
	assert_true(paths_exhausted(paths));
	paths_close(paths);
	return count;
}

TEST(they_begin_paths_only_where_no_other_root_does)
{
	const struct log *log = *state;
	assert_int_equal(count_paths(log, 2, true), 1);
	assert_int_equal(count_paths(log, 3, false), 2);
	assert_int_equal(count_paths(log, 5, false), 2);
	assert_int_equal(count_paths(log, 6, false), 0);
}

static void check_bytes(const struct log *log, enum retain retain, const uint64_t *right)
{
	bool strongest = retain == RETAIN_STRONGEST;
	struct dominators *all =
		dominators_new(log->root_nodes, strongest ? RETAIN_ALIVE : retain, NULL, NULL);
	struct dominators *d = strongest ? dominators_new_strongest(all, NULL) : all;
	for (uint64_t number = 1; number <= 6; number++)
		assert_int_equal(dominators_bytes(d, object(log, number)), right[number - 1]);
	if (strongest)
		dominators_free(d);
	dominators_free(all);
}

TEST(they_retain_only_where_that_is_asked_for)
{
	const uint64_t alive[] = {0x30, 0x20, 0, 0, 0, 0};
	const uint64_t weak[] = {0x10, 0x20, 0x100, 0x600, 0x400, 0};
	check_bytes(*state, RETAIN_ALIVE, alive);
	check_bytes(*state, RETAIN_STRONGEST, alive);
	check_bytes(*state, RETAIN_WEAK, weak);
}

/* How many paths there are from the root of an object's first path to its first dominator. */
static size_t count_alternatives(const struct log *log, uint64_t number, enum retain retain)
{
	struct dominators *d = dominators_new(log->root_nodes, retain, NULL, NULL);
	struct paths *paths = paths_open(log->heap, log->reach, object(log, number));
	const struct path *path = paths_get(paths, 0, NULL);
	struct path_dominators path_dominators;
	struct path_segment segment;
	path_dominators_init(&path_dominators, d, log->reach, path);
	path_segment_init(&segment, &path_dominators, path, path->count - 1);
	size_t count = segment.count;
	path_segment_fini(&segment);
	path_dominators_fini(&path_dominators);
	paths_close(paths);
	dominators_free(d);
	return count;
}

TEST(they_are_no_other_path_to_what_is_alive)
{
	assert_int_equal(count_alternatives(*state, 2, RETAIN_ALIVE), 1);
	assert_int_equal(count_alternatives(*state, 4, RETAIN_WEAK), 2);
}

TESTS_WITH(make, unmake);
