#include "godeadline.h"

#include "base/bound.h"
#include "base/mem.h"
#include "format/record.h"
#include "heap/heap.h"
#include "heap/object_ids.h"
#include "heap/objects.h"

#include <stdlib.h>

enum {
	MUTEX = 16, /* bytes of FD.fdmu, the first field; then a number, possibly a pointer */
	FD_LEAST = 64,
	FD_MOST = 512, /* bytes of an object that begins with an FD: net.netFD, os.file */
	/* Words before pollDesc.rt, in Go 1.10 to 1.27. Before wt there are two or three more, and a
	   runtime.timer. */
	RT_LEAST = 5,
	RT_MOST = 10
};

struct godeadline_finding {
	struct godeadlines *deadlines;
	const struct heap *heap;
	uint64_t size; /* of a timer */
	unsigned width;
};

void godeadlines_add(struct godeadlines *deadlines, uint64_t timer, uint64_t when, bool sure)
{
	if (!timer)
		return;
	MEM_PUSH(
		deadlines->item, deadlines->count, deadlines->capacity,
		(struct godeadline){.timer = timer, .when = when, .sure = sure, .object = OBJECT_NONE});
}

void godeadlines_fini(struct godeadlines *deadlines)
{
	free(deadlines->item);
	*deadlines = (struct godeadlines){0};
}

static bool godeadline_is_at(const struct godeadline_finding *f, uint64_t distance, uint64_t least)
{
	return distance >= least + RT_LEAST * f->width && distance <= least + RT_MOST * f->width;
}

/* Assigns the deadlines in the pollDesc at an address to an object. */
static void godeadline_take(struct godeadline_finding *f, uint64_t polled, uint32_t object)
{
	struct godeadlines *all = f->deadlines;
	uint64_t write = f->size + 8 + f->width, most = write + (RT_MOST + 1) * f->width;
	size_t at = lower_bound(all->item, all->count, BOUND_BY(struct godeadline, timer), polled);
	for (; at < all->count && all->item[at].timer - polled <= most; at++) {
		uint64_t distance = all->item[at].timer - polled;
		bool writes = godeadline_is_at(f, distance, write)
		              || godeadline_is_at(f, distance, write + f->width);
		if (!writes && !godeadline_is_at(f, distance, 0))
			continue;
		all->item[at].object = object;
		all->item[at].writes = writes;
	}
}

static void godeadline_look(struct godeadline_finding *f, uint32_t id)
{
	struct object_record record;
	uint64_t polled;
	if (!heap_object(f->heap, id, &record) || record.stored < MUTEX + 3 * f->width)
		return;
	for (unsigned words = 1; words <= 2; words++) {
		polled = heap_word(f->heap, record.data + MUTEX + words * f->width);
		if (polled)
			godeadline_take(f, polled, id);
	}
}

void godeadlines_find(struct godeadlines *deadlines, const struct heap *heap, uint64_t size)
{
	struct godeadline_finding f = {deadlines, heap, size, heap->params.layout.pointer_size};
	struct objects_run_view run;
	size_t runs = deadlines->count ? objects_run_count(heap->objects) : 0;
	bound_sort(deadlines->item, deadlines->count, BOUND_BY(struct godeadline, timer));
	for (size_t i = 0; i < runs; i++) {
		objects_run(heap->objects, i, &run);
		if (run.size >= FD_LEAST && run.size <= FD_MOST)
			for (uint32_t id = run.first; id < run.first + run.count; id++)
				godeadline_look(&f, id);
	}
}
