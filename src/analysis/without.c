#include "analysis/without.h"

#include "base/mem.h"

#include <stdlib.h>

enum { STEP = 1 << 14 };

struct reference {
	uint32_t from, to;
};
struct without {
	const struct reach *reach;
	uint64_t *object, *root; /* bits: taken away */
	uint64_t *from;          /* bits: objects that a reference is taken away of */
	struct reference *reference;
	size_t count, capacity;
};

static bool bit(const uint64_t *bits, uint32_t index)
{
	return bits[index / 64] >> index % 64 & 1;
}

static void set(uint64_t *bits, uint32_t index)
{
	bits[index / 64] |= 1ULL << index % 64;
}

static uint64_t *bits_new(uint32_t count)
{
	return mem_alloc((count / 64 + 1) * sizeof(uint64_t));
}

struct without *without_new(const struct reach *reach)
{
	struct without *without = mem_alloc(sizeof *without);
	without->reach = reach;
	without->object = bits_new(heap_object_count(reach->heap));
	without->from = bits_new(heap_object_count(reach->heap));
	without->root = bits_new(reach->heap->root_count);
	return without;
}

void without_free(struct without *without)
{
	if (!without)
		return;
	free(without->object);
	free(without->from);
	free(without->root);
	free(without->reference);
	free(without);
}

void without_object(struct without *without, uint32_t id)
{
	set(without->object, id);
}

void without_root(struct without *without, uint32_t root)
{
	set(without->root, root);
}

void without_reference(struct without *without, uint32_t from, uint32_t to)
{
	set(without->from, from);
	without->reference = mem_grow(without->reference, without->count, &without->capacity,
	                              sizeof *without->reference);
	without->reference[without->count++] = (struct reference){from, to};
}

static bool is_away(const struct without *without, uint32_t from, uint32_t to)
{
	if (!bit(without->from, from))
		return false;
	for (size_t i = 0; i < without->count; i++)
		if (without->reference[i].from == from && without->reference[i].to == to)
			return true;
	return false;
}

/* What is left: objects that were seen, those still to be looked at last. */
struct left {
	const struct without *without;
	uint64_t *seen; /* bits */
	uint32_t *queue, head, tail;
};

static void visit(struct left *left, uint32_t id)
{
	if (bit(left->seen, id) || bit(left->without->object, id))
		return;
	set(left->seen, id);
	left->queue[left->tail++] = id;
}

static bool search(struct left *left, struct progress *progress)
{
	const struct heap *heap = left->without->reach->heap;
	struct edges edges = heap_edges(heap);
	for (uint32_t r = 0; r < heap->root_count; r++)
		if (reach_root_retains(&heap->roots[r]) && !bit(left->without->root, r))
			visit(left, heap->roots[r].target);
	for (; left->head < left->tail; left->head++) {
		uint32_t from = left->queue[left->head];
		struct ids ids = edges_of(edges, from);
		for (size_t i = 0; i < ids.count; i++)
			if (!is_away(left->without, from, ids.id[i]))
				visit(left, ids.id[i]);
		if (left->head % STEP == 0 && !progress_step(progress, left->head))
			return false;
	}
	return true;
}

static struct freed count(const struct left *left)
{
	const struct reach *reach = left->without->reach;
	struct freed freed = {0};
	struct objects_run_view run;
	for (size_t r = 0; r < objects_run_count(reach->heap->objects); r++) {
		objects_run(reach->heap->objects, r, &run);
		for (uint32_t id = run.first; id < run.first + run.count; id++) {
			bool gone = reach_has(reach, id) && !bit(left->seen, id);
			freed.objects += gone;
			freed.bytes += gone ? run.size : 0;
		}
	}
	return freed;
}

bool without_count(const struct without *without, struct progress *progress, struct freed *freed)
{
	const struct reach *reach = without->reach;
	size_t size = heap_object_count(reach->heap) * sizeof(uint32_t);
	struct left left = {.without = without, .queue = mem_column(size)};
	left.seen = bits_new(heap_object_count(reach->heap));
	progress_begin(progress, "looking what is left without it", reach->objects);
	bool done = search(&left, progress);
	if (done)
		*freed = count(&left);
	mem_column_free(left.queue, size);
	free(left.seen);
	return done;
}
