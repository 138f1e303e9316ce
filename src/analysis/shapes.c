#include "analysis/shapes.h"

#include "base/mem.h"

#include <stdlib.h>

enum { PLACES = 1024 };

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

static bool shapes_alike(const struct shape *a, const struct shape *b)
{
	return a->size == b->size && a->pointers == b->pointers && a->hash == b->hash;
}

/* Returns the place of a shape in the hash table, or the empty place for it. */
static uint32_t *find_place(struct shapes *shapes, const struct shape *shape)
{
	uint64_t hash = (shape->hash ^ shape->size) * 0x9e3779b97f4a7c15;
	size_t at = (size_t)(hash >> 32) & (shapes->place_count - 1);
	while (shapes->places[at] && !shapes_alike(&shapes->shape[shapes->places[at] - 1], shape))
		at = (at + 1) & (shapes->place_count - 1);
	return &shapes->places[at];
}

static void shapes_make_places(struct shapes *shapes, size_t count)
{
	free(shapes->places);
	shapes->places = mem_alloc(count * sizeof *shapes->places);
	shapes->place_count = count;
	for (size_t i = 0; i < shapes->count; i++)
		*find_place(shapes, &shapes->shape[i]) = (uint32_t)i + 1;
}

static void shapes_add(struct shapes *shapes, const struct shape *shape)
{
	uint32_t *place = find_place(shapes, shape);
	if (!*place) {
		MEM_PUSH(shapes->shape, shapes->count, shapes->capacity, *shape);
		*place = (uint32_t)shapes->count;
	}
	shapes->shape[*place - 1].objects++;
	if (2 * shapes->count > shapes->place_count)
		shapes_make_places(shapes, 2 * shapes->place_count);
}

static bool wanted(const struct reach *reach, uint32_t id, enum shapes_of which)
{
	return which == SHAPES_ALL || reach_has(reach, id) == (which == SHAPES_REACHABLE);
}

/* Adds the objects of a run, whose records are adjacent. */
static void add_run(struct shapes *shapes, const struct heap *heap, const struct reach *reach,
                    enum shapes_of which, const struct objects_run_view *run)
{
	struct object_record record;
	uint64_t offset = run->offset;
	for (uint32_t id = run->first; id < run->first + run->count; id++) {
		if (!heap->format->object(heap->reader, offset, &record))
			return;
		offset = record.end;
		if (!wanted(reach, id, which))
			continue;
		struct shape shape = shapes_of_object(heap, &record, id);
		shapes_add(shapes, &shape);
	}
}

struct shapes *shapes_new(const struct heap *heap, const struct reach *reach, enum shapes_of which,
                          struct progress *progress)
{
	struct shapes *shapes = mem_alloc(sizeof *shapes);
	struct objects_run_view run;
	progress_begin(progress, "counting shapes", heap_object_count(heap));
	shapes_make_places(shapes, PLACES);
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
	free(shapes->places);
	free(shapes);
}
