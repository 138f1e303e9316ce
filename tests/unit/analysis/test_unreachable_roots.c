/* Heads of unreachable objects, compared with an adjacency matrix of the same graph. */
#include "analysis/reach.h"
#include "analysis/unreachable_roots.h"
#include "heap/dump_heap.h"

#include "cmocka_all.h"
#include "xorshift.h"

#include <string.h>

enum { MOST = 16, SIZE = 32, SEEDS = 3000 };

struct graph {
	uint32_t objects;
	bool edge[MOST][MOST];
	bool leads[MOST][MOST]; /* in one step or more */
	uint32_t global;        /* the object that a variable holds */
};

static uint64_t place_of(uint32_t object)
{
	return 0xc000000000 + (uint64_t)object * SIZE;
}

static void graph_make(struct graph *graph, uint64_t seed)
{
	uint64_t state = seed * 0x9e3779b97f4a7c15 + 1;
	*graph = (struct graph){.objects = 2 + (uint32_t)(seed % (MOST - 1))};
	for (uint32_t a = 0; a < graph->objects; a++)
		for (uint64_t i = xorshift_below(&state, 3); i > 0; i--)
			graph->edge[a][xorshift_below(&state, graph->objects)] = true;
	graph->global = (uint32_t)xorshift_below(&state, graph->objects);
	memcpy(graph->leads, graph->edge, sizeof graph->leads);
	for (uint32_t k = 0; k < graph->objects; k++)
		for (uint32_t a = 0; a < graph->objects; a++)
			for (uint32_t b = 0; b < graph->objects; b++)
				graph->leads[a][b] |= graph->leads[a][k] && graph->leads[k][b];
}

static void graph_write(const struct graph *graph, struct dump_writer *w)
{
	dump_start(w, 8, false, "go1.19.8");
	for (uint32_t a = 0; a < graph->objects; a++) {
		struct dump_field fields[SIZE / 8];
		size_t count = 0;
		for (uint32_t b = 0; b < graph->objects; b++)
			if (graph->edge[a][b]) {
				fields[count] = (struct dump_field){8 * count, place_of(b), 0};
				count++;
			}
		dump_object(w, place_of(a), SIZE, fields, count);
	}
	dump_segment(w, true, 0x5000, 8, &(struct dump_field){0, place_of(graph->global), 0}, 1);
	dump_end(w);
}

static bool naive_unreachable(const struct graph *graph, uint32_t object)
{
	return object != graph->global && !graph->leads[graph->global][object];
}

/* Returns true if each unreachable object that leads to this one is in a cycle with it, which has
   no object before it. *ring: there are others in it. */
static bool naive_head(const struct graph *graph, uint32_t object, bool *ring)
{
	*ring = false;
	if (!naive_unreachable(graph, object))
		return false;
	for (uint32_t other = 0; other < graph->objects; other++) {
		if (other == object || !naive_unreachable(graph, other) || !graph->leads[other][object])
			continue;
		if (!graph->leads[object][other] || other < object)
			return false;
		*ring = true;
	}
	return true;
}

static void check_heads(const struct graph *graph, const struct unreachable_roots *roots)
{
	bool counted[MOST] = {false}, ring;
	size_t at = 0;
	for (int rings = 0; rings < 2; rings++)
		for (uint32_t object = 0; object < graph->objects; object++) {
			uint64_t objects = 0;
			if (!naive_head(graph, object, &ring) || ring != (rings == 1))
				continue;
			for (uint32_t other = 0; other < graph->objects; other++) {
				bool led = naive_unreachable(graph, other)
				           && (other == object || graph->leads[object][other]);
				objects += led && !counted[other];
				counted[other] |= led;
			}
			assert_true(at < roots->count);
			const struct unreachable_root *root = &roots->unreachable_root[at++];
			assert_int_equal(root->object, object);
			assert_int_equal(root->ring, ring);
			assert_int_equal(root->objects, objects);
			assert_int_equal(root->bytes, objects * SIZE);
		}
	assert_int_equal(at, roots->count);
	for (uint32_t object = 0; object < graph->objects; object++)
		assert_int_equal(counted[object], naive_unreachable(graph, object));
}

TEST(heads_are_those_of_the_definition)
{
	size_t rings = 0;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct graph graph;
		SCOPED_DUMP w = {0};
		graph_make(&graph, seed);
		graph_write(&graph, &w);
		SCOPED_HEAP heap = dump_linked(&w);
		struct reach *reach = reach_new(heap, NULL, NULL, NULL);
		struct unreachable_roots *roots = unreachable_roots_new(heap, reach, NULL);
		check_heads(&graph, roots);
		for (size_t i = 0; i < roots->count; i++)
			rings += roots->unreachable_root[i].ring;
		unreachable_roots_free(roots);
		reach_free(reach);
	}
	assert_true(rings > 100);
}
