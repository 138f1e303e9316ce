#include "analysis/heads.h"

#include "base/mem.h"

#include <stdlib.h>

enum { HELD = 1, COUNTED = 2, STEP = 1 << 14 };

struct count {
	const struct heap *heap;
	const struct reach *reach;
	struct edges edges;
	uint8_t *mark;   /* by object */
	uint32_t *queue; /* those without a root that are counted already */
	uint32_t head, tail;
};

/* A weak one is a root, too. */
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

static void visit(struct count *c, uint32_t id)
{
	if (c->mark[id] & COUNTED || has_root(c, id))
		return;
	c->mark[id] |= COUNTED;
	c->queue[c->tail++] = id;
}

static struct head follow(struct count *c, uint32_t object, bool ring)
{
	struct head head = {.object = object, .ring = ring};
	for (visit(c, object); c->head < c->tail; c->head++) {
		struct ids ids = edges_of(c->edges, c->queue[c->head]);
		for (size_t i = 0; i < ids.count; i++)
			visit(c, ids.id[i]);
		head.objects++;
		head.bytes += heap_size(c->heap, c->queue[c->head]);
	}
	return head;
}

/* First those that nothing holds, then, of what is left, whatever comes first. */
static bool collect(struct count *c, struct heads *heads, bool rings, struct progress *progress)
{
	uint32_t count = heap_object_count(c->heap);
	uint8_t unwanted = rings ? COUNTED : HELD | COUNTED;
	for (uint32_t id = 0; id < count; id++) {
		if (id % STEP == 0 && !progress_step(progress, id))
			return false;
		if (has_root(c, id) || c->mark[id] & unwanted)
			continue;
		heads->head = mem_grow(heads->head, heads->count, &heads->capacity, sizeof *heads->head);
		heads->head[heads->count++] = follow(c, id, rings);
	}
	return true;
}

struct heads *heads_new(const struct heap *heap, const struct reach *reach,
                        struct progress *progress)
{
	struct heads *heads = mem_alloc(sizeof *heads);
	size_t count = heap_object_count(heap), size = (count + 1) * sizeof(uint32_t);
	struct count c = {.heap = heap, .reach = reach, .edges = heap_edges(heap)};
	c.mark = mem_column(count + 1);
	c.queue = mem_column(size);
	progress_begin(progress, "looking who holds what is unreachable", count);
	bool done = mark_held(&c, progress) && collect(&c, heads, false, progress)
	            && collect(&c, heads, true, progress);
	mem_column_free(c.mark, count + 1);
	mem_column_free(c.queue, size);
	if (!done)
		return heads_free(heads), NULL;
	return heads;
}

void heads_free(struct heads *heads)
{
	if (!heads)
		return;
	free(heads->head);
	free(heads);
}
