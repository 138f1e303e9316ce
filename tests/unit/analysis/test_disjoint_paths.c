/* Dominators of paths, the paths between them, and the two paths that differ most, against searches
   that leave nodes out. */
#include "cmocka_all.h"

#include "analysis/path_dominators.h"
#include "analysis/paths.h"
#include "analysis/random_graph.h"
#include "heap/heap.h"

#include <stdlib.h>
#include <string.h>

enum { GRAPHS = 800 };

/* Is there a path from the roots to `to` that does not use one node? */
static bool leads_around(const struct random_graph *r, const struct dominators *d, uint32_t to,
                         uint32_t node)
{
	static bool seen[MOST_NODES];
	uint32_t queue[MOST_NODES], head = 0, tail = 0, above;
	memset(seen, 0, sizeof seen);
	queue[tail++] = to;
	while (head < tail) {
		struct predecessors predecessors;
		if (queue[head] == d->root)
			return true;
		predecessors_start(&predecessors, d, r->reach, queue[head++]);
		while (predecessors_next(&predecessors, &above))
			if (above != node && !seen[above]) {
				seen[above] = true;
				queue[tail++] = above;
			}
	}
	return false;
}

static bool points_at(const struct heap *heap, uint32_t from, uint32_t to)
{
	struct ids ids = heap_references(heap, from);
	for (size_t i = 0; i < ids.count; i++)
		if (ids.id[i] == to)
			return true;
	return false;
}

static void check_path(const struct random_graph *r, const struct path *path, uint32_t object)
{
	assert_int_equal(path->step[path->count - 1], object);
	assert_int_equal(r->heap->roots[path->root].target, path->step[0]);
	for (size_t k = 1; k < path->count; k++) {
		assert_true(points_at(r->heap, path->step[k - 1], path->step[k]));
		for (size_t other = 0; other < k; other++)
			assert_int_not_equal(path->step[other], path->step[k]);
	}
}

static void check_gates(const struct random_graph *r, const struct dominators *d,
                        const struct path_dominators *path_dominators, const struct path *path)
{
	uint32_t end = path->step[path->count - 1];
	for (size_t k = 0; k < path->count; k++) {
		bool only = path->step[k] == end || !leads_around(r, d, end, path->step[k]);
		assert_int_equal(path_dominators_at(path_dominators, k) != NULL, only);
		if (only)
			assert_int_equal(path_dominators_at(path_dominators, k)->node, path->step[k]);
	}
}

/* Stores the nodes of a path: its objects, and the root nodes of its root except root classes. */
static size_t nodes_of(const struct dominators *d, const struct path *path, uint32_t *nodes)
{
	size_t count = 0;
	uint32_t root_node = root_nodes_node(d->root_nodes, d->root_nodes->of_root[path->root]);
	for (; root_node != d->root; root_node = predecessors_root_node(d, root_node))
		nodes[count++] = root_node;
	for (size_t k = 0; k < path->count; k++)
		nodes[count++] = path->step[k];
	return count;
}

static bool is_path_dominator(const struct path_dominators *path_dominators, uint32_t node)
{
	for (size_t i = 0; i < path_dominators->count; i++)
		if (path_dominators->item[i].node == node)
			return true;
	return false;
}

/* The nodes that the two paths share are exactly the dominators. */
static void check_shared(const struct dominators *d, const struct path_dominators *path_dominators,
                         const struct disjoint_paths *disjoint)
{
	uint32_t first[MOST_NODES], second[MOST_NODES];
	size_t firsts = nodes_of(d, &disjoint->path[0], first), path_dominators_shared = 0;
	size_t seconds = nodes_of(d, &disjoint->path[1], second);
	for (size_t i = 0; i < firsts; i++)
		for (size_t k = 0; k < seconds; k++)
			if (first[i] == second[k]) {
				assert_true(is_path_dominator(path_dominators, first[i]));
				path_dominators_shared++;
			}
	assert_int_equal(path_dominators_shared, path_dominators->count - 1); /* except the first root
	                                                                         node */
}

/* Can the end be reached by two paths at all? */
static bool has_two_paths(const struct random_graph *r, const struct dominators *d,
                          struct path_dominators *path_dominators, const struct path *path)
{
	uint32_t nodes[MOST_NODES];
	if (nodes_of(d, path, nodes) != path_dominators->count - 1)
		return true;
	for (size_t i = 1; i < path_dominators->count; i++) {
		struct predecessors predecessors;
		uint32_t above;
		size_t found = 0;
		predecessors_start(&predecessors, d, r->reach, path_dominators->item[i].node);
		while (predecessors_next(&predecessors, &above))
			found += path_dominators_deepest(path_dominators, above) < i;
		if (found > 1)
			return true;
	}
	return false;
}

struct met {
	size_t paths, path_dominators, pairs, turned, alternatives, co_holders;
};

static void check_apart(const struct random_graph *r, const struct dominators *d,
                        struct path_dominators *path_dominators, const struct path *path,
                        struct met *met)
{
	struct disjoint_paths disjoint;
	uint32_t end = path->step[path->count - 1];
	assert_true(disjoint_paths_find(path_dominators, path, NULL, &disjoint));
	check_path(r, &disjoint.path[0], end);
	assert_int_equal(disjoint.path[1].count > 0, has_two_paths(r, d, path_dominators, path));
	if (disjoint.path[1].count) {
		check_path(r, &disjoint.path[1], end);
		check_shared(d, path_dominators, &disjoint);
		met->pairs++;
		met->turned +=
			disjoint.path[0].count != path->count
			|| memcmp(disjoint.path[0].step, path->step, path->count * sizeof *path->step) != 0;
	}
	disjoint_paths_fini(&disjoint);
}

static uint32_t holder_of(const struct dominators *d, const struct path *path, size_t step)
{
	if (step)
		return path->step[step - 1];
	return root_nodes_node(d->root_nodes, d->root_nodes->of_root[path->root]);
}

/* Every alternative of every segment leads from root to end through the same dominators, and its
   last holder is the one it is called by. */
static void check_stretches(const struct random_graph *r, const struct dominators *d,
                            struct path_dominators *path_dominators, const struct path *path,
                            struct met *met)
{
	for (size_t step = 0; step < path->count; step++) {
		struct path_segment segment;
		path_segment_init(&segment, path_dominators, path, step);
		assert_true(segment.first <= step && step <= segment.end);
		assert_int_equal(segment.holder[segment.current], holder_of(d, path, segment.end));
		met->alternatives += segment.count > 1;
		for (size_t at = 0; at < segment.count; at++) {
			struct path taken;
			struct path_dominators same;
			size_t tail = path->count - segment.end;
			assert_true(path_segment_take(&segment, path_dominators, path, at, NULL, &taken));
			check_path(r, &taken, path->step[path->count - 1]);
			assert_int_equal(holder_of(d, &taken, taken.count - tail), segment.holder[at]);
			path_dominators_init(&same, d, r->reach, &taken);
			assert_int_equal(same.count, path_dominators->count);
			path_dominators_fini(&same);
			free(taken.step);
		}
		path_segment_fini(&segment);
	}
}

/* If all co-holders but one go, the dominator is still reachable; if all go, it is not. */
static void check_co_holders(const struct random_graph *r, struct path_dominators *path_dominators,
                             size_t path_dominator, struct met *met)
{
	uint32_t end = path_dominators->item[path_dominator].node;
	struct co_holders co_holders, fewer;
	struct freed freed, left;
	assert_true(co_holders_find(path_dominators, path_dominator, NULL, &co_holders));
	assert_true(co_holders.count + co_holders.directly > 0);
	assert_true(co_holders_freed(path_dominators, path_dominator, &co_holders, NULL, &freed));
	met->co_holders += co_holders_is(&co_holders);
	for (size_t i = 0; i < co_holders.count && co_holders_is(&co_holders); i++) {
		fewer = co_holders;
		fewer.count = 1;
		fewer.holder = &co_holders.holder[i];
		fewer.directly = false;
		assert_true(co_holders_freed(path_dominators, path_dominator, &fewer, NULL, &left));
		assert_true(left.bytes + heap_size(r->heap, end) <= freed.bytes);
		assert_int_equal(left.bytes,
		                 dominators_bytes(path_dominators->dominators, co_holders.holder[i]));
	}
	assert_true(freed.bytes >= dominators_bytes(path_dominators->dominators, end));
	co_holders_fini(&co_holders);
}

static void check_object(const struct random_graph *r, const struct dominators *d, uint32_t object,
                         struct met *met)
{
	struct paths *paths = paths_open(r->heap, r->reach, object);
	const struct path *path;
	for (size_t k = 0; k < 3 && (path = paths_get(paths, k, NULL)); k++) {
		struct path_dominators path_dominators;
		path_dominators_init(&path_dominators, d, r->reach, path);
		check_gates(r, d, &path_dominators, path);
		check_stretches(r, d, &path_dominators, path, met);
		check_apart(r, d, &path_dominators, path, met);
		for (size_t path_dominator = path_dominators.root_nodes;
		     path_dominator < path_dominators.count; path_dominator++)
			check_co_holders(r, &path_dominators, path_dominator, met);
		met->paths++;
		met->path_dominators += path_dominators.count - path_dominators.root_nodes > 1;
		path_dominators_fini(&path_dominators);
	}
	paths_close(paths);
}

TEST(alternatives_and_holders_are_what_searches_without_them_say)
{
	struct met met = {0};
	for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
		struct random_graph r;
		random_graph_make(&r, seed);
		struct dominators *d = dominators_new(r.root_nodes, RETAIN_ALIVE, NULL, NULL);
		for (uint32_t object = 0; object < heap_object_count(r.heap); object++)
			if (reach_has(r.reach, object))
				check_object(&r, d, object, &met);
		dominators_free(d);
		random_graph_free(&r);
	}
	assert_true(met.path_dominators > 1000 && met.pairs > 1000 && met.turned > 100
	            && met.alternatives > 1000 && met.co_holders > 1000);
}

/* Computes the number of steps from one object to every other by relaxation until nothing
   changes. */
static void naive_distances(const struct heap *heap, uint32_t from, size_t *distance)
{
	uint32_t count = heap_object_count(heap);
	for (uint32_t id = 0; id < count; id++)
		distance[id] = id == from ? 1 : MOST_NODES;
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t a = 0; a < count; a++)
			for (uint32_t b = 0; b < count; b++)
				if (distance[a] + 1 < distance[b] && points_at(heap, a, b)) {
					distance[b] = distance[a] + 1;
					changed = true;
				}
	}
}

TEST(the_path_between_two_is_the_shortest)
{
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct random_graph r;
		size_t distance[MOST_OBJECTS], count;
		random_graph_make(&r, seed);
		uint32_t objects = heap_object_count(r.heap);
		uint32_t from = (uint32_t)random_below(&r, objects);
		naive_distances(r.heap, from, distance);
		for (uint32_t to = 0; to < objects; to++) {
			bool found;
			uint32_t *steps = shortest_path(r.heap, from, to, NULL, &count, &found);
			assert_int_equal(found, distance[to] < MOST_NODES);
			assert_int_equal(count, found ? distance[to] : 0);
			assert_true(!found || (steps[0] == from && steps[count - 1] == to));
			for (size_t k = 1; k < count; k++)
				assert_true(points_at(r.heap, steps[k - 1], steps[k]));
			free(steps);
		}
		random_graph_free(&r);
	}
}
