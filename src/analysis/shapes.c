#include "analysis/shapes.h"

#include "base/hash.h"
#include "base/mem.h"
#include "format/record.h"
#include "heap/heap.h"
#include "heap/object_ids.h"
#include "heap/objects.h"

#include <stdlib.h>

/* Returns the shape with FNV-1a over the offsets of pointers within the contents. */
static struct shape shapes_of_object(const struct heap *heap, const struct object_record *record,
                                     uint32_t id)
{
	struct shape shape = {.size = record->size, .first = id};
	uint64_t offset, width = heap->params.layout.pointer_size, hash = 0xcbf29ce484222325;
	for (struct fields fields = record->fields; fields_next(&fields, &offset);) {
		if (record->stored < width || offset > record->stored - width)
			continue;
		hash = (hash ^ offset) * 0x100000001b3;
		shape.pointers++;
	}
	shape.hash = shape.pointers ? hash : 0;
	return shape;
}

static bool shapes_equal(const struct shape *a, const struct shape *b)
{
	return a->size == b->size && a->pointers == b->pointers && a->hash == b->hash;
}

/* Returns the index of a shape, which is added if it is new. */
static size_t shapes_find(struct shapes *shapes, const struct shape *shape)
{
	uint64_t hash = hash_mix(shape->hash, shape->size, hash_multiplier()), at = shapes->count;
	for (; !map_add(&shapes->by_hash, hash, &at) && !shapes_equal(&shapes->shape[at], shape);
	     hash++)
		at = shapes->count;
	if (at == shapes->count)
		MEM_PUSH(shapes->shape, shapes->count, shapes->capacity, *shape);
	return at;
}

/* Adds the objects of a run, whose records are adjacent. */
static void add_run(struct shapes *shapes, const struct heap *heap, const struct reach *reach,
                    enum shapes_of which, const struct objects_run_view *run)
{
	struct object_record record = {0};
	size_t at = SIZE_MAX; /* the shape of the record before, and of those like it; not known yet */
	for (uint32_t id = run->first; id < run->first + run->count; id++) {
		if (!format_row(heap->format, heap->reader, id == run->first ? run->offset : 0, &record))
			return;
		if (!record.alike)
			at = SIZE_MAX;
		if (which != SHAPES_ALL && reach_has(reach, id) != (which == SHAPES_REACHABLE))
			continue;
		if (at == SIZE_MAX) {
			struct shape shape = shapes_of_object(heap, &record, id);
			at = shapes_find(shapes, &shape);
		}
		shapes->shape[at].objects++;
	}
}

struct shapes *shapes_new(const struct heap *heap, const struct reach *reach, enum shapes_of which,
                          struct progress *progress)
{
	struct shapes *shapes = mem_alloc(sizeof *shapes);
	struct objects_run_view run;
	progress_begin(progress, "counting shapes", heap_object_count(heap));
	for (size_t r = 0; r < objects_run_count(heap->objects); r++) {
		objects_run(heap->objects, r, &run);
		add_run(shapes, heap, reach, which, &run);
		if (!progress_step(progress, run.first))
			return shapes_free(shapes), NULL;
	}
	return shapes;
}

void shapes_free(struct shapes *shapes)
{
	if (!shapes)
		return;
	free(shapes->shape);
	map_free(&shapes->by_hash);
	free(shapes);
}
