/* Saves and loads waits in an index: part of goruntime/gowait.h. */
#include "goruntime/gowait.h"

#include "base/index_parts.h"
#include "base/mem.h"

void gowaits_save(const struct gowaits *waits, const struct heap *heap, struct index_writer *writer)
{
	index_put(writer, "waits/of", waits->of, heap->thread_count * sizeof *waits->of);
	index_put(writer, "waits/cases", waits->cases, waits->case_count * sizeof *waits->cases);
	index_put(writer, "waits/sudogs", waits->sudogs, waits->sudog_count * sizeof *waits->sudogs);
}

struct gowaits *gowaits_load(const struct heap *heap, struct index_file *file)
{
	struct gowaits *waits = mem_alloc(sizeof *waits);
	size_t goroutines = 0, sudogs = 0;
	waits->of = index_array(file, "waits/of", sizeof *waits->of, &goroutines);
	waits->cases = index_array(file, "waits/cases", sizeof *waits->cases, &waits->case_count);
	waits->sudogs = index_array(file, "waits/sudogs", sizeof *waits->sudogs, &sudogs);
	waits->sudog_count = (uint32_t)sudogs;
	if (waits->of && waits->cases && waits->sudogs && goroutines == heap->thread_count)
		return waits;
	gowaits_free(waits);
	return NULL;
}
