/* Keeps waits in an index: part of go/runtime/gowait.h. */
#include "go/runtime/gowait.h"
#include "heap/heap.h"

bool gowaits_index(struct gowaits *waits, const struct heap *heap, const struct index_io *io)
{
	uint32_t threads = heap->thread_count;
	return INDEX_ARRAY(io, "waits/of", waits->of, threads)
	       && INDEX_ARRAY(io, "waits/cases", waits->cases, waits->case_count)
	       && INDEX_ARRAY(io, "waits/sudogs", waits->sudogs, waits->sudog_count)
	       && threads == heap->thread_count;
}
