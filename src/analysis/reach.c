/* A breadth-first search with one queue for all classes of roots. */
#include "analysis/reach.h"

#include "base/bound.h"
#include "base/map.h"
#include "base/mem.h"
#include "go/runtime/goplumbing.h"
#include "heap/edges.h"
#include "heap/heap.h"
#include "heap/object_ids.h"
#include "heap/objects.h"
#include "heap/root.h"

#include <stdlib.h>

enum { STEP = 1 << 14 };

/* The breadth-first search. `queue` contains every object that has a parent. */
struct search {
	const struct heap *heap;
	uint32_t *parent, *queue;
	uint32_t tail; /* length of the queue */
	/* Plumbing that is not visited yet, although referenced; NULL: none. */
	const uint64_t *deferred;
	struct map first_referrer; /* plumbing object -> its first referrer */
	bool weak;                 /* weak references count, too */
};

static void reach_visit(struct search *s, uint32_t object, uint32_t parent)
{
	if (s->parent[object] != OBJECT_NONE)
		return;
	s->parent[object] = parent;
	s->queue[s->tail++] = object;
}

/* Visits a successor; for deferred plumbing, records the referrer instead. */
static inline void reach_follow(struct search *s, uint32_t object, uint32_t parent)
{
	uint64_t first = parent;
	if (!s->deferred || !word_bit_is_set(s->deferred, object))
		reach_visit(s, object, parent);
	else
		map_add(&s->first_referrer, object, &first);
}

/* Visits the targets of an object's weak references, in the search that follows them. */
static void reach_follow_weak(struct search *s, uint32_t object)
{
	struct weak_references weak = heap_weak_references_of(s->heap, object);
	for (size_t i = 0; i < weak.count; i++)
		reach_visit(s, weak.item[i].target, object);
}

static void visit_roots(struct search *s, const uint8_t *root_class, enum root_class which)
{
	uint32_t count = heap_object_count(s->heap);
	for (uint32_t r = 0; r < s->heap->root_count; r++)
		if (root_class[r] == which)
			reach_visit(s, s->heap->roots[r].target, count + r);
}

/* Prefetches the parents of objects on a list that comes soon, in addition to edges_ahead. */
enum { AHEAD_PARENT = 6, PARENTS = 6 };

static inline void prefetch(const struct search *s, struct edges edges, uint32_t at)
{
	edges_ahead(edges, s->queue + at, s->tail - at);
	if (s->tail - at <= EDGES_ROW_AHEAD)
		return;
	struct ids ids = edges_of(edges, s->queue[at + AHEAD_PARENT]);
	for (size_t i = 0; i < ids.count && i < PARENTS; i++)
		__builtin_prefetch(&s->parent[ids.id[i]], 1);
}

static bool reach_spread(struct search *s, uint32_t *head, struct progress *progress)
{
	struct edges edges = heap_edges(s->heap);
	for (; *head < s->tail; ++*head) {
		prefetch(s, edges, *head);
		struct ids ids = edges_of(edges, s->queue[*head]);
		for (size_t i = 0; i < ids.count; i++)
			reach_follow(s, ids.id[i], s->queue[*head]);
		if (s->weak)
			reach_follow_weak(s, s->queue[*head]);
		if (*head % STEP == 0 && !progress_step(progress, *head))
			return false;
	}
	return true;
}

/* Visits what reachable objects refer to weakly. From now on, weak references count. */
static void reach_begin_weak(struct search *s)
{
	struct weak_references weak = heap_weak_references(s->heap);
	uint32_t reached = s->tail;
	s->weak = weak.count > 0;
	for (size_t i = 0; i < weak.count && reached; i++)
		if (s->parent[weak.item[i].from] != OBJECT_NONE)
			reach_visit(s, weak.item[i].target, weak.item[i].from);
}

/* Searches from one class of roots. From ROOT_CLASS_RUNTIME on, references to plumbing count;
   plumbing referenced earlier is visited after the roots of that class. */
static bool reach_class(struct search *s, const struct reach *reach, enum root_class which,
                        uint32_t *head, struct progress *progress)
{
	const struct goplumbing *plumbing = reach->plumbing;
	uint64_t referrer;
	if (which == ROOT_CLASS_RUNTIME)
		s->deferred = NULL;
	visit_roots(s, reach->root_class, which);
	if (which == ROOT_CLASS_WEAK)
		reach_begin_weak(s);
	if (!reach_spread(s, head, progress))
		return false;
	for (size_t i = 0; which == ROOT_CLASS_RUNTIME && plumbing && i < plumbing->count; i++)
		if (map_get(&s->first_referrer, plumbing->part[i].object, &referrer))
			reach_visit(s, plumbing->part[i].object, (uint32_t)referrer);
	return reach_spread(s, head, progress);
}

/* Moves what was reached from weak roots, the queue from `first` on, to reach->weak. */
static void part_weak(struct reach *reach, const struct search *s, uint32_t first)
{
	uint32_t count = heap_object_count(s->heap);
	reach->weak_objects = s->tail - first;
	if (first == s->tail)
		return;
	reach->weak = mem_column(count * sizeof *reach->weak);
	for (uint32_t id = 0; id < count; id++)
		reach->weak[id] = OBJECT_NONE;
	for (uint32_t at = first; at < s->tail; at++) {
		uint32_t id = s->queue[at];
		reach->weak[id] = reach->parent[id];
		reach->parent[id] = OBJECT_NONE;
		reach->weak_bytes += heap_size(s->heap, id);
	}
}

static void count_bytes(struct reach *reach)
{
	struct objects_run_view run;
	for (size_t r = 0; r < objects_run_count(reach->heap->objects); r++) {
		objects_run(reach->heap->objects, r, &run);
		for (uint32_t id = run.first; id < run.first + run.count; id++)
			reach->bytes += reach_has(reach, id) ? run.size : 0;
	}
}

static int by_target(const void *a, const void *b, void *heap)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	const struct root *roots = ((const struct heap *)heap)->roots;
	if (roots[x].target != roots[y].target)
		return roots[x].target < roots[y].target ? -1 : 1;
	return x < y ? -1 : x > y;
}

static void sort_roots(struct reach *reach)
{
	uint32_t count = reach->heap->root_count;
	reach->by_target = mem_alloc(count * sizeof *reach->by_target);
	for (uint32_t r = 0; r < count; r++)
		reach->by_target[r] = r;
	qsort_r(reach->by_target, count, sizeof *reach->by_target, by_target,
	        (void *)(uintptr_t)reach->heap);
}

/* Returns the class for the search order. All roots of a log that are not weak are in one class, so
   that the nearest wins. */
static enum root_class class_in_search(const struct heap *heap, const struct names *names,
                                       const struct root *root)
{
	enum root_class root_class = root_class_of(heap, names, root);
	return root->kind < ROOT_INTERNAL || root_class == ROOT_CLASS_WEAK ? root_class
	                                                                   : ROOT_CLASS_GLOBAL;
}

static void class_roots(struct reach *reach, const struct names *names)
{
	const struct heap *heap = reach->heap;
	reach->root_class = mem_alloc(heap->root_count * sizeof *reach->root_class);
	for (uint32_t r = 0; r < heap->root_count; r++)
		reach->root_class[r] = (uint8_t)class_in_search(heap, names, &heap->roots[r]);
}

struct reach *reach_new(const struct heap *heap, const struct names *names,
                        const struct goplumbing *plumbing, struct progress *progress)
{
	uint32_t count = heap_object_count(heap), head = 0;
	size_t size = count * sizeof(uint32_t);
	struct reach *reach = mem_alloc(sizeof *reach);
	reach->heap = heap;
	reach->plumbing = plumbing;
	reach->parent = mem_column(size);
	class_roots(reach, names);
	struct search s = {.heap = heap,
	                   .parent = reach->parent,
	                   .queue = mem_column(size),
	                   .deferred = plumbing ? plumbing->bits : NULL};
	for (uint32_t id = 0; id < count; id++)
		reach->parent[id] = OBJECT_NONE;
	progress_begin(progress, "following references from the roots", count);
	bool done = true;
	for (enum root_class c = 0; done && c < ROOT_CLASSES; c++) {
		if (c == ROOT_CLASS_WEAK)
			reach->objects = s.tail;
		done = reach_class(&s, reach, c, &head, progress);
	}
	if (done)
		part_weak(reach, &s, (uint32_t)reach->objects);
	mem_column_recycle(s.queue, size);
	map_free(&s.first_referrer);
	if (!done)
		return reach_free(reach), NULL;
	count_bytes(reach);
	sort_roots(reach);
	return reach;
}

void reach_free(struct reach *reach)
{
	if (!reach)
		return;
	size_t size = heap_object_count(reach->heap) * sizeof *reach->parent;
	mem_column_free(reach->parent, size);
	if (reach->weak)
		mem_column_free(reach->weak, size);
	free(reach->by_target);
	free(reach->root_class);
	free(reach);
}

bool reach_has(const struct reach *reach, uint32_t id)
{
	return reach->parent[id] != OBJECT_NONE;
}

bool reach_is_weak(const struct reach *reach, uint32_t id)
{
	return reach->weak && reach->weak[id] != OBJECT_NONE;
}

bool reach_is_by_reference(const struct reach *reach, uint32_t id)
{
	uint32_t count = heap_object_count(reach->heap);
	bool weak = reach_is_weak(reach, id);
	while (weak && id < count)
		id = reach_before(reach, id);
	return weak && root_retains(&reach->heap->roots[id - count]);
}

uint32_t reach_before(const struct reach *reach, uint32_t id)
{
	return reach_is_weak(reach, id) ? reach->weak[id] : reach->parent[id];
}

size_t reach_distance(const struct reach *reach, uint32_t id, size_t limit)
{
	uint32_t count = heap_object_count(reach->heap);
	size_t steps = 0;
	while (id < count && steps < limit) {
		steps++;
		id = reach_before(reach, id);
	}
	return steps;
}

static uint64_t reach_target_at(const void *of, size_t at)
{
	const struct reach *reach = of;
	return reach->heap->roots[reach->by_target[at]].target;
}

/* Returns the first index in by_target whose root points to an object >= id. */
static uint32_t reach_first_root(const struct reach *reach, uint64_t id)
{
	return (uint32_t)lower_bound_of(reach, 0, reach->heap->root_count, reach_target_at, id);
}

struct ids reach_roots_of(const struct reach *reach, uint32_t id)
{
	uint32_t first = reach_first_root(reach, id), end = reach_first_root(reach, id + 1ULL);
	return (struct ids){reach->by_target + first, end - first};
}

/* ---- Index */

bool reach_index(struct reach *reach, const struct index_io *io)
{
	size_t objects = heap_object_count(reach->heap);
	return INDEX_VALUES(io, "reach/counts", INDEX_VALUE(reach->objects), INDEX_VALUE(reach->bytes),
	                    INDEX_VALUE(reach->weak_objects), INDEX_VALUE(reach->weak_bytes))
	       && INDEX_COLUMN(io, "reach/parent", reach->parent, objects)
	       && (!reach->weak_objects || INDEX_COLUMN(io, "reach/weak", reach->weak, objects));
}

struct reach *reach_load(const struct heap *heap, const struct names *names,
                         const struct goplumbing *plumbing, const struct index_io *io)
{
	struct reach *reach = mem_alloc(sizeof *reach);
	reach->heap = heap;
	reach->plumbing = plumbing;
	if (!reach_index(reach, io))
		return reach_free(reach), NULL;
	class_roots(reach, names);
	sort_roots(reach);
	return reach;
}
