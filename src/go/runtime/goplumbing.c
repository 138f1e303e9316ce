#include "go/runtime/goplumbing.h"

#include "base/bound.h"
#include "base/map.h"
#include "base/mem.h"
#include "go/runtime/gotimer.h"
#include "heap/edges.h"
#include "heap/heap.h"
#include "heap/object_ids.h"

#include <stdlib.h>

struct goplumbing_finding {
	const struct heap *heap;
	const struct gowaits *waits;
	const struct runtime_variables *variables;
	struct goplumbing *plumbing;
	struct map goroutines; /* object -> index */
	enum goplumbing_kind kind;
};

static void goplumbing_add(struct goplumbing_finding *f, uint32_t object, uint32_t thread)
{
	struct goplumbing *p = f->plumbing;
	if (object == OBJECT_NONE || word_bit_is_set(p->bits, object))
		return;
	word_bit_set(p->bits, object);
	MEM_PUSH(p->part, p->count, p->capacity,
	         (struct goplumbing_part){object, thread, (uint32_t)f->kind});
}

static void goplumbing_add_threads(struct goplumbing_finding *f)
{
	for (uint32_t i = 0; i < f->heap->thread_count; i++) {
		uint32_t object = heap_find(f->heap, f->heap->threads[i].record.address);
		goplumbing_add(f, object, i);
		if (object != OBJECT_NONE)
			map_put(&f->goroutines, object, i);
	}
}

/* The first pointer of a sudog refers to its goroutine. */
static void goplumbing_add_waits(struct goplumbing_finding *f)
{
	for (uint32_t i = 0; f->waits && i < f->waits->sudog_count; i++) {
		struct ids ids = heap_references(f->heap, f->waits->sudogs[i]);
		uint64_t thread = UINT32_MAX;
		if (ids.count && map_get(&f->goroutines, ids.id[0], &thread))
			goplumbing_add(f, f->waits->sudogs[i], (uint32_t)thread);
	}
}

static void goplumbing_add_os_threads(struct goplumbing_finding *f)
{
	for (size_t i = 0; i < f->variables->threads.count; i++)
		goplumbing_add(f, f->variables->threads.id[i], UINT32_MAX);
	for (uint32_t i = 0; i < f->heap->os_thread_count; i++)
		goplumbing_add(f, heap_find(f->heap, f->heap->os_threads[i].address), UINT32_MAX);
}

static void goplumbing_add_processors(struct goplumbing_finding *f)
{
	const struct gotimers *timers = f->plumbing->timers;
	for (size_t i = 0; i < f->variables->processors.count; i++)
		goplumbing_add(f, f->variables->processors.id[i], UINT32_MAX);
	for (size_t i = 0; i < timers->owners.count; i++)
		goplumbing_add(f, timers->owners.id[i], UINT32_MAX);
}

static void goplumbing_add_heaps(struct goplumbing_finding *f)
{
	const struct gotimers *timers = f->plumbing->timers;
	for (size_t i = 0; i < timers->heaps.count; i++)
		goplumbing_add(f, timers->heaps.id[i], UINT32_MAX);
}

/* Table of structures: `add` finds all of a kind, with the goroutine that each belongs to.
   References to them are ignored in the search for owners. */
static const struct {
	const char *name;
	void (*add)(struct goplumbing_finding *f);
} goplumbing_kinds[GOPLUMBING_KINDS] = {
	[GOPLUMBING_THREAD] = {NULL, goplumbing_add_threads},
	[GOPLUMBING_WAIT] = {NULL, goplumbing_add_waits},
	[GOPLUMBING_OS_THREAD] = {"threads (runtime.m)", goplumbing_add_os_threads},
	[GOPLUMBING_PROCESSOR] = {"processors (runtime.p)", goplumbing_add_processors},
	[GOPLUMBING_HEAP] = {"heaps of timers", goplumbing_add_heaps},
};

const char *goplumbing_name(enum goplumbing_kind kind)
{
	return goplumbing_kinds[kind].name;
}

struct goplumbing *goplumbing_new(const struct heap *heap, const struct gowaits *waits,
                                  const struct runtime_variables *variables)
{
	struct goplumbing *plumbing = mem_alloc(sizeof *plumbing);
	struct goplumbing_finding f = {
		.heap = heap, .waits = waits, .variables = variables, .plumbing = plumbing};
	plumbing->bits = mem_alloc((heap_object_count(heap) / 64 + 1) * sizeof *plumbing->bits);
	plumbing->timers = gotimers_new(heap);
	for (f.kind = 0; f.kind < GOPLUMBING_KINDS; f.kind++)
		goplumbing_kinds[f.kind].add(&f);
	bound_sort(plumbing->part, plumbing->count, BOUND_BY(struct goplumbing_part, object));
	map_free(&f.goroutines);
	return plumbing;
}

void goplumbing_free(struct goplumbing *plumbing)
{
	if (!plumbing)
		return;
	gotimers_free(plumbing->timers);
	free(plumbing->part);
	free(plumbing->bits);
	free(plumbing);
}
