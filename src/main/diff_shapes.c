#include "main/diff.h"

#include "analysis/shapes.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 16 }; /* words of an object that are shown */

static int diff_shape_by_name(const void *a, const void *b)
{
	const struct type_group *x = a, *y = b;
	return strcmp(x->name, y->name);
}

/* Appends "obj[48] PP....": a letter per word; for objects with more words, also a hash that
   distinguishes them. */
static void diff_shape_add_name(const struct heap *heap, const struct shape *shape, struct buf *out)
{
	struct object_record object;
	uint64_t offset, at = 0, word = heap->params.layout.pointer_size;
	buf_addf(out, "obj[%" PRIu64 "]", shape->size);
	if (!shape->pointers || !heap_object(heap, shape->first, &object))
		return;
	buf_add(out, " ");
	while (fields_next(&object.fields, &offset) && offset / word < WORDS) {
		for (; at < offset / word; at++)
			buf_add(out, ".");
		buf_add(out, "P");
		at++;
	}
	for (; at < WORDS && at < shape->size / word; at++)
		buf_add(out, ".");
	if (shape->size / word > WORDS)
		buf_addf(out, "… %" PRIx64, shape->hash);
}

static size_t diff_shapes_merge(struct type_group *group, size_t count)
{
	size_t kept = 0;
	if (!count)
		return 0;
	qsort(group, count, sizeof *group, diff_shape_by_name);
	for (size_t i = 0; i < count; i++) {
		if (kept && strcmp(group[kept - 1].name, group[i].name) == 0) {
			group[kept - 1].count += group[i].count;
			group[kept - 1].bytes += group[i].bytes;
			free(group[i].name);
		} else
			group[kept++] = group[i];
	}
	return kept;
}

void diff_shapes(struct type_groups *groups, const struct analysis *analysis)
{
	const struct heap *heap = analysis_heap(analysis);
	struct shapes *shapes = shapes_new(heap, analysis_reach(analysis), SHAPES_REACHABLE, NULL);
	struct buf name = {0};
	groups->group = mem_alloc((shapes->count + 1) * sizeof *groups->group);
	for (size_t i = 0; i < shapes->count; i++) {
		const struct shape *shape = &shapes->shape[i];
		buf_clear(&name);
		diff_shape_add_name(heap, shape, &name);
		groups->group[i] = (struct type_group){
			.name = mem_strdup(buf_text(&name)),
			.count = shape->objects,
			.bytes = shape->objects * shape->size,
		};
	}
	groups->count = diff_shapes_merge(groups->group, shapes->count);
	buf_free(&name);
	shapes_free(shapes);
}
