/* Writes a dump of Go's format with a heap of some shape, for make bench: shapes SHAPE NODES >FILE.
 */
#include "base/mem.h"
#include "format/dump_writer.h"

#include "xorshift.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 4, SIZE = 8 * SLOTS };

struct making {
	uint64_t nodes, state;
};

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
	if (count && xorshift_below(&m->state, 2))
		to[count++] = xorshift_below(&m->state, m->nodes);
	if (count && xorshift_below(&m->state, 2))
		to[count++] = (i + xorshift_below(&m->state, 64)) % m->nodes;
	return count;
}

/* As that in every other slot, and every second node has a pointer to one between them. */
static size_t dangling(struct making *m, uint64_t i, uint64_t to[SLOTS])
{
	size_t count = mixed(m, i, to);
	for (size_t k = 0; k < count; k++)
		to[k] *= 2;
	if (count < SLOTS && xorshift_below(&m->state, 2))
		to[count++] = 2 * xorshift_below(&m->state, m->nodes) + 1;
	return count;
}

/* Before the nodes of a mixed heap: so many slices of so many pointers to any of them. */
enum { SLICES = 4, SLICE_BYTES = 16 << 20, SLICE_POINTERS = SLICE_BYTES / 8 };

static const struct shape {
	const char *name;
	shape_targets *targets;
	unsigned slots; /* from one node to the next */
	bool slices;
} shapes[] = {
	{"mixed", mixed, 1, false},       {"list", list, 1, false},       {"ring", ring, 1, false},
	{"hub", hub, 1, false},           {"comb", comb, 1, false},       {"tree", tree, 1, false},
	{"ladder", ladder, 1, false},     {"bridges", bridges, 1, false}, {"slices", mixed, 1, true},
	{"dangling", dangling, 2, false},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static const uint64_t base = 0xc000000000, slices_base = 0xc800000000;

/* Written when it is much: a heap may be larger than memory. */
static bool flush(struct dump_writer *w, bool all)
{
	enum { MUCH = 1 << 20 };
	if (!all && w->out.len < MUCH)
		return true;
	bool done = fwrite(buf_text(&w->out), 1, w->out.len, stdout) == w->out.len;
	buf_clear(&w->out);
	return done;
}

static bool write_slices(struct dump_writer *w, struct making *m)
{
	struct dump_field *field = mem_alloc(SLICE_POINTERS * sizeof *field);
	bool done = true;
	for (int slice = 0; done && slice < SLICES; slice++) {
		for (uint64_t i = 0; i < SLICE_POINTERS; i++)
			field[i] =
				(struct dump_field){8 * i, base + SIZE * xorshift_below(&m->state, m->nodes), 0};
		dump_object(w, slices_base + (uint64_t)slice * SLICE_BYTES, SLICE_BYTES, field,
		            SLICE_POINTERS);
		done = flush(w, true);
	}
	free(field);
	return done;
}

static bool write_heap(struct making *m, const struct shape *shape)
{
	struct dump_writer w;
	struct dump_field root[1 + SLICES] = {{0, base, 0}};
	dump_start(&w, 8, false, "go1.19.8");
	bool done = !shape->slices || write_slices(&w, m);
	for (uint64_t i = 0; done && i < m->nodes; i++) {
		struct dump_field fields[SLOTS];
		uint64_t to[SLOTS];
		size_t count = shape->targets(m, i, to);
		for (size_t k = 0; k < count; k++)
			fields[k] = (struct dump_field){8 * k, base + SIZE * to[k], 0};
		dump_object(&w, base + SIZE * shape->slots * i, SIZE, fields, count);
		done = flush(&w, false);
	}
	for (uint64_t i = 1; i <= SLICES; i++)
		root[i] = (struct dump_field){8 * i, slices_base + (i - 1) * SLICE_BYTES, 0};
	dump_segment(&w, true, 0x5000, sizeof root / sizeof *root * 8, root,
	             shape->slices ? 1 + SLICES : 1);
	dump_end(&w);
	done = done && flush(&w, true) && fflush(stdout) == 0;
	dump_free(&w);
	return done;
}

int main(int argc, char **argv)
{
	uint64_t nodes = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;
	for (size_t i = 0; argc == 3 && nodes >= 1000 && i < SHAPES; i++) {
		struct making m = {nodes, 88172645463325252};
		if (strcmp(shapes[i].name, argv[1]) == 0)
			return write_heap(&m, &shapes[i]) ? 0 : 1;
	}
	fprintf(stderr, "usage: shapes SHAPE NODES (1000 or more) >FILE, SHAPE one of:");
	for (size_t i = 0; i < SHAPES; i++)
		fprintf(stderr, " %s", shapes[i].name);
	fprintf(stderr, "\n");
	return 2;
}
