#include "go/runtime/gowait.h"

#include "base/mem.h"
#include "go/runtime/size_class.h"
#include "gowait_coroutine.h"
#include "gowait_queues.h"
#include "gowait_reason.h"
#include "heap/edges.h"
#include "heap/heap.h"
#include "heap/pointer_walk.h"

#include <stdlib.h>
#include <string.h>

enum {
	G_WORDS = 64,       /* more than runtime.g has */
	SUDOG_SIZES = 4,    /* number of size classes of sudogs */
	SAMPLES = 64,       /* goroutines sampled to choose a layout */
	CASES_MOST = 65536, /* limit of the compiler for a select */
	FRAMES_MOST = 16
};

struct gowait_finding {
	const struct heap *heap;
	unsigned width;
	struct map goroutines; /* g -> index */
	struct gowait_objects {
		/* range of the objects of goroutines; first > last: some are outside of the heap */
		uint32_t first, last;
	} objects;
	unsigned waiting; /* word of g that refers to its first sudog; 0: not known */
	struct gowait_queues queues;
	struct gowaits *waits;
	size_t case_capacity, sudog_capacity;
	uint64_t sizes[SUDOG_SIZES];
	unsigned size_count;
};

/* ---- g.waiting */

/* Returns the n-th word of a goroutine's record. */
static uint64_t gowait_g_word(const struct gowait_finding *f, const struct object_record *g,
                              unsigned n)
{
	uint64_t at = (uint64_t)n * f->width;
	return at + f->width <= g->stored - g->header ? heap_word(f->heap, g->data + g->header + at)
	                                              : 0;
}

/* Returns the size of the object at an address if its first word is g, or 0. */
static uint64_t gowait_is_of(const struct gowait_finding *f, uint64_t address, uint64_t g)
{
	struct object_record record;
	uint32_t id;
	if (address == g || !gosudog_object(f->heap, address, &record, &id)
	    || record.stored - record.header < f->width)
		return 0;
	bool is = heap_word(f->heap, record.data + record.header) == g;
	return is ? heap_size(f->heap, id) : 0;
}

static void gowait_add_size(struct gowait_finding *f, uint64_t size)
{
	for (unsigned i = 0; i < f->size_count; i++)
		if (f->sizes[i] == size)
			return;
	if (f->size_count < SUDOG_SIZES)
		f->sizes[f->size_count++] = size;
}

/* Finds the word of g that refers to its sudogs: the one that does most often in goroutines that
   wait for channels. No other word of g refers to an object that refers back. */
static void gowait_find_waiting(struct gowait_finding *f)
{
	const struct heap *heap = f->heap;
	uint32_t votes[G_WORDS] = {0}, samples = 0;
	for (uint32_t i = 0; i < heap->thread_count && samples < SAMPLES; i++) {
		const struct thread *g = &heap->threads[i];
		enum gowait_kind kind = gowait_reason_kind(g);
		struct object_record record;
		uint32_t id;
		if ((kind != GOWAIT_CHANNEL && kind != GOWAIT_SELECT)
		    || !gosudog_object(heap, g->record.address, &record, &id))
			continue;
		samples++;
		for (unsigned n = 2; n < G_WORDS; n++) {
			uint64_t size = gowait_is_of(f, gowait_g_word(f, &record, n), g->record.address);
			votes[n] += size > 0;
			if (size)
				gowait_add_size(f, size);
		}
	}
	for (unsigned n = 2; n < G_WORDS; n++)
		if (votes[n] > (f->waiting ? votes[f->waiting] : 0))
			f->waiting = n;
}

static uint64_t gowait_first_sudog(const struct gowait_finding *f, const struct thread *g)
{
	struct object_record record;
	uint32_t id;
	if (!f->waiting || !gosudog_object(f->heap, g->record.address, &record, &id))
		return 0;
	uint64_t sudog = gowait_g_word(f, &record, f->waiting);
	return gowait_is_of(f, sudog, g->record.address) ? sudog : 0;
}

/* ---- Channels */

/* Up to Go 1.6 a sudog does not refer to its channel: collects candidates from the innermost
   frames. */
static void gowait_add_frames(struct gowait_finding *f, const struct thread *g)
{
	for (uint32_t i = 0; i < g->frames && i < FRAMES_MOST; i++) {
		const struct frame_record *frame = &f->heap->frames[g->first_frame + i].record;
		struct pointer_walk walk;
		struct pointer pointer;
		pointer_walk_frame(&walk, f->heap, frame);
		while (pointer_walk_next(&walk, &pointer))
			gowait_queues_add(&f->queues, pointer.value);
		if (frame->function.len < 8 || memcmp(frame->function.data, "runtime.", 8) != 0)
			return;
	}
}

static void gowait_add_case(struct gowait_finding *f, uint32_t channel, bool sends)
{
	struct gowaits *waits = f->waits;
	waits->cases =
		mem_grow(waits->cases, waits->case_count, &f->case_capacity, sizeof *waits->cases);
	waits->cases[waits->case_count++] = (struct gowait_case){
		.channel = heap_address(f->heap, channel), .object = channel, .sends = sends};
}

/* Collects the channels of a goroutine's sudogs. Returns false if a sudog is in no queue. */
static bool gowait_find_cases(struct gowait_finding *f, const struct thread *g, struct gowait *wait)
{
	uint64_t at = gowait_first_sudog(f, g);
	size_t before = f->waits->case_count;
	struct gosudog sudog;
	wait->first = (uint32_t)before;
	if (at && !f->queues.says_channel)
		gowait_add_frames(f, g);
	while (at && wait->cases < CASES_MOST && gosudog_read(f->heap, &f->queues.sudog, at, &sudog)
	       && sudog.g == g->record.address) {
		uint32_t channel;
		bool sends;
		if (f->queues.says_channel)
			gowait_queues_add(&f->queues, sudog.channel);
		if (!gowait_queues_find(&f->queues, at, &channel, &sends))
			break;
		gowait_add_case(f, channel, sends);
		wait->cases++;
		at = sudog.wait_link;
	}
	if (at || !wait->cases) {
		f->waits->case_count = before;
		wait->cases = 0;
	}
	return wait->cases > 0;
}

/* Chooses the layout with which most of the sampled goroutines are in queues; if none waits for a
   channel, by the version. */
static void gowait_choose_layout(struct gowait_finding *f)
{
	unsigned best = 0, most = 0, minor = record_minor_version(f->heap->params.version);
	while (best + 1 < GOSUDOG_LAYOUTS && gosudog_minors[best + 1] <= minor)
		best++;
	for (unsigned n = 0; n < GOSUDOG_LAYOUTS; n++) {
		unsigned found = 0, samples = 0;
		gowait_queues_init(&f->queues, f->heap, &f->goroutines, gosudog_minors[n]);
		for (uint32_t i = 0; i < f->heap->thread_count && samples < SAMPLES; i++) {
			const struct thread *g = &f->heap->threads[i];
			struct gowait wait = {0};
			enum gowait_kind kind = gowait_reason_kind(g);
			if (kind != GOWAIT_CHANNEL && kind != GOWAIT_SELECT)
				continue;
			samples++;
			found += gowait_find_cases(f, g, &wait);
		}
		best = found > most ? n : best;
		most = found > most ? found : most;
		f->waits->case_count = 0;
		gowait_queues_fini(&f->queues);
	}
	gowait_queues_init(&f->queues, f->heap, &f->goroutines, gosudog_minors[best]);
}

/* ---- Semaphores */

/* A sudog used for a semaphore has the address of its word; the runtime clears it afterwards. */
static void gowait_take_semaphore(struct gowait_finding *f, uint64_t address)
{
	struct gosudog sudog;
	uint64_t index;
	if (!gosudog_read(f->heap, &f->queues.sudog, address, &sudog) || sudog.channel || !sudog.elem
	    || !map_get(&f->goroutines, sudog.g, &index))
		return;
	struct gowait *wait = &f->waits->of[index];
	if (wait->kind != GOWAIT_SEMAPHORE && wait->kind != GOWAIT_CONDITION)
		return;
	wait->known = !wait->address || wait->address == sudog.elem; /* not two different ones */
	wait->address = sudog.elem;
}

static bool gowait_is_sudog_size(const struct gowait_finding *f, uint64_t size)
{
	for (unsigned i = 0; i < f->size_count; i++)
		if (f->sizes[i] == size)
			return true;
	return !f->size_count && size_class_fits(size, f->queues.sudog.size);
}

/* Returns false quickly for most objects: the first pointer of a sudog refers to a goroutine. */
static bool gowait_may_be_sudog(const struct gowait_finding *f, struct edges edges, uint32_t id)
{
	struct ids ids = edges_of(edges, id);
	return f->objects.first > f->objects.last
	       || (ids.count && ids.id[0] >= f->objects.first && ids.id[0] <= f->objects.last);
}

static void gowait_scan_run(struct gowait_finding *f, const struct objects_run_view *run)
{
	struct gowaits *waits = f->waits;
	struct object_reader reader = {.heap = f->heap};
	struct edges edges = heap_edges(f->heap);
	for (uint32_t id = run->first; id < run->first + run->count; id++) {
		struct object_record record;
		uint64_t index;
		if (!gowait_may_be_sudog(f, edges, id) || !object_reader_read(&reader, id, &record)
		    || record.stored < record.header + f->width
		    || !map_get(&f->goroutines, heap_word(f->heap, record.data + record.header), &index))
			continue;
		MEM_PUSH(waits->sudogs, waits->sudog_count, f->sudog_capacity, id);
		gowait_take_semaphore(f, heap_address(f->heap, id));
	}
}

static void gowait_scan(struct gowait_finding *f)
{
	struct objects_run_view run;
	size_t runs = objects_run_count(f->heap->objects);
	for (size_t i = 0; i < runs; i++) {
		objects_run(f->heap->objects, i, &run);
		if (gowait_is_sudog_size(f, run.size))
			gowait_scan_run(f, &run);
	}
}

/* ---- Conditions: sync.Cond has an interface and a notifyList: two 32-bit counters, a lock, the
   first and the last sudog */

static void gowait_take_list(struct gowait_finding *f, uint64_t list)
{
	struct gomemory_piece piece;
	struct gosudog sudog;
	uint64_t seen, index;
	if (map_get(&f->queues.looked_at, list, &seen) || !gomemory_piece(f->heap, list, &piece))
		return;
	const uint8_t *data = gomemory_in_piece(&piece, list, 8 + 3 * (uint64_t)f->width);
	uint64_t at = data ? heap_word(f->heap, data + 8 + f->width) : 0;
	map_put(&f->queues.looked_at, list, 1);
	for (uint32_t left = f->waits->sudog_count;
	     at && left && gosudog_read(f->heap, &f->queues.sudog, at, &sudog)
	     && map_get(&f->goroutines, sudog.g, &index);
	     at = sudog.next, left--) {
		struct gowait *wait = &f->waits->of[index];
		if (wait->kind == GOWAIT_CONDITION) {
			wait->known = true;
			wait->address = list;
		}
	}
}

static void gowait_find_condition(struct gowait_finding *f, const struct thread *g)
{
	for (uint32_t i = 0; i < g->frames && i < FRAMES_MOST; i++) {
		struct pointer_walk walk;
		struct pointer pointer;
		pointer_walk_frame(&walk, f->heap, &f->heap->frames[g->first_frame + i].record);
		while (pointer_walk_next(&walk, &pointer)) {
			gowait_take_list(f, pointer.value);
			gowait_take_list(f, pointer.value + 2 * (uint64_t)f->width);
		}
	}
}

/* ---- Entry points */

static struct gowait_objects gowait_find_objects(const struct heap *heap)
{
	const struct gowait_objects unknown = {1, 0};
	struct gowait_objects all = {UINT32_MAX, 0};
	for (uint32_t i = 0; i < heap->thread_count; i++) {
		uint32_t id = heap_find(heap, heap->threads[i].record.address);
		if (id == OBJECT_NONE)
			return unknown;
		all.first = id < all.first ? id : all.first;
		all.last = id > all.last ? id : all.last;
	}
	return all;
}

static void gowait_find_all(struct gowait_finding *f)
{
	const struct heap *heap = f->heap;
	for (uint32_t i = 0; i < heap->thread_count; i++) {
		const struct thread *g = &heap->threads[i];
		struct gowait *wait = &f->waits->of[i];
		if (wait->kind == GOWAIT_CHANNEL || wait->kind == GOWAIT_SELECT)
			wait->known = gowait_find_cases(f, g, wait);
		else if (wait->kind == GOWAIT_CONDITION && !wait->known)
			gowait_find_condition(f, g);
		else if (wait->kind == GOWAIT_COROUTINE) {
			wait->address = gowait_coroutine(heap, g);
			wait->known = wait->address;
		}
	}
}

struct gowaits *gowaits_new(const struct heap *heap)
{
	struct gowaits *waits = mem_alloc(sizeof *waits);
	struct gowait_finding f = {
		.heap = heap, .width = heap->params.layout.pointer_size, .waits = waits};
	if (!heap->thread_count)
		return waits;
	waits->of = mem_alloc(heap->thread_count * sizeof *waits->of);
	for (uint32_t i = 0; i < heap->thread_count; i++) {
		const struct thread *g = &heap->threads[i];
		enum gowait_kind kind = gowait_reason_kind(g);
		waits->of[i] = (struct gowait){.kind = kind,
		                               .known = kind == GOWAIT_NONE ? gowait_reason_is_outside(g)
		                                                            : kind == GOWAIT_FOREVER};
		map_put(&f.goroutines, g->record.address, i);
	}
	f.objects = gowait_find_objects(heap);
	gowait_find_waiting(&f);
	gowait_choose_layout(&f);
	gowait_scan(&f);
	gowait_find_all(&f);
	gowait_queues_fini(&f.queues);
	map_free(&f.goroutines);
	return waits;
}

void gowaits_free(struct gowaits *waits)
{
	if (!waits)
		return;
	free(waits->of);
	free(waits->cases);
	free(waits->sudogs);
	free(waits);
}
