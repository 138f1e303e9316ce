/* heap_link for logs: reads the references again, line by line, and looks them up by number. */
#include "heap/columns.h"
#include "log_objects.h"

#include "base/mem.h"

#include <stdlib.h>

enum { STEP = 1 << 14 };

static void add_references(struct heap *heap, const struct log_object *object,
                           const struct numbers *numbers)
{
	struct heap_columns *c = heap->columns;
	for (size_t i = 0; i < numbers->count; i++) {
		uint32_t target = log_objects_find_in(heap->log, object->section, numbers->item[i]);
		if (target == OBJECT_NONE)
			heap->dangling_count++;
		else
			c->target[heap->edge_count++] = target;
	}
}

bool heap_link_log(struct heap *heap, struct progress *progress, struct err *err)
{
	struct heap_columns *c = heap->columns;
	uint32_t count = heap_object_count(heap);
	struct numbers numbers = {0};
	struct starts_maker starts;
	bool more = true;
	starts_begin(&starts, count + 1ULL);
	starts_put(&starts, 0);
	/* each takes at least a digit and a blank */
	c->target_size = (heap->input->size / 2 + 1) * sizeof *c->target;
	c->target = mem_column(c->target_size);
	progress_begin(progress, "resolving references", count);
	for (uint32_t id = 0; id < count && more; id++) {
		const struct log_object *object = &heap->log->object[id];
		numbers.count = 0;
		heap->format->references(heap->reader, object->offset, &numbers);
		if (heap->edge_count + numbers.count > UINT32_MAX)
			more = err_set(err, "The log has more than 4,294,967,295 references");
		else
			add_references(heap, object, &numbers);
		starts_put(&starts, (uint32_t)heap->edge_count);
		more = more && (id % STEP || progress_step(progress, id));
	}
	free(numbers.item);
	c->starts = starts_end(&starts);
	mem_column_trim(c->target, heap->edge_count * sizeof *c->target, c->target_size);
	if (more)
		heap_link_roots(heap);
	return more;
}
