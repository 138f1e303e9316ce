/* Where the paths of a place part: part of analysis/merge.h. One walk over the forest of paths,
   depth first: what is left is united with its parent, so that the last object that two paths share
   is the nearest one above the first of them that has not been left when the other one is met. */
#include "analysis/merge.h"

#include "base/mem.h"
#include "heap/heap.h"

static const uint32_t NOT_MET = OBJECT_NONE - 1; /* a place without objects so far */

struct forker {
	const struct reach *reach;
	uint32_t objects;
	const uint32_t *node;   /* by object: its place */
	uint32_t *first, *next; /* 1 + the first object below one, and the next below the same */
	uint32_t *up;           /* itself until it is left, then one above it; OBJECT_NONE: a root */
	uint32_t *fork;         /* by place */
};

/* Returns the nearest object above one, or itself, that has not been left; OBJECT_NONE: none. */
static uint32_t merge_fork_find(const struct forker *f, uint32_t object)
{
	while (object != OBJECT_NONE && f->up[object] != object) {
		uint32_t above = f->up[object];
		if (above != OBJECT_NONE)
			f->up[object] = f->up[above];
		object = above;
	}
	return object;
}

static void merge_fork_meet(const struct forker *f, uint32_t object)
{
	uint32_t *fork = &f->fork[f->node[object]];
	*fork = *fork == NOT_MET ? object : merge_fork_find(f, *fork);
}

/* Walks over all that is below an object of a root, and the object itself. */
static void merge_fork_walk(const struct forker *f, uint32_t top)
{
	uint32_t at = top;
	merge_fork_meet(f, at);
	for (;;) {
		uint32_t below = f->first[at];
		if (below) {
			f->first[at] = f->next[below - 1];
			at = below - 1;
			merge_fork_meet(f, at);
			continue;
		}
		f->up[at] = at == top ? OBJECT_NONE : f->reach->parent[at];
		if (at == top)
			return;
		at = f->reach->parent[at];
	}
}

static void merge_fork_walk_all(const struct forker *f)
{
	for (uint32_t id = f->objects; id-- > 0;) {
		uint32_t parent = f->node[id] == OBJECT_NONE ? OBJECT_NONE : f->reach->parent[id];
		f->up[id] = id;
		if (parent < f->objects) {
			f->next[id] = f->first[parent];
			f->first[parent] = id + 1;
		}
	}
	for (uint32_t id = 0; id < f->objects; id++)
		if (f->node[id] != OBJECT_NONE && f->reach->parent[id] >= f->objects)
			merge_fork_walk(f, id);
}

uint32_t *merge_forks(const struct merged_paths *paths, const struct reach *reach)
{
	size_t size = paths->objects * sizeof(uint32_t);
	uint32_t *node = runs_column(&paths->node_of);
	struct forker f = {
		.reach = reach,
		.objects = paths->objects,
		.node = node,
		.first = mem_column(size),
		.next = mem_column(size),
		.up = mem_column(size),
		.fork = mem_column(paths->count * sizeof *f.fork),
	};
	for (size_t at = 0; at < paths->count; at++)
		f.fork[at] = NOT_MET;
	merge_fork_walk_all(&f);
	for (size_t at = 0; at < paths->count; at++)
		f.fork[at] = f.fork[at] == NOT_MET ? OBJECT_NONE : f.fork[at];
	mem_column_free(f.first, size);
	mem_column_free(f.next, size);
	mem_column_free(f.up, size);
	mem_column_free(node, size);
	return f.fork;
}
