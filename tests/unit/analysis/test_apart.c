/* Gates of paths, the ways between them, and the two ways that differ most, against searches that
   leave nodes out. */
#include "cmocka_all.h"

#include "analysis/apart.h"
#include "analysis/between.h"
#include "analysis/joint.h"
#include "analysis/random_graph.h"
#include "analysis/stretch.h"
#include "analysis/upward.h"

#include <stdlib.h>
#include <string.h>

enum { GRAPHS = 800 };

/* Is there a way from the roots to `to` that does not use one node? */
static bool leads_around(const struct random_graph *r, const struct dominators *d, uint32_t to,
                         uint32_t node)
{
	static bool seen[MOST_NODES];
	uint32_t queue[MOST_NODES], head = 0, tail = 0, above;
	memset(seen, 0, sizeof seen);
	queue[tail++] = to;
	while (head < tail) {
		struct upward upward;
		if (queue[head] == d->root)
			return true;
		upward_start(&upward, d, r->reach, queue[head++]);
		while (upward_next(&upward, &above))
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
                        const struct gates *gates, const struct path *path)
{
	uint32_t end = path->step[path->count - 1];
	for (size_t k = 0; k < path->count; k++) {
		bool only = path->step[k] == end || !leads_around(r, d, end, path->step[k]);
		assert_int_equal(gates_at(gates, k) != NULL, only);
		if (only)
			assert_int_equal(gates_at(gates, k)->node, path->step[k]);
	}
}

/* Nodes of a path: its objects, and the anchors of its root but for the strengths. */
static size_t nodes_of(const struct dominators *d, const struct path *path, uint32_t *nodes)
{
	size_t count = 0;
	uint32_t anchor = anchors_node(d->anchors, d->anchors->of_root[path->root]);
	for (; anchor != d->root; anchor = upward_anchor(d, anchor))
		nodes[count++] = anchor;
	for (size_t k = 0; k < path->count; k++)
		nodes[count++] = path->step[k];
	return count;
}

static bool is_gate(const struct gates *gates, uint32_t node)
{
	for (size_t i = 0; i < gates->count; i++)
		if (gates->gate[i].node == node)
			return true;
	return false;
}

/* What the two share are the gates, and all of them. */
static void check_shared(const struct dominators *d, const struct gates *gates,
                         const struct apart *apart)
{
	uint32_t first[MOST_NODES], second[MOST_NODES];
	size_t firsts = nodes_of(d, &apart->path[0], first), gates_shared = 0;
	size_t seconds = nodes_of(d, &apart->path[1], second);
	for (size_t i = 0; i < firsts; i++)
		for (size_t k = 0; k < seconds; k++)
			if (first[i] == second[k]) {
				assert_true(is_gate(gates, first[i]));
				gates_shared++;
			}
	assert_int_equal(gates_shared, gates->count - 1); /* but for the first anchor */
}

/* Can the end be reached in two ways at all? */
static bool has_two_ways(const struct random_graph *r, const struct dominators *d,
                         struct gates *gates, const struct path *path)
{
	uint32_t nodes[MOST_NODES];
	if (nodes_of(d, path, nodes) != gates->count - 1)
		return true;
	for (size_t i = 1; i < gates->count; i++) {
		struct upward upward;
		uint32_t above;
		size_t ways = 0;
		upward_start(&upward, d, r->reach, gates->gate[i].node);
		while (upward_next(&upward, &above))
			ways += gates_deepest(gates, above) < i;
		if (ways > 1)
			return true;
	}
	return false;
}

struct met {
	size_t paths, gates, pairs, turned, ways, joint;
};

static void check_apart(const struct random_graph *r, const struct dominators *d,
                        struct gates *gates, const struct path *path, struct met *met)
{
	struct apart apart;
	uint32_t end = path->step[path->count - 1];
	assert_true(apart_find(gates, path, NULL, &apart));
	check_path(r, &apart.path[0], end);
	assert_int_equal(apart.path[1].count > 0, has_two_ways(r, d, gates, path));
	if (apart.path[1].count) {
		check_path(r, &apart.path[1], end);
		check_shared(d, gates, &apart);
		met->pairs++;
		met->turned += apart.path[0].count != path->count ||
		               memcmp(apart.path[0].step, path->step,
		                      path->count * sizeof *path->step) != 0;
	}
	apart_fini(&apart);
}

static uint32_t holder_of(const struct dominators *d, const struct path *path, size_t step)
{
	if (step)
		return path->step[step - 1];
	return anchors_node(d->anchors, d->anchors->of_root[path->root]);
}

/* Every way of every stretch leads from root to end through the same gates, and its last holder is
   the one it is called by. */
static void check_stretches(const struct random_graph *r, const struct dominators *d,
                            struct gates *gates, const struct path *path, struct met *met)
{
	for (size_t step = 0; step < path->count; step++) {
		struct stretch stretch;
		stretch_init(&stretch, gates, path, step);
		assert_true(stretch.first <= step && step <= stretch.end);
		assert_int_equal(stretch.holder[stretch.way], holder_of(d, path, stretch.end));
		met->ways += stretch.ways > 1;
		for (size_t way = 0; way < stretch.ways; way++) {
			struct path taken;
			struct gates same;
			size_t tail = path->count - stretch.end;
			assert_true(stretch_take(&stretch, gates, path, way, NULL, &taken));
			check_path(r, &taken, path->step[path->count - 1]);
			assert_int_equal(holder_of(d, &taken, taken.count - tail), stretch.holder[way]);
			gates_init(&same, d, r->reach, &taken);
			assert_int_equal(same.count, gates->count);
			gates_fini(&same);
			free(taken.step);
		}
		stretch_fini(&stretch);
	}
}

/* All holders but one gone, the gate is still there; all gone, it is not. */
static void check_joint(const struct random_graph *r, struct gates *gates, size_t gate,
                        struct met *met)
{
	uint32_t end = gates->gate[gate].node;
	struct joint joint, fewer;
	struct freed freed, left;
	assert_true(joint_find(gates, gate, NULL, &joint));
	assert_true(joint.count + joint.directly > 0);
	assert_true(joint_freed(gates, gate, &joint, NULL, &freed));
	met->joint += joint_is(&joint);
	for (size_t i = 0; i < joint.count && joint_is(&joint); i++) {
		fewer = joint;
		fewer.count = 1;
		fewer.holder = &joint.holder[i];
		fewer.directly = false;
		assert_true(joint_freed(gates, gate, &fewer, NULL, &left));
		assert_true(left.bytes + heap_size(r->heap, end) <= freed.bytes);
		assert_int_equal(left.bytes, gates->dominators->bytes[joint.holder[i]]);
	}
	assert_true(freed.bytes >= gates->dominators->bytes[end]);
	joint_fini(&joint);
}

static void check_object(const struct random_graph *r, const struct dominators *d, uint32_t object,
                         struct met *met)
{
	struct paths *paths = paths_open(r->heap, r->reach, object);
	const struct path *path;
	for (size_t k = 0; k < 3 && (path = paths_get(paths, k, NULL)); k++) {
		struct gates gates;
		gates_init(&gates, d, r->reach, path);
		check_gates(r, d, &gates, path);
		check_stretches(r, d, &gates, path, met);
		check_apart(r, d, &gates, path, met);
		for (size_t gate = gates.anchors; gate < gates.count; gate++)
			check_joint(r, &gates, gate, met);
		met->paths++;
		met->gates += gates.count - gates.anchors > 1;
		gates_fini(&gates);
	}
	paths_close(paths);
}

static void ways_and_holders_are_what_searches_without_them_say(void **state)
{
	(void)state;
	struct met met = {0};
	for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
		struct random_graph r;
		random_graph_make(&r, seed);
		struct dominators *d = dominators_new(r.anchors, RETAIN_ALIVE, NULL, NULL);
		for (uint32_t object = 0; object < heap_object_count(r.heap); object++)
			if (reach_has(r.reach, object))
				check_object(&r, d, object, &met);
		dominators_free(d);
		random_graph_free(&r);
	}
	assert_true(met.gates > 1000 && met.pairs > 1000 && met.turned > 100 && met.ways > 1000
	            && met.joint > 1000);
}

/* Steps from one object to every other, by relaxing until nothing changes. */
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

static void the_way_between_two_is_the_shortest(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct random_graph r;
		size_t distance[MOST_OBJECTS], count;
		random_graph_make(&r, seed);
		uint32_t objects = heap_object_count(r.heap);
		uint32_t from = (uint32_t)random_below(&r, objects);
		naive_distances(r.heap, from, distance);
		for (uint32_t to = 0; to < objects; to++) {
			bool found;
			uint32_t *steps = between(r.heap, from, to, NULL, &count, &found);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ways_and_holders_are_what_searches_without_them_say),
		cmocka_unit_test(the_way_between_two_is_the_shortest),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
