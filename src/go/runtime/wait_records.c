#include "go/runtime/wait_records.h"

#include "base/map.h"
#include "base/mem.h"
#include "heap/heap.h"

#include <stdlib.h>

/* Stores the goroutine of a sudog, which begins with the address of its goroutine's record. */
static bool wait_records_thread(const struct heap *heap, const struct map *threads, uint32_t sudog,
                                uint64_t *thread)
{
	struct object_record object;
	return heap_object(heap, sudog, &object)
	       && map_get(threads, heap_word(heap, object.data + object.header), thread);
}

void wait_records_init(struct wait_records *records, const struct heap *heap,
                       const struct gowaits *waits)
{
	size_t count = heap->thread_count, sudogs = waits->sudog_count;
	SCOPED_MAP threads = {0};
	SCOPED_FREE uint32_t *used = mem_alloc((count + 1) * sizeof *used);
	uint64_t thread;
	records->first = mem_alloc((count + 2) * sizeof *records->first);
	records->id = mem_alloc((count + sudogs + 1) * sizeof *records->id);
	for (uint32_t g = 0; g < count; g++) {
		used[g] = heap_find(heap, heap->threads[g].record.address) != OBJECT_NONE;
		if (used[g])
			map_put(&threads, heap->threads[g].record.address, g);
	}
	for (size_t i = 0; i < sudogs; i++)
		if (wait_records_thread(heap, &threads, waits->sudogs[i], &thread))
			used[thread]++;
	for (uint32_t g = 0; g < count; g++) {
		uint32_t record = heap_find(heap, heap->threads[g].record.address);
		records->first[g + 1] = records->first[g] + used[g];
		used[g] = records->first[g];
		if (record != OBJECT_NONE)
			records->id[used[g]++] = record;
	}
	for (size_t i = 0; i < sudogs; i++)
		if (wait_records_thread(heap, &threads, waits->sudogs[i], &thread))
			records->id[used[thread]++] = waits->sudogs[i];
}

void wait_records_fini(struct wait_records *records)
{
	free(records->id);
	free(records->first);
}

struct ids wait_records_of(const struct wait_records *records, uint32_t thread)
{
	uint32_t first = records->first[thread];
	return (struct ids){records->id + first, records->first[thread + 1] - first};
}
