/* Merged paths compared with every single path, step by step. */
#include "cmocka_all.h"

#include "analysis/merge.h"
#include "analysis/paths.h"
#include "analysis/random_graph.h"
#include "format/record.h"
#include "heap/heap.h"
#include "heap/object_ids.h"

#include <stdlib.h>

enum { FEW_LABELS = 5, MANY_LABELS = 1000 }; /* many: nodes have many children */

struct asked {
	const struct random_graph *r;
	uint32_t labels;
	size_t offsets;
};

/* One of the labels says that the step stays where it is. */
static uint32_t label_of(uint32_t to, uint32_t labels)
{
	return to % labels == labels - 1 ? MERGE_SAME : to % labels;
}

static uint32_t label_root(void *self, uint32_t root, uint32_t to)
{
	const struct asked *asked = self;
	return 100 + (asked->labels == FEW_LABELS ? root % 2 : to);
}

/* The word at the offset is the pointer. */
static uint32_t label_step(void *self, uint32_t from, uint64_t offset, uint32_t to)
{
	struct asked *asked = self;
	struct object_record record;
	if (!(from % 7))
		return label_of(to, asked->labels);
	assert_true(heap_object(asked->r->heap, from, &record));
	uint64_t word = heap_word(asked->r->heap, record.data + record.header + offset);
	assert_int_equal(heap_find(asked->r->heap, word), to);
	asked->offsets++;
	return label_of(to, asked->labels);
}

static bool label_by_offset(const void *self, uint32_t from)
{
	(void)self;
	return from % 7;
}

/* Returns the node that a step with a label leads to: a child, or where a chain goes on: one above
   it whose period the step ends. It must exist. */
static uint32_t below(const struct merged_paths *m, uint32_t node, uint32_t label)
{
	uint32_t first = 0, count = (uint32_t)m->topmost;
	if (node != OBJECT_NONE) {
		first = m->node[node].first;
		count = m->node[node].below;
	}
	for (uint32_t i = first; i < first + count; i++) {
		assert_int_equal(m->node[i].parent, node);
		if (m->node[i].label == label)
			return i;
	}
	uint32_t steps = 1;
	for (; node != OBJECT_NONE && m->node[node].label != label; node = m->node[node].parent)
		steps++;
	assert_int_not_equal(node, OBJECT_NONE);
	assert_true(steps > 1 && steps <= MERGE_PERIOD_MOST);
	return node;
}

struct sums {
	uint64_t objects, bytes, here, own_bytes;
};

/* Follows the labels of an object's path down the tree. Returns its node. */
static uint32_t walk(const struct random_graph *r, const struct reach *reach,
                     const struct merged_paths *m, uint32_t object, struct asked *asked)
{
	struct paths *paths = paths_open(r->heap, reach, object);
	const struct path *path = paths_get(paths, 0, NULL);
	uint32_t node = below(m, OBJECT_NONE, label_root(asked, path->root, path->step[0]));
	for (size_t k = 1; k < path->count; k++) {
		uint32_t label = label_of(path->step[k], asked->labels);
		if (label != MERGE_SAME && label != m->node[node].label)
			node = below(m, node, label);
	}
	paths_close(paths);
	return node;
}

/* Adds an object to its node and all above. */
static void count_in(const struct merged_paths *m, uint32_t node, uint64_t bytes, struct sums *sums)
{
	sums[node].here++;
	sums[node].own_bytes += bytes;
	for (; node != OBJECT_NONE; node = m->node[node].parent) {
		sums[node].objects++;
		sums[node].bytes += bytes;
	}
}

/* Topmost nodes first; of the children of a node those with most bytes first. */
static void check_order(const struct merged_paths *m)
{
	for (size_t i = 0; i < m->count; i++) {
		const struct merge_node *node = &m->node[i], *next = node + 1;
		assert_true((node->parent == OBJECT_NONE) == (i < m->topmost));
		assert_int_equal(node->next, 0);
		if (i + 1 < m->count)
			assert_true(node->depth < next->depth
			            || (node->depth == next->depth
			                && (node->parent != next->parent || node->bytes >= next->bytes)));
	}
}

static void check(const struct random_graph *r, uint32_t *chosen, size_t count, uint32_t kinds,
                  size_t *merges)
{
	struct asked asked = {.r = r, .labels = kinds};
	struct merge_labels labels = {&asked, label_root, label_step, label_by_offset, NULL};
	struct merged_paths *m = merge_paths(r->reach, chosen, count, &labels, NULL);
	struct sums *sums = test_calloc(m->count + 1, sizeof *sums);
	uint64_t left_out = 0, members = 0;
	assert_non_null(m);
	for (size_t i = 0; i < count; i++) {
		if (reach_has(r->reach, chosen[i])) {
			uint32_t node = walk(r, r->reach, m, chosen[i], &asked);
			assert_int_equal(merged_paths_node(m, chosen[i]), node);
			count_in(m, node, heap_size(r->heap, chosen[i]), sums);
		} else {
			left_out++;
		}
	}
	assert_int_equal(m->left_out, left_out);
	for (size_t i = 0; i < m->count; i++) {
		assert_int_equal(m->node[i].objects, sums[i].objects);
		assert_int_equal(m->node[i].bytes, sums[i].bytes);
		assert_int_equal(m->node[i].here, sums[i].here);
		assert_int_equal(m->node[i].own_bytes, sums[i].own_bytes);
		assert_true(m->node[i].objects > 0); /* no node without a path */
		members += m->node[i].members;
	}
	check_order(m);
	*merges += members > m->count;
	test_free(sums);
	merged_paths_free(m);
}

TEST(every_path_is_in_the_tree)
{
	size_t merges = 0;
	for (uint64_t seed = 1; seed <= 500; seed++) {
		struct random_graph r;
		uint32_t chosen[MOST_OBJECTS];
		size_t count = 0;
		random_graph_make(&r, seed);
		for (uint32_t id = 0; id < heap_object_count(r.heap); id++)
			if (random_below(&r, 3))
				chosen[count++] = id;
		check(&r, chosen, count, FEW_LABELS, &merges);
		check(&r, chosen, count, MANY_LABELS, &merges);
		random_graph_free(&r);
	}
	assert_true(merges > 100);
}

/* ---- Chains */

enum { LINKS = 30 };

/* The labels of a chain by object, with their period. */
struct chain {
	uint32_t label[LINKS];
};

static uint32_t chain_root(void *self, uint32_t root, uint32_t to)
{
	(void)self, (void)root, (void)to;
	return 100;
}

static uint32_t chain_step(void *self, uint32_t from, uint64_t offset, uint32_t to)
{
	(void)from, (void)offset;
	return ((const struct chain *)self)->label[to];
}

/* Merges one path of LINKS objects, each of which holds the next. */
static struct merged_paths *merge_chain(const struct random_graph *r, struct chain *chain)
{
	struct merge_labels labels = {chain, chain_root, chain_step, NULL, NULL};
	uint32_t parent[MOST_OBJECTS];
	for (uint32_t id = 0; id < heap_object_count(r->heap); id++)
		parent[id] = id >= LINKS ? OBJECT_NONE : id ? id - 1 : heap_object_count(r->heap);
	return merge_tree(r->heap, parent, &labels, NULL);
}

static void make_large_graph(struct random_graph *r)
{
	for (uint64_t seed = 1;; seed++) {
		random_graph_make(r, seed);
		if (heap_object_count(r->heap) >= LINKS)
			return;
		random_graph_free(r);
	}
}

/* A node for the root, and one for each step of the period, with all links. */
TEST(a_chain_is_as_many_nodes_as_its_period_has_steps)
{
	struct random_graph r;
	make_large_graph(&r);
	for (uint32_t period = 1; period <= MERGE_PERIOD_MOST + 1; period++) {
		struct chain chain;
		for (uint32_t id = 0; id < LINKS; id++)
			chain.label[id] = id % period;
		struct merged_paths *m = merge_chain(&r, &chain);
		bool folded = period <= MERGE_PERIOD_MOST;
		assert_int_equal(m->count, folded ? 1 + period : LINKS);
		for (uint32_t at = 1; at < m->count && folded; at++) {
			uint32_t first = at % period, members = (LINKS - 1 - first) / period + (first != 0);
			assert_int_equal(m->node[at].members, members);
			assert_int_equal(m->node[at].links, members - 1);
			assert_int_equal(m->node[at].example, at);
			assert_int_equal(m->node[at].depth, at);
			assert_int_equal(m->node[at].period, period > 1 ? period : 0);
		}
		merged_paths_free(m);
	}
	random_graph_free(&r);
}

/* What has another of its kind below it is no chain yet: it takes the same steps three times. */
TEST(twice_the_same_steps_are_no_chain)
{
	static const uint32_t tails[][5] = {{0, 1, 2, 3, 4}, {2, 0, 3, 1, 4}, {0, 1, 2, 0, 3}};
	struct random_graph r;
	make_large_graph(&r);
	for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
		struct chain chain = {{0, 1, 2, 0, 1}};
		for (uint32_t id = 5; id < LINKS; id++)
			chain.label[id] = id < 10 ? tails[i][id - 5] : id;
		struct merged_paths *m = merge_chain(&r, &chain);
		for (size_t at = 0; at < m->count; at++)
			assert_int_equal(m->node[at].members, 1);
		assert_int_equal(m->count, LINKS);
		merged_paths_free(m);
	}
	random_graph_free(&r);
}
