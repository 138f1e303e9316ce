/* Finalizers that can never run, compared with an adjacency matrix of the same graph. */
#include "go/analysis/finalizer_cycles.h"
#include "heap/dump_heap.h"

#include "cmocka_all.h"
#include "xorshift.h"

#include <string.h>

enum { OBJECTS = 24, SIZE = 32, SEEDS = 400 };

struct graph {
	bool edge[OBJECTS][OBJECTS];  /* in the dump, without those to the object itself */
	bool leads[OBJECTS][OBJECTS]; /* reachability, with the closures of finalizers */
	bool has[OBJECTS], global[OBJECTS];
	uint32_t closure[OBJECTS]; /* of its finalizer; OBJECTS: outside of the heap */
};

static uint64_t place_of(uint32_t object)
{
	return 0xc000000000 + (uint64_t)object * SIZE;
}

static void graph_make(struct graph *graph, struct dump_writer *w, uint64_t seed)
{
	uint64_t state = seed * 0x9e3779b97f4a7c15 + 1;
	*graph = (struct graph){0};
	dump_start(w, 8, false, "go1.19.8");
	for (uint32_t a = 0; a < OBJECTS; a++) {
		struct dump_field fields[2];
		size_t count = xorshift_below(&state, seed % 2 ? 2 : 3);
		for (size_t i = 0; i < count; i++) {
			uint32_t b = (uint32_t)xorshift_below(&state, OBJECTS);
			fields[i] = (struct dump_field){8 * i, place_of(b), 0};
			graph->edge[a][b] = a != b;
		}
		dump_object(w, place_of(a), SIZE, fields, count);
	}
	uint32_t global = (uint32_t)xorshift_below(&state, OBJECTS);
	graph->global[global] = true;
	dump_segment(w, true, 0x5000, 8, &(struct dump_field){0, place_of(global), 0}, 1);
	for (uint32_t a = 0; a < OBJECTS; a++) {
		graph->has[a] = xorshift_below(&state, 3) == 0;
		graph->closure[a] = (uint32_t)xorshift_below(&state, 4 * OBJECTS);
		if (graph->closure[a] > OBJECTS)
			graph->closure[a] = OBJECTS;
		if (graph->has[a])
			dump_finalizer(w, false, place_of(a),
			               graph->closure[a] < OBJECTS ? place_of(graph->closure[a]) : 0x400000);
	}
	dump_end(w);
}

/* Computes what each object reaches in one step or more. */
static void graph_close(struct graph *graph)
{
	memcpy(graph->leads, graph->edge, sizeof graph->leads);
	for (uint32_t a = 0; a < OBJECTS; a++)
		if (graph->has[a] && graph->closure[a] < OBJECTS)
			graph->leads[a][graph->closure[a]] = true;
	for (int k = 0; k < OBJECTS; k++)
		for (int a = 0; a < OBJECTS; a++)
			for (int b = 0; b < OBJECTS; b++)
				graph->leads[a][b] |= graph->leads[a][k] && graph->leads[k][b];
}

/* Returns the number of finalizers that run one after the other from an object on; those of its
   cycle count once. */
static uint32_t naive_chain(const struct graph *graph, int object)
{
	uint32_t behind = 0;
	bool own = graph->has[object];
	for (int b = 0; b < OBJECTS; b++) {
		if (!graph->leads[object][b])
			continue;
		if (graph->leads[b][object])
			own |= graph->has[b];
		else if (b != object && naive_chain(graph, b) > behind)
			behind = naive_chain(graph, b);
	}
	return behind + own;
}

static bool is_one_cycle(const struct graph *graph, int a, int b)
{
	return graph->leads[a][b] && graph->leads[b][a];
}

/* Marks all that marked objects reach. */
static void mark_on(const struct graph *graph, bool *marked)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (int a = 0; a < OBJECTS; a++)
			for (int b = 0; b < OBJECTS; b++)
				if (marked[a] && graph->edge[a][b] && !marked[b])
					changed = marked[b] = true;
	}
}

/* Marks what the finalizer of an object alone keeps alive. */
static void mark_kept(const struct graph *graph, int object, bool *marked)
{
	if (graph->closure[object] < OBJECTS)
		marked[graph->closure[object]] = true;
	for (int b = 0; b < OBJECTS; b++)
		marked[b] |= graph->edge[object][b];
}

/* Returns the reachable bytes without the finalizers of an object's cycle (-1: of any cycle). */
static uint64_t naive_bytes(const struct graph *graph, int without, bool all)
{
	bool marked[OBJECTS];
	uint64_t bytes = 0;
	memcpy(marked, graph->global, sizeof marked);
	for (int a = 0; a < OBJECTS; a++) {
		bool left_out = without >= 0 && (a == without || is_one_cycle(graph, a, without));
		left_out |= all && graph->leads[a][a];
		if (graph->has[a] && !left_out)
			mark_kept(graph, a, marked);
	}
	mark_on(graph, marked);
	for (int a = 0; a < OBJECTS; a++)
		bytes += marked[a] ? SIZE : 0;
	return bytes;
}

static void compare_items(const struct graph *graph, const struct finalizer_cycles *found)
{
	uint32_t cycles = 0, chains = 0;
	for (int a = 0; a < OBJECTS; a++) {
		cycles += graph->has[a] && graph->leads[a][a];
		chains += graph->has[a] && !graph->leads[a][a] && naive_chain(graph, a) > 1;
	}
	assert_int_equal(found->cycles, cycles);
	assert_int_equal(found->count, cycles + chains);
	for (uint32_t i = 0; i < found->count; i++) {
		const struct finalizer_cycle *item = &found->item[i];
		int a = (int)item->object;
		assert_true(graph->has[a]);
		assert_int_equal(item->chain, naive_chain(graph, a));
		assert_int_equal(item->cycle != OBJECT_NONE, i < cycles);
		if (i >= cycles)
			continue;
		assert_int_equal(item->bytes, naive_bytes(graph, -1, false) - naive_bytes(graph, a, false));
		for (uint32_t k = 0; k < cycles; k++)
			assert_int_equal(item->cycle == found->item[k].cycle,
			                 k == i || is_one_cycle(graph, a, (int)found->item[k].object));
	}
	assert_int_equal(found->bytes, naive_bytes(graph, -1, false) - naive_bytes(graph, -1, true));
}

static struct reach *graph_reach(struct dump_writer *w)
{
	return reach_new(dump_reversed(w), NULL, NULL, NULL);
}

static void graph_end(struct reach *reach, struct dump_writer *w)
{
	struct heap *heap = (struct heap *)reach->heap;
	reach_free(reach);
	heap_free(heap);
	dump_free(w);
}

TEST(cycles_and_chains_are_those_of_the_matrix)
{
	uint32_t cycles = 0, shared = 0;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct graph graph;
		struct dump_writer w;
		graph_make(&graph, &w, seed);
		graph_close(&graph);
		struct reach *reach = graph_reach(&w);
		struct finalizer_cycles *found = finalizer_cycles_new(reach, NULL);
		compare_items(&graph, found);
		cycles += found->cycles;
		for (uint32_t i = 1; i < found->cycles; i++)
			shared += found->item[i].cycle == found->item[i - 1].cycle;
		finalizer_cycles_free(found);
		graph_end(reach, &w);
	}
	assert_true(cycles > SEEDS / 4 && shared > 10);
}

/* A list of objects with finalizers, and the same list closed to a ring. */
TEST(many_finalizers_take_no_longer_each)
{
	enum { MANY = 100000 };
	for (uint32_t ring = 0; ring < 2; ring++) {
		struct dump_writer w;
		dump_start(&w, 8, false, "go1.19.8");
		for (uint32_t i = 0; i < MANY; i++) {
			struct dump_field next = {0, place_of((i + 1) % MANY), 0};
			dump_object(&w, place_of(i), SIZE, &next, i + 1 < MANY || ring);
		}
		for (uint32_t i = 0; i < MANY; i++)
			dump_finalizer(&w, false, place_of(i), 0x400000);
		dump_end(&w);
		struct reach *reach = graph_reach(&w);
		struct finalizer_cycles *found = finalizer_cycles_new(reach, NULL);
		assert_int_equal(found->cycles, ring ? MANY : 0);
		assert_int_equal(found->count, ring ? MANY : MANY - 1);
		assert_int_equal(found->item[0].chain, ring ? 1 : MANY);
		assert_int_equal(found->bytes, ring ? (uint64_t)MANY * SIZE : 0);
		finalizer_cycles_free(found);
		graph_end(reach, &w);
	}
}
