#include "table/reference.h"

#include "base/bound.h"

#include "table/root.h"

/* Compares addresses and does not look objects up: an object may have millions of pointers. */
uint64_t reference_offset(const struct heap *heap, uint32_t from, uint32_t to, size_t nth)
{
	struct object_place place;
	struct object_record record;
	uint64_t offset, width = heap->params.layout.pointer_size;
	objects_place(heap->objects, to, &place);
	if (!heap_object(heap, from, &record))
		return UINT64_MAX;
	while (fields_next(&record.fields, &offset)) {
		if (record.stored < width || offset > record.stored - width || offset < record.header)
			continue;
		if (heap_word(heap, record.data + offset) - place.slot < place.size && nth-- == 0)
			return offset - record.header;
	}
	return UINT64_MAX;
}

uint64_t path_step_offset(const struct heap *heap, const struct path *path, size_t at)
{
	uint64_t offset;
	if (at)
		return reference_offset(heap, path->step[at - 1], path->step[at], 0);
	return root_offset(heap, &heap->roots[path->root], &offset) ? offset : UINT64_MAX;
}

size_t reference_rank(struct ids ids, size_t at)
{
	static const struct bound_by itself = {sizeof(uint32_t), 0, sizeof(uint32_t)};
	return at - lower_bound(ids.id, at, itself, ids.id[at]);
}
