/* The sources of paths, in this order: the object's path in the shortest path tree; roots that
   point at it directly; its other referrers, each with its own tree path; and a backward search
   from it, which finds every other root. */
#include "analysis/paths.h"

#include "base/mem.h"
#include "base/progress.h"
#include "heap/edges.h"
#include "heap/object_ids.h"
#include "heap/root.h"

#include <stdlib.h>
#include <string.h>

enum {
	CANDIDATES = 1024,        /* referrers that are sorted by distance */
	DISTANCE = 4096,          /* maximum distance that is measured */
	BACKWARD_LIMIT = 1 << 19, /* objects that the backward search visits */
	STEP = 4096,
};

struct candidate {
	uint32_t referrer;
	enum root_class root_class; /* of the root of its path */
	size_t distance;
};

/* The backward search: visited objects in order, each with the index of the object from which it
   was reached, one step nearer to the end. */
struct backward {
	struct trail {
		uint32_t object, nearer;
	} * trail;
	size_t count, capacity;
	size_t head;    /* the object whose roots are enumerated */
	size_t root;    /* the next of its roots */
	uint64_t *seen; /* bits by object */
	bool started, limited;
};

struct paths {
	const struct heap *heap;
	const struct reach *reach;
	uint32_t object;
	struct path *found;
	size_t count, capacity;
	size_t direct; /* the next of the roots that point at the object */
	struct candidate *candidates;
	size_t candidate_count, candidate;
	struct backward backward;
	bool ended, left_out;
};

struct paths *paths_open(const struct heap *heap, const struct reach *reach, uint32_t object)
{
	struct paths *paths = mem_alloc(sizeof *paths);
	paths->heap = heap;
	paths->reach = reach;
	paths->object = object;
	return paths;
}

void paths_close(struct paths *paths)
{
	if (!paths)
		return;
	for (size_t i = 0; i < paths->count; i++)
		free(paths->found[i].step);
	free(paths->found);
	free(paths->candidates);
	free(paths->backward.trail);
	free(paths->backward.seen);
	free(paths);
}

/* Returns true if a root counts: weak roots count only for an object that no other root reaches. */
static bool paths_counts(const struct paths *paths, uint32_t root)
{
	return root_retains(heap_root(paths->heap, root)) || reach_is_weak(paths->reach, paths->object);
}

static bool leads(const struct paths *paths, uint32_t id)
{
	return reach_has(paths->reach, id)
	       || (reach_is_weak(paths->reach, id) && reach_is_weak(paths->reach, paths->object));
}

static uint32_t last_holder(const struct path *path)
{
	return path->count > 1 ? path->step[path->count - 2] : OBJECT_NONE;
}

/* Stores a path unless there is one with the same root and the same last holder. */
static bool paths_keep(struct paths *paths, struct path path)
{
	for (size_t i = 0; i < paths->count; i++) {
		const struct path *other = &paths->found[i];
		if (other->root == path.root && last_holder(other) == last_holder(&path)) {
			free(path.step);
			return false;
		}
	}
	MEM_PUSH(paths->found, paths->count, paths->capacity, path);
	return true;
}

/* Makes the tree path to `from`, followed by the object unless it is `from`. False: that path
   already contains the object. */
static bool tree_path(const struct paths *paths, uint32_t from, struct path *path)
{
	const struct reach *reach = paths->reach;
	uint32_t count = heap_object_count(paths->heap), id;
	size_t steps = 0;
	for (id = from; id < count; id = reach_before(reach, id)) {
		steps++;
		if (id == paths->object && from != paths->object)
			return false;
	}
	if (id == OBJECT_NONE)
		return false;
	path->root = id - count;
	path->count = steps + (from != paths->object);
	path->step = mem_alloc(path->count * sizeof *path->step);
	path->step[path->count - 1] = paths->object;
	for (id = from; id < count; id = reach_before(reach, id))
		path->step[--steps] = id;
	return true;
}

static bool next_direct(struct paths *paths)
{
	struct ids roots = reach_roots_of(paths->reach, paths->object);
	while (paths->direct < roots.count) {
		struct path path = {.root = roots.id[paths->direct++], .count = 1};
		if (!paths_counts(paths, path.root))
			continue;
		path.step = mem_alloc(sizeof *path.step);
		path.step[0] = paths->object;
		if (paths_keep(paths, path))
			return true;
	}
	return false;
}

static int nearest_first(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	if (x->root_class != y->root_class)
		return x->root_class < y->root_class ? -1 : 1;
	if (x->distance != y->distance)
		return x->distance < y->distance ? -1 : 1;
	return x->referrer < y->referrer ? -1 : x->referrer > y->referrer;
}

static enum root_class class_before(const struct paths *paths, uint32_t id)
{
	uint32_t count = heap_object_count(paths->heap);
	for (size_t i = 0; i < DISTANCE && id < count; i++)
		id = reach_before(paths->reach, id);
	return id >= count ? paths->reach->root_class[id - count] : ROOT_CLASS_GLOBAL;
}

static void collect_candidates(struct paths *paths)
{
	struct ids referrers = heap_referrers(paths->heap, paths->object);
	paths->candidates = mem_alloc(CANDIDATES * sizeof *paths->candidates);
	for (size_t i = 0; i < referrers.count; i++) {
		uint32_t id = referrers.id[i];
		if (id == paths->object || (i && id == referrers.id[i - 1]) || !leads(paths, id))
			continue;
		if (paths->candidate_count == CANDIDATES) {
			paths->left_out = true;
			break;
		}
		paths->candidates[paths->candidate_count++] = (struct candidate){
			.referrer = id,
			.root_class = class_before(paths, id),
			.distance = reach_distance(paths->reach, id, DISTANCE),
		};
	}
	qsort(paths->candidates, paths->candidate_count, sizeof *paths->candidates, nearest_first);
}

static bool next_referrer(struct paths *paths)
{
	struct path path;
	if (!paths->candidates)
		collect_candidates(paths);
	while (paths->candidate < paths->candidate_count)
		if (tree_path(paths, paths->candidates[paths->candidate++].referrer, &path)
		    && paths_keep(paths, path))
			return true;
	return false;
}

static void backward_visit(struct backward *b, uint32_t object, uint32_t nearer)
{
	if (word_bit_is_set(b->seen, object))
		return;
	if (b->count == BACKWARD_LIMIT) {
		b->limited = true;
		return;
	}
	word_bit_set(b->seen, object);
	MEM_PUSH(b->trail, b->count, b->capacity, (struct trail){object, nearer});
}

static bool keep_backward(struct paths *paths, uint32_t root)
{
	const struct backward *b = &paths->backward;
	struct path path = {.root = root, .count = 1};
	if (!paths_counts(paths, root))
		return false;
	for (size_t at = b->head; at; at = b->trail[at].nearer)
		path.count++;
	path.step = mem_alloc(path.count * sizeof *path.step);
	size_t k = 0;
	for (size_t at = b->head; at; at = b->trail[at].nearer)
		path.step[k++] = b->trail[at].object;
	path.step[k] = paths->object;
	return paths_keep(paths, path);
}

static bool next_backward(struct paths *paths, struct progress *progress)
{
	struct backward *b = &paths->backward;
	if (!b->started) {
		b->started = true;
		b->seen = mem_alloc((heap_object_count(paths->heap) / 64 + 1) * sizeof *b->seen);
		backward_visit(b, paths->object, 0);
	}
	for (; b->head < b->count; b->head++, b->root = 0) {
		uint32_t object = b->trail[b->head].object;
		struct ids roots = reach_roots_of(paths->reach, object);
		while (b->root < roots.count)
			if (keep_backward(paths, roots.id[b->root++]))
				return true;
		struct ids referrers = heap_referrers(paths->heap, object);
		for (size_t i = 0; i < referrers.count && !b->limited; i++)
			backward_visit(b, referrers.id[i], (uint32_t)b->head);
		if (b->head % STEP == 0 && !progress_step(progress, b->head))
			return false;
	}
	return false;
}

const struct path *paths_get(struct paths *paths, size_t k, struct progress *progress)
{
	struct path first;
	if (!leads(paths, paths->object))
		paths->ended = true;
	if (paths->count == 0 && !paths->ended && tree_path(paths, paths->object, &first))
		paths_keep(paths, first);
	while (paths->count <= k && !paths->ended) {
		if (next_direct(paths) || next_referrer(paths) || next_backward(paths, progress))
			continue;
		if (progress && atomic_load(&progress->cancel))
			return NULL;
		paths->ended = true;
	}
	return k < paths->count ? &paths->found[k] : NULL;
}

bool paths_exhausted(const struct paths *paths)
{
	return paths->ended && !paths->left_out && !paths->backward.limited;
}

/* ---- From one object to another */

/* A breadth-first search; `before` is 1 + the object from which each was reached. */
static bool shortest_path_search(const struct heap *heap, uint32_t from, uint32_t to,
                                 uint32_t *before, uint32_t *queue, struct progress *progress)
{
	struct edges edges = heap_edges(heap);
	uint32_t head = 0, tail = 0;
	before[from] = from + 1;
	queue[tail++] = from;
	for (; head < tail && !before[to]; head++) {
		struct ids ids = edges_of(edges, queue[head]);
		for (size_t i = 0; i < ids.count; i++) {
			if (before[ids.id[i]])
				continue;
			before[ids.id[i]] = queue[head] + 1;
			queue[tail++] = ids.id[i];
		}
		if (head % STEP == 0 && !progress_step(progress, head))
			return false;
	}
	return before[to] != 0;
}

uint32_t *shortest_path(const struct heap *heap, uint32_t from, uint32_t to,
                        struct progress *progress, size_t *count, bool *found)
{
	size_t size = heap_object_count(heap) * sizeof(uint32_t);
	uint32_t *before = mem_column(size), *queue = mem_column(size), *steps = NULL;
	progress_begin(progress, "looking for a path", heap_object_count(heap));
	*found = shortest_path_search(heap, from, to, before, queue, progress);
	*count = 0;
	if (*found) {
		*count = 1;
		for (uint32_t id = to; id != from; id = before[id] - 1)
			++*count;
		steps = mem_alloc(*count * sizeof *steps);
		for (size_t at = *count; at-- > 0; to = before[to] - 1)
			steps[at] = to;
	}
	mem_column_free(before, size);
	mem_column_free(queue, size);
	return steps;
}
