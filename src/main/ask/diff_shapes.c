#include "main/ask/diff.h"

#include "analysis/shapes.h"
#include "heap/heap.h"

#include <inttypes.h>

enum { WORDS = 16 }; /* words of an object that are shown */

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

void diff_add_shapes(struct diff_list *list, const struct analysis *analysis, bool newer)
{
	const struct heap *heap = analysis_heap(analysis);
	struct shapes *shapes = shapes_new(heap, analysis_reach(analysis), SHAPES_REACHABLE, NULL);
	SCOPED_BUF name = {0};
	for (size_t i = 0; i < shapes->count; i++) {
		const struct shape *shape = &shapes->shape[i];
		buf_clear(&name);
		diff_shape_add_name(heap, shape, &name);
		diff_list_add(list, newer, buf_text(&name), shape->objects, shape->objects * shape->size);
	}
	shapes_free(shapes);
}
