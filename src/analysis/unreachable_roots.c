#include "analysis/unreachable_roots.h"

#include "base/mem.h"

#include <stdlib.h>

enum { HELD = 1, COUNTED = 2, STEP = 1 << 14 };

struct count {
	const struct heap *heap;
	const struct reach *reach;
	struct edges edges;
	uint8_t *mark;   /* by object */
	uint32_t *queue; /* unreachable objects that are counted */
	uint32_t unreachable_root, tail;
};

/* Returns true if the object has a root, weak ones included. */
static bool has_root(const struct count *c, uint32_t id)
{
	return reach_before(c->reach, id) != OBJECT_NONE;
}

static bool mark_held(struct count *c, struct progress *progress)
{
	uint32_t count = heap_object_count(c->heap);
	for (uint32_t id = 0; id < count; id++) {
		if (has_root(c, id))
			continue;
		struct ids ids = edges_of(c->edges, id);
		for (size_t i = 0; i < ids.count; i++)
			if (ids.id[i] != id)
				c->mark[ids.id[i]] |= HELD;
		if (id % STEP == 0 && !progress_step(progress, id))
			return false;
	}
	return true;
}

static void unreachable_roots_visit(struct count *c, uint32_t id)
{
	if (c->mark[id] & COUNTED || has_root(c, id))
		return;
	c->mark[id] |= COUNTED;
	c->queue[c->tail++] = id;
}

static struct unreachable_root unreachable_roots_follow(struct count *c, uint32_t object, bool ring)
{
	struct unreachable_root unreachable_root = {.object = object, .ring = ring};
	for (unreachable_roots_visit(c, object); c->unreachable_root < c->tail; c->unreachable_root++) {
		struct ids ids = edges_of(c->edges, c->queue[c->unreachable_root]);
		for (size_t i = 0; i < ids.count; i++)
			unreachable_roots_visit(c, ids.id[i]);
		unreachable_root.objects++;
		unreachable_root.bytes += heap_size(c->heap, c->queue[c->unreachable_root]);
	}
	return unreachable_root;
}

/* Collects heads: first those without a referrer, then, among the rest, the first object of each
   cycle. */
static bool unreachable_roots_collect(struct count *c, struct unreachable_roots *unreachable_roots,
                                      bool rings, struct progress *progress)
{
	uint32_t count = heap_object_count(c->heap);
	uint8_t unwanted = rings ? COUNTED : HELD | COUNTED;
	for (uint32_t id = 0; id < count; id++) {
		if (id % STEP == 0 && !progress_step(progress, id))
			return false;
		if (has_root(c, id) || c->mark[id] & unwanted)
			continue;
		unreachable_roots->unreachable_root =
			mem_grow(unreachable_roots->unreachable_root, unreachable_roots->count,
		             &unreachable_roots->capacity, sizeof *unreachable_roots->unreachable_root);
		unreachable_roots->unreachable_root[unreachable_roots->count++] =
			unreachable_roots_follow(c, id, rings);
	}
	return true;
}

struct unreachable_roots *unreachable_roots_new(const struct heap *heap, const struct reach *reach,
                                                struct progress *progress)
{
	struct unreachable_roots *unreachable_roots = mem_alloc(sizeof *unreachable_roots);
	size_t count = heap_object_count(heap), size = (count + 1) * sizeof(uint32_t);
	struct count c = {.heap = heap, .reach = reach, .edges = heap_edges(heap)};
	c.mark = mem_column(count + 1);
	c.queue = mem_column(size);
	progress_begin(progress, "looking who holds what is unreachable", count);
	bool done = mark_held(&c, progress)
	            && unreachable_roots_collect(&c, unreachable_roots, false, progress)
	            && unreachable_roots_collect(&c, unreachable_roots, true, progress);
	mem_column_free(c.mark, count + 1);
	mem_column_free(c.queue, size);
	if (!done)
		return unreachable_roots_free(unreachable_roots), NULL;
	return unreachable_roots;
}

void unreachable_roots_free(struct unreachable_roots *unreachable_roots)
{
	if (!unreachable_roots)
		return;
	free(unreachable_roots->unreachable_root);
	free(unreachable_roots);
}
