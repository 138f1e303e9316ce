#include "cleanups.h"

#include "base/bound.h"
#include "base/mem.h"
#include "format/record.h"
#include "heap/heap.h"
#include "heap/object_ids.h"

#include <stddef.h>
#include <stdlib.h>

static int cleanups_in_order(const void *a, const void *b)
{
	const struct cleanup *x = a, *y = b;
	if (x->object != y->object)
		return x->object < y->object ? -1 : 1;
	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return x->target < y->target ? -1 : x->target > y->target;
}

/* The records of one cleanup are adjacent and have the same offset. */
struct cleanups cleanups_find(const struct heap *heap)
{
	const struct otherroot_record *all = heap->otherroots;
	struct cleanups cleanups = {0};
	size_t capacity = 0;
	uint32_t first = 0;
	for (uint32_t i = 0; i < heap->otherroot_count; i++) {
		uint32_t object = all[i].object ? heap_find(heap, all[i].object) : OBJECT_NONE;
		uint32_t target = heap_find(heap, all[i].target);
		if (all[i].role != OTHERROOT_CLEANUP || object == OBJECT_NONE || target == OBJECT_NONE)
			continue;
		if (all[first].offset != all[i].offset || all[first].object != all[i].object)
			first = i;
		MEM_PUSH(cleanups.item, cleanups.count, capacity, (struct cleanup){object, target, first});
	}
	if (cleanups.count)
		qsort(cleanups.item, cleanups.count, sizeof *cleanups.item, cleanups_in_order);
	return cleanups;
}

const struct cleanup *cleanups_of(const struct cleanups *cleanups, uint32_t object, size_t n)
{
	static const struct bound_by by = {sizeof(struct cleanup), offsetof(struct cleanup, object),
	                                   sizeof(uint32_t)};
	size_t at = lower_bound(cleanups->item, cleanups->count, by, object);
	bool there = n < cleanups->count - at && cleanups->item[at + n].object == object;
	return there ? &cleanups->item[at + n] : NULL;
}
