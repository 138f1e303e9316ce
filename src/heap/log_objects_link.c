/* heap_link for logs: asks the format again for the references of each object, and looks them up by
   number. */
#include "heap/columns.h"
#include "log_objects.h"

#include "base/mem.h"
#include "heap/edges.h"

#include <stdlib.h>

enum { STEP = 1 << 14 };

static void link_add_reference(struct heap *heap, uint32_t from, uint32_t target,
                               const struct listed_reference *reference)
{
	struct heap_columns *c = heap->columns;
	if (reference->strength == STRENGTH_WEAK || reference->strength == STRENGTH_EPHEMERON) {
		MEM_PUSH(c->weak, c->weak_count, c->weak_capacity,
		         (struct weak_reference){from, target, reference->place, reference->strength});
		return;
	}
	if (reference->strength == STRENGTH_SOFT)
		MEM_PUSH(c->soft, c->soft_count, c->soft_capacity, heap->edge_count);
	if (c->place)
		c->place[heap->edge_count] = reference->place;
	c->target[heap->edge_count++] = target;
}

static void link_add_references(struct heap *heap, uint32_t from,
                                const struct listed_references *references)
{
	uint32_t section = heap->log->object[from].section;
	for (size_t i = 0; i < references->count; i++) {
		const struct listed_reference *reference = &references->item[i];
		uint32_t target = log_objects_find_in(heap->log, section, reference->target);
		if (target == OBJECT_NONE)
			heap->dangling_count++;
		else
			link_add_reference(heap, from, target, reference);
	}
}

static void link_reserve(struct heap *heap)
{
	struct heap_columns *c = heap->columns;
	/* each reference takes at least a digit and a blank */
	c->target_size = (heap->input->size / 2 + 1) * sizeof *c->target;
	c->target = mem_column(c->target_size);
	if (!heap->format->place)
		return;
	c->place_size = c->target_size;
	c->place = mem_column(c->place_size);
}

bool heap_link_log(struct heap *heap, struct progress *progress, struct err *err)
{
	struct heap_columns *c = heap->columns;
	uint32_t count = heap_object_count(heap);
	struct listed_references references = {0};
	struct starts_maker starts;
	bool more = true;
	starts_begin(&starts, count + 1ULL);
	starts_put(&starts, 0);
	link_reserve(heap);
	progress_begin(progress, "resolving references", count);
	for (uint32_t id = 0; id < count && more; id++) {
		const struct log_object *object = &heap->log->object[id];
		references.count = 0;
		heap->format->references(heap->reader, object->offset, object->handle, &references);
		if (heap->edge_count + references.count > UINT32_MAX)
			more = err_set(err, "The file has more than 4,294,967,295 references");
		else
			link_add_references(heap, id, &references);
		starts_put(&starts, (uint32_t)heap->edge_count);
		more = more && (id % STEP || progress_step(progress, id));
	}
	free(references.item);
	c->starts = starts_end(&starts);
	mem_column_trim(c->target, heap->edge_count * sizeof *c->target, c->target_size);
	if (c->place)
		mem_column_trim(c->place, heap->edge_count * sizeof *c->place, c->place_size);
	if (more)
		heap_link_roots(heap);
	return more;
}
