/* A breadth-first search over bit vectors that leaves out what is removed. */
#include "analysis/what_if.h"

#include "base/bits.h"
#include "base/mem.h"
#include "heap/edges.h"
#include "heap/heap.h"
#include "heap/object_ids.h"
#include "heap/objects.h"

#include <stdlib.h>

enum { STEP = 1 << 14 };

struct reference {
	uint32_t from, to;
};
struct what_if {
	const struct reach *reach;
	uint64_t *object, *root; /* bits: removed */
	uint64_t *from;          /* bits: objects with removed references */
	struct reference *reference;
	size_t count, capacity;
};

static uint64_t *bits_new(uint32_t count)
{
	return mem_alloc((count / 64 + 1) * sizeof(uint64_t));
}

struct what_if *what_if_new(const struct reach *reach)
{
	struct what_if *what_if = mem_alloc(sizeof *what_if);
	what_if->reach = reach;
	what_if->object = bits_new(heap_object_count(reach->heap));
	what_if->from = bits_new(heap_object_count(reach->heap));
	what_if->root = bits_new(reach->heap->root_count);
	return what_if;
}

void what_if_free(struct what_if *what_if)
{
	if (!what_if)
		return;
	free(what_if->object);
	free(what_if->from);
	free(what_if->root);
	free(what_if->reference);
	free(what_if);
}

void what_if_object(struct what_if *what_if, uint32_t id)
{
	word_bit_set(what_if->object, id);
}

void what_if_root(struct what_if *what_if, uint32_t root)
{
	word_bit_set(what_if->root, root);
}

void what_if_reference(struct what_if *what_if, uint32_t from, uint32_t to)
{
	word_bit_set(what_if->from, from);
	MEM_PUSH(what_if->reference, what_if->count, what_if->capacity, (struct reference){from, to});
}

static bool is_removed(const struct what_if *what_if, uint32_t from, uint32_t to)
{
	if (!word_bit_is_set(what_if->from, from))
		return false;
	for (size_t i = 0; i < what_if->count; i++)
		if (what_if->reference[i].from == from && what_if->reference[i].to == to)
			return true;
	return false;
}

/* The objects that are still reachable, in breadth-first order. */
struct left {
	const struct what_if *what_if;
	uint64_t *seen; /* bits by object */
	uint64_t *page; /* bits: what the page owns, for which nothing else counts; NULL: nothing */
	uint32_t *queue, head, tail;
};

static void what_if_visit(struct left *left, uint32_t id)
{
	if (!word_bit_is_set(left->what_if->object, id)
	    && !(left->page && word_bit_is_set(left->page, id)) && word_bit_add(left->seen, id))
		left->queue[left->tail++] = id;
}

static void what_if_visit_roots(struct left *left, bool of_page)
{
	const struct heap *heap = left->what_if->reach->heap;
	for (uint32_t r = 0; r < heap->root_count; r++)
		if (root_retains(&heap->roots[r]) && root_is_of_page(heap, &heap->roots[r]) == of_page
		    && !word_bit_is_set(left->what_if->root, r))
			what_if_visit(left, heap->roots[r].target);
}

static bool what_if_spread(struct left *left, struct progress *progress)
{
	struct edges edges = heap_edges(left->what_if->reach->heap);
	for (; left->head < left->tail; left->head++) {
		uint32_t from = left->queue[left->head];
		struct ids ids = edges_of(edges, from);
		for (size_t i = 0; i < ids.count; i++)
			if (!is_removed(left->what_if, from, ids.id[i]))
				what_if_visit(left, ids.id[i]);
		if (left->head % STEP == 0 && !progress_step(progress, left->head))
			return false;
	}
	return true;
}

/* Finds what the page owns. False: cancelled. */
static bool what_if_find_page(struct left *left, struct progress *progress)
{
	const struct reach *reach = left->what_if->reach;
	struct what_if *none = what_if_new(reach);
	struct left all = {.what_if = none,
	                   .queue = left->queue,
	                   .seen = left->page = bits_new(heap_object_count(reach->heap))};
	what_if_visit_roots(&all, true);
	bool done = what_if_spread(&all, progress);
	what_if_free(none);
	return done;
}

static bool what_if_search(struct left *left, struct progress *progress)
{
	const struct what_if *what_if = left->what_if;
	if (root_has_page(what_if->reach->heap) && !what_if_find_page(left, progress))
		return false;
	uint64_t *page = left->page;
	left->page = NULL;
	what_if_visit_roots(left, true);
	bool done = what_if_spread(left, progress);
	left->page = page;
	what_if_visit_roots(left, false);
	return done && what_if_spread(left, progress);
}

bool what_if_set(const struct what_if *what_if, struct progress *progress, uint64_t *freed)
{
	const struct reach *reach = what_if->reach;
	uint32_t objects = heap_object_count(reach->heap);
	size_t size = objects * sizeof(uint32_t);
	struct left left = {.what_if = what_if, .queue = mem_column(size), .seen = bits_new(objects)};
	progress_begin(progress, "counting what remains without it", reach->objects);
	bool done = what_if_search(&left, progress);
	for (uint32_t id = 0; done && id < objects; id++)
		if (reach_has(reach, id) && !word_bit_is_set(left.seen, id))
			word_bit_set(freed, id);
	mem_column_free(left.queue, size);
	free(left.seen);
	free(left.page);
	return done;
}

bool what_if_count(const struct what_if *what_if, struct progress *progress, struct freed *freed)
{
	const struct objects *objects = what_if->reach->heap->objects;
	SCOPED_FREE uint64_t *set = bits_new(heap_object_count(what_if->reach->heap));
	struct objects_run_view run;
	bool done = what_if_set(what_if, progress, set);
	*freed = (struct freed){0};
	for (size_t r = 0; done && r < objects_run_count(objects); r++) {
		objects_run(objects, r, &run);
		for (uint32_t id = run.first; id < run.first + run.count; id++) {
			freed->objects += word_bit_is_set(set, id);
			freed->bytes += word_bit_is_set(set, id) ? run.size : 0;
		}
	}
	return done;
}

bool what_if_count_objects(const struct reach *reach, struct ids objects, struct progress *progress,
                           struct freed *freed)
{
	struct what_if *what_if = what_if_new(reach);
	for (size_t i = 0; i < objects.count; i++)
		what_if_object(what_if, objects.id[i]);
	bool done = what_if_count(what_if, progress, freed);
	what_if_free(what_if);
	return done;
}
