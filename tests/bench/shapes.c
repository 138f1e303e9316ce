/* make bench-shapes [NODES=n]: CPU time of dominators and retained sizes for heaps of odd shapes,
   beside a mixed one of as many objects in the same run. No shape should take twice as long. */
#include "analysis/dominators.h"
#include "base/mem.h"
#include "format/dump_writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SLOTS = 4, SIZE = 8 * SLOTS };

struct making {
	uint64_t nodes, state;
};

static uint64_t random_below(struct making *m, uint64_t end)
{
	m->state ^= m->state << 13;
	m->state ^= m->state >> 7;
	m->state ^= m->state << 17;
	return m->state % end;
}

/* What node i points at: at most SLOTS numbers of nodes. */
typedef size_t shape_targets(struct making *m, uint64_t i, uint64_t to[SLOTS]);

static size_t list(struct making *m, uint64_t i, uint64_t to[SLOTS])
{
	to[0] = i + 1;
	return i + 1 < m->nodes;
}

static size_t ring(struct making *m, uint64_t i, uint64_t to[SLOTS])
{
	to[0] = (i + 1) % m->nodes;
	to[1] = (i + m->nodes - 1) % m->nodes;
	return 2;
}

/* A list whose every node points at the last. */
static size_t hub(struct making *m, uint64_t i, uint64_t to[SLOTS])
{
	to[0] = m->nodes - 1;
	to[1] = i + 1;
	return i + 2 < m->nodes ? 2 : i + 1 < m->nodes;
}

/* A list with a tooth on every node; the teeth point back at the first. */
static size_t comb(struct making *m, uint64_t i, uint64_t to[SLOTS])
{
	uint64_t half = m->nodes / 2;
	to[0] = i < half ? half + i : 0;
	to[1] = i + 1;
	return i + 1 < half ? 2 : 1;
}

static size_t tree(struct making *m, uint64_t i, uint64_t to[SLOTS])
{
	to[0] = 2 * i + 1;
	to[1] = 2 * i + 2;
	return 2 * i + 2 < m->nodes ? 2 : 2 * i + 1 < m->nodes;
}

/* Two lists, each node of which points at that of the other. */
static size_t ladder(struct making *m, uint64_t i, uint64_t to[SLOTS])
{
	to[0] = (i ^ 1) % m->nodes;
	to[1] = i + 2;
	return i + 2 < m->nodes ? 2 : 1;
}

/* Two ladders' ends share an object: far apart in the tree of dominators. */
static size_t bridges(struct making *m, uint64_t i, uint64_t to[SLOTS])
{
	uint64_t half = m->nodes / 2, other = half - 1 - i % half;
	to[0] = half + (i < other ? i : other);
	to[1] = i + 1;
	return i >= half ? 0 : i + 1 < half ? 2 : 1;
}

/* A tree with a third of leaves, and pointers to others nearby and anywhere. */
static size_t mixed(struct making *m, uint64_t i, uint64_t to[SLOTS])
{
	size_t count = tree(m, i, to);
	if (count && random_below(m, 2))
		to[count++] = random_below(m, m->nodes);
	if (count && random_below(m, 2))
		to[count++] = (i + random_below(m, 64)) % m->nodes;
	return count;
}

static const struct {
	const char *name;
	shape_targets *targets;
} shapes[] = {
	{"mixed", mixed}, {"list", list}, {"ring", ring},       {"hub", hub},
	{"comb", comb},   {"tree", tree}, {"bridges", bridges}, {"ladder", ladder},
};

static void write_heap(struct dump_writer *w, struct making *m, shape_targets *targets)
{
	const uint64_t base = 0xc000000000;
	dump_start(w, 8, false, "go1.19.8");
	for (uint64_t i = 0; i < m->nodes; i++) {
		struct dump_field fields[SLOTS];
		uint64_t to[SLOTS];
		size_t count = targets(m, i, to);
		for (size_t k = 0; k < count; k++)
			fields[k] = (struct dump_field){8 * k, base + SIZE * to[k], 0};
		dump_object(w, base + SIZE * i, SIZE, fields, count);
	}
	dump_segment(w, true, 0x5000, 8, &(struct dump_field){0, base, 0}, 1);
	dump_end(w);
}

/* ns of CPU, the least of three; 0: failed. */
static uint64_t measure(const struct root_nodes *root_nodes)
{
	uint64_t least = UINT64_MAX;
	for (int run = 0; run < 3; run++) {
		struct timespec before, after;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
		struct dominators *d = dominators_new(root_nodes, RETAIN_ALIVE, NULL, NULL);
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
		dominators_free(d);
		uint64_t took = (uint64_t)(after.tv_sec - before.tv_sec) * 1000000000
		                + (uint64_t)after.tv_nsec - (uint64_t)before.tv_nsec;
		least = took < least ? took : least;
	}
	return least;
}

static uint64_t measure_shape(uint64_t nodes, shape_targets *targets)
{
	struct making m = {nodes, 88172645463325252};
	struct dump_writer w;
	struct err err = {0};
	write_heap(&w, &m, targets);
	struct input input = dump_input(&w);
	struct heap *heap = heap_read(&input, NULL, &err);
	uint64_t took = 0;
	if (heap && heap_link(heap, NULL, &err) && heap_reverse(heap, NULL)) {
		struct root_nodes *root_nodes = root_nodes_new(heap, NULL, (struct sync_pools){0});
		took = measure(root_nodes);
		root_nodes_free(root_nodes);
	}
	heap_free(heap);
	dump_free(&w);
	return took;
}

int main(int argc, char **argv)
{
	uint64_t nodes = argc > 1 ? strtoull(argv[1], NULL, 10) : 0, first = 0;
	if (nodes < 1000) {
		fprintf(stderr, "usage: shapes NODES (1000 or more)\n");
		return 2;
	}
	printf("%" PRIu64 " objects of each shape, CPU of dominators and retained sizes\n", nodes);
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		uint64_t took = measure_shape(nodes, shapes[i].targets);
		first = first ? first : took;
		printf("%-8s %8.1f ns/object %6.2f x mixed\n", shapes[i].name, (double)took / (double)nodes,
		       (double)took / (double)first);
	}
	return 0;
}
