#include "analysis/thread_place.h"

#include "heap/heap.h"

PLUGINS(thread_placers);

bool thread_place(const struct heap *heap, const struct names *names, const struct thread *thread,
                  struct thread_place *place)
{
	for (const void *const *p = __start_all_thread_placers; p < __stop_all_thread_placers; p++) {
		const struct thread_placer *placer = *p;
		if (placer->runtime == heap->format->runtime)
			return placer->place(heap, names, thread, place);
	}
	return false;
}
