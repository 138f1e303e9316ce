/* Dominators and retained sizes compared with their definition: what becomes unreachable without a
   node. */
#include "cmocka_all.h"

#include "go/runtime/goplumbing.h"
#include "go/runtime/gotimer.h"
#include "heap/dump_heap.h"

#include "analysis/dominators.h"
#include "analysis/random_graph.h"
#include "heap/heap.h"

#include <stdlib.h>
#include <string.h>

/* The graph as an adjacency matrix. */
struct naive {
	uint32_t objects, nodes, root;
	bool edge[MOST_NODES][MOST_NODES];
	int root_class[MOST_NODES];
};

static bool is_pool(const struct root_nodes *a, uint32_t object)
{
	for (uint32_t i = 0; i < a->pools.count; i++)
		if (a->pools.object[i] == object)
			return true;
	return false;
}

/* Marks what is reachable from a node without another one. */
static void naive_reach(const struct naive *n, uint32_t from, uint32_t what_if, bool *seen)
{
	uint32_t queue[MOST_NODES], head = 0, tail = 0;
	memset(seen, 0, MOST_NODES * sizeof *seen);
	if (from == what_if)
		return;
	seen[from] = true;
	queue[tail++] = from;
	while (head < tail) {
		uint32_t node = queue[head++];
		for (uint32_t to = 0; to < n->nodes; to++)
			if (n->edge[node][to] && to != what_if && !seen[to]) {
				seen[to] = true;
				queue[tail++] = to;
			}
	}
}

/* Pools and timers are root nodes to the strongest paths only, and weak roots keep nothing. */
static bool takes_part(const struct root_nodes *a, uint32_t root_node, enum retain retain)
{
	int root_class = ROOT_CLASSES - 1;
	while (a->root_class[root_class] > root_node)
		root_class--;
	if (root_class == ROOT_CLASS_POOL || root_class == ROOT_CLASS_TIMER)
		return retain == RETAIN_STRONGEST;
	return root_class != ROOT_CLASS_WEAK || retain == RETAIN_WEAK;
}

static void naive_link(struct naive *n, const struct random_graph *r, enum retain retain)
{
	const struct root_nodes *a = r->root_nodes;
	for (uint32_t from = 0; from < n->objects; from++) {
		struct ids to = heap_references(r->heap, from);
		for (size_t i = 0; i < to.count; i++)
			n->edge[from][to.id[i]] = true;
	}
	for (uint32_t i = 1; i < a->count; i++)
		n->edge[n->objects + a->root_node[i].parent][n->objects + i] = takes_part(a, i, retain);
	for (uint32_t i = 0; i < r->heap->root_count; i++)
		n->edge[n->objects + a->of_root[i]][r->heap->roots[i].target] = true;
	for (uint32_t i = 0; i < a->pools.count; i++)
		n->edge[n->objects + a->root_class[ROOT_CLASS_POOL] + 1 + i][a->pools.object[i]] = true;
	uint32_t timers = a->root_class[ROOT_CLASS_TIMER] + 1;
	for (size_t i = 0; timers < a->root_class[ROOT_CLASS_RUNTIME] && i < r->plumbing->timers->count;
	     i++)
		if (reach_has(r->reach, r->plumbing->timers->item[i].object))
			n->edge[n->objects + timers][r->plumbing->timers->item[i].object] = true;
}

/* Edges to plumbing come from its seat only. */
static void naive_seat(struct naive *n, const struct root_nodes *a)
{
	for (size_t i = 0; i < a->seats; i++)
		for (uint32_t from = 0; from < n->nodes; from++)
			n->edge[from][a->seat[i].object] &= is_pool(a, a->seat[i].object);
	for (size_t i = 0; i < a->seats; i++)
		n->edge[n->objects + a->seat[i].root_node][a->seat[i].object] = true;
}

/* Removes edges between root classes. Every node belongs to the strongest root class that
   reaches it; a node that a pool references, to no stronger one than the pool's. */
static void naive_cut(struct naive *n, const struct root_nodes *a)
{
	static bool whole[MOST_NODES][MOST_NODES];
	bool seen[MOST_NODES];
	memcpy(whole, n->edge, sizeof whole);
	for (uint32_t node = 0; node < n->nodes; node++) {
		n->root_class[node] = ROOT_CLASSES;
		for (uint32_t to = 0; to < n->nodes; to++)
			n->edge[node][to] &= !is_pool(a, to);
	}
	for (int s = 0; s < ROOT_CLASSES; s++) {
		if (s == ROOT_CLASS_POOL)
			memcpy(n->edge, whole, sizeof whole);
		naive_reach(n, n->objects + a->root_class[s], UINT32_MAX, seen);
		for (uint32_t node = 0; node < n->nodes; node++)
			if (seen[node] && n->root_class[node] == ROOT_CLASSES)
				n->root_class[node] = s;
	}
	for (uint32_t from = 0; from < n->nodes; from++)
		for (uint32_t to = 0; to < n->nodes; to++)
			n->edge[from][to] &= from == n->root || n->root_class[from] == n->root_class[to];
}

static void naive_make(struct naive *n, const struct random_graph *r, enum retain retain)
{
	memset(n, 0, sizeof *n);
	n->objects = heap_object_count(r->heap);
	n->nodes = n->objects + r->root_nodes->count;
	n->root = n->objects;
	naive_link(n, r, retain);
	if (retain != RETAIN_STRONGEST)
		return;
	naive_seat(n, r->root_nodes);
	naive_cut(n, r->root_nodes);
}

struct seen {
	uint64_t unreachable, far, differing, same;
};

/* Compares the bytes, objects and dominator of each node with a search that omits the node. */
static void check_tree(const struct naive *n, const struct dominators *d, const struct heap *heap,
                       struct seen *seen)
{
	static bool lost[MOST_NODES][MOST_NODES];
	bool all[MOST_NODES];
	naive_reach(n, n->root, UINT32_MAX, all);
	for (uint32_t v = 0; v < n->nodes; v++) {
		uint64_t bytes = 0, objects = 0;
		naive_reach(n, n->root, v, lost[v]);
		for (uint32_t w = 0; w < n->nodes; w++) {
			lost[v][w] = all[w] && !lost[v][w];
			bytes += lost[v][w] && w < n->objects ? heap_size(heap, w) : 0;
			objects += lost[v][w] && w < n->objects;
		}
		assert_int_equal(dominators_bytes(d, v), all[v] ? bytes : 0);
		assert_int_equal(dominators_objects(d, v), all[v] ? objects : 0);
	}
	for (uint32_t w = 0; w < n->nodes; w++) {
		assert_int_equal(dominators_has(d, w), all[w]);
		seen->unreachable += !all[w];
		if (!all[w] || w == n->root)
			continue;
		uint32_t dominator = dominators_above(d, w);
		assert_true(dominator != w && lost[dominator][w]);
		seen->far += dominator < n->objects && !n->edge[dominator][w];
		for (uint32_t v = 0; v < n->nodes; v++) /* all others dominate the nearest */
			assert_true(v == w || !lost[v][w] || v == dominator || lost[v][dominator]);
	}
}

static void check_children(const struct dominators *d)
{
	for (uint32_t node = 0; node < d->nodes; node++) {
		size_t count;
		uint32_t *children = dominators_children(d, node, &count);
		uint64_t sum = dominators_has(d, node) ? dominators_self(d, node) : 0;
		for (size_t i = 0; i < count; i++) {
			assert_int_equal(dominators_above(d, children[i]), node);
			assert_true(
				i == 0 || dominators_bytes(d, children[i - 1]) >= dominators_bytes(d, children[i]));
			sum += dominators_bytes(d, children[i]);
		}
		assert_int_equal(sum, dominators_bytes(d, node));
		free(children);
	}
}

/* Each list has, in ascending order, the nodes whose dominator is the node. */
static void check_lists(const struct dominators *d, const struct dominator_children *children)
{
	for (uint32_t node = 0; node < d->nodes; node++) {
		struct ids of = dominator_children_of(children, node);
		for (uint32_t n = 0; n < d->nodes; n++)
			if (dominators_above(d, n) == node) {
				assert_true(of.count > 0);
				assert_int_equal(*of.id++, n);
				of.count--;
			}
		assert_int_equal(of.count, 0);
	}
}

/* The lists of a tree, and those of one that is stored as its difference from it. */
static void check_lists_like(const struct dominators *all, const struct dominators *reduced,
                             struct seen *seen)
{
	struct dominator_children *of_all = dominator_children_new(all, NULL);
	struct dominator_children *of_reduced = dominator_children_new_like(reduced, of_all);
	check_lists(all, of_all);
	check_lists(reduced, of_reduced);
	dominator_children_free(of_reduced);
	dominator_children_free(of_all);
	seen->differing += reduced->differing.count;
	seen->same += reduced->nodes - reduced->differing.count;
}

/* A tree of one object is equal to the tree of all for the object and its dominators. */
static void check_chains(const struct random_graph *r, const struct dominators *all)
{
	for (uint32_t object = 0; object < heap_object_count(r->heap); object++) {
		struct dominators *d = dominators_new_of(r->root_nodes, r->reach, object, NULL);
		uint32_t node = object, met = 1;
		assert_non_null(d);
		assert_int_equal(dominators_bytes(d, d->root), dominators_bytes(all, all->root));
		assert_int_equal(dominators_has(d, object), dominators_has(all, object));
		for (; dominators_has(all, node) && node != all->root; met++) {
			assert_int_equal(dominators_bytes(d, node), dominators_bytes(all, node));
			assert_int_equal(dominators_objects(d, node), dominators_objects(all, node));
			assert_int_equal(dominators_above(d, node), dominators_above(all, node));
			node = dominators_above(all, node);
		}
		for (node = 0; node < d->nodes; node++)
			met -= dominators_has(d, node);
		assert_int_equal(met, 0); /* and nothing else */
		dominators_free(d);
	}
}

static struct seen check_random_graphs(enum retain retain)
{
	struct seen seen = {0};
	for (uint64_t seed = 1; seed <= 3000; seed++) {
		static struct naive n;
		struct random_graph r;
		random_graph_make(&r, seed);
		naive_make(&n, &r, retain);
		struct dominators *all = dominators_new(r.root_nodes, RETAIN_ALIVE, NULL, NULL);
		struct dominators *d = all;
		if (retain == RETAIN_STRONGEST)
			d = dominators_new_strongest(all, NULL);
		check_tree(&n, d, r.heap, &seen);
		check_children(d);
		if (d == all)
			check_chains(&r, d);
		else
			check_lists_like(all, d, &seen);
		if (d != all)
			dominators_free(d);
		dominators_free(all);
		random_graph_free(&r);
	}
	return seen;
}

TEST(what_is_retained_is_what_is_lost)
{
	struct seen seen = check_random_graphs(RETAIN_ALIVE);
	assert_true(seen.unreachable > 1000 && seen.far > 500); /* the graphs had such nodes */
}

TEST(weaker_anchors_own_what_no_firmer_one_leads_to)
{
	struct seen seen = check_random_graphs(RETAIN_STRONGEST);
	assert_true(seen.unreachable > 1000 && seen.far > 500);
	assert_true(seen.differing > 10000 && seen.same > 10000);
}

/* ---- Large and deep graphs */

struct large {
	struct dump_writer w;
	struct input input;
	struct heap *heap;
	struct root_nodes *root_nodes;
	struct dominators *dominators;
};

enum { LARGE = 200000, NODE = 16 };

static uint64_t node_address(uint64_t i)
{
	return 0xc000000000 + NODE * i;
}

/* Node i points to to[2 * i] and to[2 * i + 1]; OBJECT_NONE: none. A root points to the first. */
static void large_make(struct large *l, const uint32_t *to)
{
	struct err err = {0};
	*l = (struct large){0};
	dump_start(&l->w, 8, false, "go1.19.8");
	for (uint64_t i = 0; i < LARGE; i++) {
		struct dump_field fields[2];
		size_t count = 0;
		for (uint64_t k = 0; k < 2; k++)
			if (to[2 * i + k] != OBJECT_NONE)
				fields[count++] = (struct dump_field){8 * k, node_address(to[2 * i + k]), 0};
		dump_object(&l->w, node_address(i), NODE, fields, count);
	}
	dump_segment(&l->w, true, 0x5000, 8, &(struct dump_field){0, node_address(0), 0}, 1);
	dump_end(&l->w);
	l->heap = dump_reversed(&l->w);
	l->root_nodes = root_nodes_new(l->heap, NULL, (struct sync_pools){0}, NULL);
	l->dominators = dominators_new(l->root_nodes, RETAIN_ALIVE, NULL, &err);
	assert_int_equal(dominators_objects(l->dominators, l->dominators->root), LARGE);
}

static void large_free(struct large *l)
{
	dominators_free(l->dominators);
	root_nodes_free(l->root_nodes);
	heap_free(l->heap);
	dump_free(&l->w);
}

/* Objects of more than 4 GiB, of which the dump has only the last bytes: retained sizes need more
   than 32 bits, except that of the last object. */
TEST(more_than_four_gigabytes_are_added_up)
{
	enum { HUGE_ONES = 5, WRITTEN = 16 };
	const uint64_t size = (UINT64_C(1) << 32) + WRITTEN;
	struct large l = {0};
	struct err err = {0};
	dump_start(&l.w, 8, false, "go1.19.8");
	for (uint64_t i = 0; i <= HUGE_ONES; i++) {
		uint64_t next = i < HUGE_ONES ? 0xc000000000 + (i + 1) * 2 * size : 0;
		dump_uvarint(&l.w, 1);
		dump_uvarint(&l.w, 0xc000000000 + i * 2 * size);
		dump_uvarint(&l.w, i < HUGE_ONES ? size : WRITTEN);
		buf_add_bytes(&l.w.out, &next, sizeof next);
		buf_add_bytes(&l.w.out, &(uint64_t){0}, WRITTEN - sizeof next);
		dump_uvarint(&l.w, 1); /* a pointer, at 0 */
		dump_uvarint(&l.w, 0);
		dump_uvarint(&l.w, 0);
	}
	dump_segment(&l.w, true, 0x5000, 8, &(struct dump_field){0, 0xc000000000, 0}, 1);
	dump_end(&l.w);
	l.input = dump_input(&l.w);
	l.heap = heap_read(&l.input, NULL, &err);
	assert_true(heap_link(l.heap, NULL, &err) && heap_reverse(l.heap, NULL));
	l.root_nodes = root_nodes_new(l.heap, NULL, (struct sync_pools){0}, NULL);
	l.dominators = dominators_new(l.root_nodes, RETAIN_ALIVE, NULL, &err);
	for (uint32_t i = 0; i <= HUGE_ONES; i++) {
		assert_int_equal(dominators_bytes(l.dominators, i), (HUGE_ONES - i) * size + WRITTEN);
		assert_int_equal(dominators_objects(l.dominators, i), HUGE_ONES - i + 1);
	}
	large_free(&l);
}

static uint32_t *targets(void)
{
	uint32_t *to = test_malloc(2 * LARGE * sizeof *to);
	memset(to, 0xff, 2 * LARGE * sizeof *to);
	return to;
}

TEST(a_list_retains_its_tail)
{
	struct large l;
	uint32_t *to = targets();
	for (uint32_t i = 0; i + 1 < LARGE; i++)
		to[2 * i] = i + 1;
	large_make(&l, to);
	for (uint32_t i = 0; i < LARGE; i++)
		assert_int_equal(dominators_bytes(l.dominators, i), NODE * (uint64_t)(LARGE - i));
	large_free(&l);
	test_free(to);
}

/* A list half as long whose node i and whose i-th node from the end share an object. Walking up the
   dominator tree one step at a time would take 10^9 steps. */
TEST(far_apart_referrers_are_joined)
{
	enum { LIST = LARGE / 2 };
	struct large l;
	uint32_t *to = targets();
	for (uint32_t i = 0; i < LIST; i++) {
		to[2 * i] = i + 1 < LIST ? i + 1 : OBJECT_NONE;
		to[2 * i + 1] = LIST + (i < LIST - 1 - i ? i : LIST - 1 - i);
	}
	for (uint32_t i = LIST / 2; i < LIST; i++) /* the first references the rest */
		to[2 * (LIST + i)] = i + 1 < LIST ? LIST + i + 1 : OBJECT_NONE;
	to[2 * (LIST + LIST / 2 - 1)] = LIST + LIST / 2;
	large_make(&l, to);
	for (uint32_t i = 0; i < LIST / 2; i++)
		assert_int_equal(l.dominators->idom[LIST + i], i);
	large_free(&l);
	test_free(to);
}

TEST(a_binary_tree_is_its_own_tree)
{
	struct large l;
	uint32_t *to = targets();
	for (uint32_t i = 0; i < 2 * LARGE; i++)
		to[i] = i + 1 < LARGE ? i + 1 : OBJECT_NONE;
	large_make(&l, to);
	for (uint32_t i = 1; i < LARGE; i++)
		assert_int_equal(l.dominators->idom[i], (i - 1) / 2);
	large_free(&l);
	test_free(to);
}

/* A list whose every node points to the same object, and to the next node. */
TEST(a_hub_hangs_on_the_first)
{
	struct large l;
	uint32_t *to = targets();
	for (uint32_t i = 0; i + 1 < LARGE; i++) {
		to[2 * i] = LARGE - 1;
		to[2 * i + 1] = i + 1;
	}
	large_make(&l, to);
	assert_int_equal(l.dominators->idom[LARGE - 1], 0);
	large_free(&l);
	test_free(to);
}
