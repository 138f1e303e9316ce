#include "table/naming/step.h"

#include "base/bound.h"

#include "heap/root.h"
#include "table/naming/root.h"

uint64_t path_step_offset(const struct heap *heap, const struct path *path, size_t at)
{
	uint64_t offset;
	if (at)
		return reference_offset(heap, path->step[at - 1], path->step[at], 0);
	return root_offset(heap, heap_root(heap, path->root), &offset) ? offset : UINT64_MAX;
}

size_t reference_rank(struct ids ids, size_t at)
{
	return at - lower_bound(ids.id, at, BOUND_ITSELF(uint32_t), ids.id[at]);
}
