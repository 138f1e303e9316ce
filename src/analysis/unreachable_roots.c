#include "analysis/unreachable_roots.h"

#include "base/mem.h"
#include "base/progress.h"
#include "heap/edges.h"
#include "heap/object_ids.h"

#include <stdlib.h>

/* HELD: another unreachable object references it. COUNTED: a head leads to it. The others are for
   objects that only cycles lead to. STARTED: an object with FIRST leads to it. CHOSEN: one with
   RING does, the head of a cycle. */
enum { HELD = 1, COUNTED = 2, STARTED = 4, FIRST = 8, CHOSEN = 16, RING = 32, STEP = 1 << 14 };

struct count {
	const struct heap *heap;
	const struct reach *reach;
	struct edges edges;
	uint8_t *mark;   /* by object */
	uint32_t *queue; /* unreachable objects that are counted, then those of the current search */
	uint32_t counted;
	struct progress *progress;
	bool cancelled;
};

/* Returns true if the object has a root, weak ones included. */
static bool has_root(const struct count *c, uint32_t id)
{
	return reach_before(c->reach, id) != OBJECT_NONE;
}

static bool count_goes_on(struct count *c, uint32_t done)
{
	if (done % STEP == 0 && !progress_step(c->progress, done))
		c->cancelled = true;
	return !c->cancelled;
}

static void mark_held(struct count *c)
{
	uint32_t count = heap_object_count(c->heap);
	for (uint32_t id = 0; id < count && count_goes_on(c, id); id++) {
		if (has_root(c, id))
			continue;
		struct ids ids = edges_of(c->edges, id);
		for (size_t i = 0; i < ids.count; i++)
			if (ids.id[i] != id)
				c->mark[ids.id[i]] |= HELD;
	}
}

/* Marks all that an object leads to and that is neither counted nor marked; they are in the queue
   from c->counted to the end that it returns. */
static uint32_t mark_from(struct count *c, uint32_t object, uint8_t mark)
{
	uint32_t end = c->counted;
	c->mark[object] |= mark;
	c->queue[end++] = object;
	for (uint32_t at = c->counted; at < end && count_goes_on(c, at); at++) {
		struct ids ids = edges_of(c->edges, c->queue[at]);
		for (size_t i = 0; i < ids.count; i++) {
			uint32_t id = ids.id[i];
			if (c->mark[id] & (COUNTED | mark) || has_root(c, id))
				continue;
			c->mark[id] |= mark;
			c->queue[end++] = id;
		}
	}
	return end;
}

static void unreachable_roots_add(struct unreachable_roots *roots, struct count *c, uint32_t object,
                                  bool ring)
{
	struct unreachable_root root = {.object = object, .ring = ring};
	for (uint32_t end = mark_from(c, object, COUNTED); c->counted < end; c->counted++) {
		root.objects++;
		root.bytes += heap_size(c->heap, c->queue[c->counted]);
	}
	MEM_PUSH(roots->unreachable_root, roots->count, roots->capacity, root);
}

/* Adds a head for each object that has these marks of HELD, COUNTED and RING. */
static void add_heads(struct unreachable_roots *roots, struct count *c, uint8_t marks)
{
	uint32_t count = heap_object_count(c->heap);
	for (uint32_t id = 0; id < count && count_goes_on(c, id); id++)
		if ((c->mark[id] & (HELD | COUNTED | RING)) == marks && !has_root(c, id))
			unreachable_roots_add(roots, c, id, marks & RING);
}

/* Marks the first object of each cycle that nothing outside of it leads to. An object is FIRST if
   none before it leads to it, so each of these cycles has one, its first; that of any other cycle
   comes before the one that leads to it. So from the last to the first, those that none of the
   already chosen leads to are the ones. */
static void mark_rings(struct count *c)
{
	uint32_t count = heap_object_count(c->heap);
	for (uint32_t id = 0; id < count && count_goes_on(c, id); id++) {
		if (c->mark[id] & (COUNTED | STARTED) || has_root(c, id))
			continue;
		c->mark[id] |= FIRST;
		mark_from(c, id, STARTED);
	}
	for (uint32_t id = count; id-- > 0 && count_goes_on(c, id);) {
		if (!(c->mark[id] & FIRST) || c->mark[id] & CHOSEN)
			continue;
		c->mark[id] |= RING;
		mark_from(c, id, CHOSEN);
	}
}

struct unreachable_roots *unreachable_roots_new(const struct heap *heap, const struct reach *reach,
                                                struct progress *progress)
{
	struct unreachable_roots *unreachable_roots = mem_alloc(sizeof *unreachable_roots);
	size_t count = heap_object_count(heap), size = (count + 1) * sizeof(uint32_t);
	struct count c = {
		.heap = heap, .reach = reach, .edges = heap_edges(heap), .progress = progress};
	c.mark = mem_column(count + 1);
	c.queue = mem_column(size);
	progress_begin(progress, "finding the heads of unreachable objects", count);
	mark_held(&c);
	add_heads(unreachable_roots, &c, 0);
	mark_rings(&c);
	add_heads(unreachable_roots, &c, HELD | RING);
	mem_column_free(c.mark, count + 1);
	mem_column_free(c.queue, size);
	if (c.cancelled)
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
