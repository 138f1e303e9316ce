/* Two breadth-first searches over the heap. The first finds goroutines that can wake up: it begins
   at all roots except the stacks of waiting goroutines, and ignores the runtime's records of
   goroutines, which connect everything. The second begins at the stacks of all goroutines that are
   not lost: only lost goroutines reach what it does not visit. */
#include "go/analysis/lost.h"

#include "base/bound.h"
#include "base/mem.h"
#include "heap/heap.h"
#include "heap/root.h"
#include "lost_asleep.h"
#include "lost_waits.h"

#include <stdlib.h>

enum { STEP = 1 << 14 };

/* A pair: `goroutine` waits for `object`. */
struct awaited {
	uint32_t object, thread;
};

struct lost_search {
	const struct reach *reach;
	const struct heap *heap;
	const struct lost_waits *waits;
	struct lost_asleep asleep;
	struct lost_alarms alarms;
	bool *is_lost;        /* by goroutine; at first all candidates */
	uint32_t candidates;  /* how many of them are left: without any, the first search ends */
	uint64_t *awaited_by; /* bits by object: some goroutine waits for it */
	struct awaited *awaited;
	uint64_t *seen, *closed; /* bits by object: visited; not followed */
	uint32_t *queue, head, tail;
	uint32_t *holder; /* by object that only lost goroutines reach: which one, SEVERAL, or NOBODY */
	uint32_t current; /* the goroutine that is followed */
};

static void lost_visit(struct lost_search *s, uint32_t id)
{
	if (word_bit_is_set(s->seen, id))
		return;
	word_bit_set(s->seen, id);
	s->queue[s->tail++] = id;
}

/* ---- Roots of one goroutine */

typedef void lost_root(struct lost_search *s, uint32_t object);

static void each_root(struct lost_search *s, uint32_t g, lost_root *each)
{
	static const enum root_kind calls[] = {ROOT_DEFER, ROOT_PANIC};
	const struct heap *heap = s->heap;
	const struct thread *thread = &heap->threads[g];
	for (uint32_t f = thread->first_frame; f < thread->first_frame + thread->frames; f++)
		for (uint32_t r = 0; r < heap->frames[f].roots; r++) {
			const struct root *root = &heap->roots[heap->frames[f].first_root + r];
			if (!(root->flags & ROOT_UNLIKELY))
				each(s, root->target);
		}
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		for (uint32_t r = roots_behind(heap, calls[i], g + 1),
		              end = roots_behind(heap, calls[i], g + 2);
		     r < end; r++)
			each(s, heap->roots[r].target);
}

/* Returns the goroutine whose stack a root is in; UINT32_MAX: none. */
static uint32_t root_goroutine(const struct heap *heap, const struct root *root)
{
	switch (root->kind) {
	case ROOT_FRAME:
		return heap->frames[root->holder].thread;
	case ROOT_DEFER:
		return heap->defers[root->holder].behind - 1;
	case ROOT_PANIC:
		return heap->panics[root->holder].behind - 1;
	default:
		return UINT32_MAX;
	}
}

static void visit_other_roots(struct lost_search *s)
{
	for (uint32_t r = 0; r < s->heap->root_count; r++) {
		const struct root *root = &s->heap->roots[r];
		uint32_t g = root_goroutine(s->heap, root);
		if (root_retains(root) && !(root->flags & ROOT_UNLIKELY)
		    && (g == UINT32_MAX || !s->is_lost[g]))
			lost_visit(s, root->target);
	}
}

/* ---- Goroutines that can wake up */

/* Marks the goroutines that wait for a visited object as alive, and visits their stacks. */
static void wake_waiters(struct lost_search *s, uint32_t id)
{
	size_t count = s->waits->count;
	size_t at = lower_bound(s->awaited, count, BOUND_BY(struct awaited, object), id);
	for (; at < count && s->awaited[at].object == id; at++) {
		uint32_t g = s->awaited[at].thread;
		if (s->is_lost[g]) {
			s->is_lost[g] = false;
			s->candidates--;
			each_root(s, g, lost_visit);
		}
	}
}

static bool lost_spread(struct lost_search *s, struct progress *progress)
{
	struct edges edges = heap_edges(s->heap);
	for (; s->head < s->tail && s->candidates; s->head++) {
		uint32_t id = s->queue[s->head];
		edges_ahead(edges, s->queue + s->head, s->tail - s->head);
		if (word_bit_is_set(s->awaited_by, id))
			wake_waiters(s, id);
		if (word_bit_is_set(s->closed, id))
			continue;
		struct ids ids = edges_of(edges, id);
		for (size_t i = 0; i < ids.count; i++)
			lost_visit(s, ids.id[i]);
		if (s->head % STEP == 0 && !progress_step(progress, s->head))
			return false;
	}
	return true;
}

/* If nothing of the program runs, the search begins at what timers and signals can wake. Whoever is
   woken runs, and reaches all variables. */
static bool lost_wake(struct lost_search *s, struct progress *progress)
{
	uint32_t candidates = s->candidates;
	if (s->asleep.state < LOST_ASLEEP_FOUND)
		return true;
	for (size_t i = 0; i < s->alarms.channel_count; i++) {
		uint32_t id = heap_find(s->heap, s->alarms.channels[i]);
		if (id != OBJECT_NONE)
			lost_visit(s, id);
	}
	for (uint32_t r = 0; s->alarms.signals && r < s->heap->root_count; r++) {
		const struct root *root = &s->heap->roots[r];
		if (root->address >= s->alarms.start && root->address < s->alarms.end)
			lost_visit(s, root->target);
	}
	bool done = lost_spread(s, progress);
	if (s->candidates < candidates)
		s->asleep = (struct lost_asleep){0};
	return done;
}

static bool lost_waits_in_program(const struct thread *g)
{
	return goroutine_status_waits(g->record.status) && !g->record.system;
}

/* Nothing is left that could wake a goroutine of the program. */
static void lost_all(struct lost_search *s)
{
	for (uint32_t g = 0; g < s->heap->thread_count; g++)
		s->is_lost[g] = lost_waits_in_program(&s->heap->threads[g]);
}

static uint32_t lost_count_waiting(const struct heap *heap)
{
	uint32_t count = 0;
	for (uint32_t g = 0; g < heap->thread_count; g++)
		count += lost_waits_in_program(&heap->threads[g]);
	return count;
}

ORDER_BY_TWO(by_object, struct awaited, object, thread);

static void list_awaited(struct lost_search *s)
{
	const struct lost_waits *w = s->waits;
	s->awaited = mem_alloc(w->count * sizeof *s->awaited);
	for (uint32_t g = 0; g < s->heap->thread_count; g++) {
		s->is_lost[g] = w->wait[g].kind != LOST_WAIT_NONE;
		s->candidates += s->is_lost[g];
		for (uint32_t i = w->wait[g].first; i < w->wait[g].first + w->wait[g].count; i++) {
			s->awaited[i] = (struct awaited){w->object[i], g};
			word_bit_set(s->awaited_by, w->object[i]);
		}
	}
	qsort(s->awaited, w->count, sizeof *s->awaited, by_object);
}

/* ---- What lost goroutines retain */

/* The second search, from all that is not lost. It follows everything except the records of lost
   goroutines. Goroutine 1 in an empty select counts as not lost here. */
static bool find_kept(struct lost_search *s, struct progress *progress)
{
	size_t bits = (heap_object_count(s->heap) / 64 + 1) * sizeof *s->seen;
	progress_begin(progress, "finding what they keep alive", s->reach->objects);
	s->closed = mem_alloc(bits);
	for (uint32_t g = 0; g < s->heap->thread_count; g++) {
		struct ids records = wait_records_of(&s->waits->records, g);
		for (size_t i = 0; s->is_lost[g] && i < records.count; i++)
			word_bit_set(s->closed, records.id[i]);
	}
	for (size_t i = 0; i < bits / sizeof *s->seen; i++)
		s->seen[i] = s->awaited_by[i] = 0;
	s->head = s->tail = 0;
	visit_other_roots(s);
	bool done = lost_spread(s, progress);
	free(s->closed);
	return done;
}

#define NOBODY  UINT32_MAX
#define SEVERAL (UINT32_MAX - 1)

/* Assigns an object that only lost goroutines reach to the current one, or to several, and queues
   it. */
static void lost_take(struct lost_search *s, uint32_t id)
{
	uint32_t holder = s->holder[id];
	if (word_bit_is_set(s->seen, id) || holder == s->current || holder == SEVERAL)
		return;
	s->holder[id] = holder == NOBODY ? s->current : SEVERAL;
	s->queue[s->tail++] = id;
}

static void take_references(struct lost_search *s, uint32_t id)
{
	struct ids ids = edges_of(heap_edges(s->heap), id);
	for (size_t i = 0; i < ids.count; i++)
		lost_take(s, ids.id[i]);
}

/* Visits what a lost goroutine reaches from its stack and from the runtime's records of it. */
static bool take_all(struct lost_search *s, uint32_t g, struct progress *progress)
{
	struct ids records = wait_records_of(&s->waits->records, g);
	s->head = s->tail = 0;
	each_root(s, g, lost_take);
	for (size_t i = 0; i < records.count; i++)
		take_references(s, records.id[i]);
	for (; s->head < s->tail; s->head++) {
		take_references(s, s->queue[s->head]);
		if (s->head % STEP == 0 && !progress_step(progress, s->head))
			return false;
	}
	return true;
}

static void add_bytes(struct lost *lost, const struct lost_search *s)
{
	struct objects_run_view run;
	for (size_t r = 0; r < objects_run_count(s->heap->objects); r++) {
		objects_run(s->heap->objects, r, &run);
		for (uint32_t id = run.first; id < run.first + run.count; id++) {
			uint32_t holder = s->holder[id];
			if (holder == NOBODY)
				continue;
			lost->objects++;
			lost->bytes += run.size;
			*(holder == SEVERAL ? &lost->shared_bytes : &lost->goroutine[holder].bytes) += run.size;
		}
	}
}

static bool share_out(struct lost *lost, struct lost_search *s, struct progress *progress)
{
	uint32_t objects = heap_object_count(s->heap);
	size_t size = objects * sizeof *s->holder;
	bool done = true;
	s->holder = mem_column(size);
	for (uint32_t id = 0; id < objects; id++)
		s->holder[id] = NOBODY;
	for (s->current = 0; done && s->current < lost->count; s->current++)
		done = take_all(s, lost->goroutine[s->current].thread, progress);
	add_bytes(lost, s);
	mem_column_free(s->holder, size);
	return done;
}

/* ---- Result */

static void list_lost(struct lost *lost, struct lost_search *s)
{
	uint32_t count = s->heap->thread_count;
	if (s->asleep.state == LOST_ASLEEP_SAID || s->asleep.state == LOST_ASLEEP_FOUND)
		lost_all(s);
	else if (s->waits->parked_main)
		s->is_lost[s->waits->parked_main - 1] = false;
	lost->goroutine = mem_alloc(count * sizeof *lost->goroutine);
	for (uint32_t g = 0; g < count; g++) {
		lost->waiting += !s->is_lost[g] && s->waits->wait[g].kind == LOST_WAIT_OBJECTS;
		if (!s->is_lost[g])
			continue;
		struct lost_goroutine *thread = &lost->goroutine[lost->count++];
		thread->thread = g;
		thread->wait = s->waits->wait[g];
		thread->stack_bytes = heap_thread_stack(s->heap, g).bytes;
		lost->stack_bytes += thread->stack_bytes;
	}
}

static bool lost_find(struct lost *lost, struct lost_search *s, struct progress *progress)
{
	size_t words = heap_object_count(s->heap) / 64 + 1;
	size_t size = heap_object_count(s->heap) * sizeof *s->queue;
	s->is_lost = mem_alloc(s->heap->thread_count * sizeof *s->is_lost);
	s->seen = mem_alloc(words * sizeof *s->seen);
	s->awaited_by = mem_alloc(words * sizeof *s->awaited_by);
	s->queue = mem_column_most(size);
	progress_begin(progress, "finding the goroutines that can wake up", s->reach->objects);
	list_awaited(s);
	s->closed = s->waits->record;
	bool done = lost_wake(s, progress);
	visit_other_roots(s);
	done = done && lost_spread(s, progress);
	list_lost(lost, s);
	if (done && lost->count)
		done = find_kept(s, progress) && share_out(lost, s, progress);
	mem_column_free(s->queue, size);
	free(s->awaited_by);
	free(s->seen);
	free(s->is_lost);
	free(s->awaited);
	return done;
}

struct lost *lost_new(const struct reach *reach, const struct gowaits *told,
                      struct progress *progress)
{
	struct lost *lost = mem_alloc(sizeof *lost);
	struct lost_waits waits;
	struct lost_search search = {.reach = reach, .heap = reach->heap, .waits = &waits};
	lost_waits_init(&waits, reach->heap, told);
	search.asleep = lost_asleep_find(reach, told, &search.alarms);
	bool done = lost_find(lost, &search, progress);
	lost->unknown = waits.unknown;
	lost->unknown_reasons = waits.unknown_reasons;
	lost->unknown_coroutines = waits.unknown_coroutines;
	lost->waiting += waits.outside;
	lost->main_parked = waits.parked_main;
	lost->asleep = search.asleep;
	if (lost->asleep.state != LOST_AWAKE) {
		lost->unknown = lost->unknown_reasons = lost->unknown_coroutines = lost->waiting = 0;
		lost->main_parked = false;
	}
	if (lost->asleep.state == LOST_ASLEEP_DOUBTED)
		lost->unknown = lost_count_waiting(reach->heap) - lost->count;
	lost->awaited = waits.object;
	lost->awaited_count = waits.count;
	waits.object = NULL;
	lost_waits_fini(&waits);
	if (done)
		return lost;
	lost_free(lost);
	return NULL;
}

void lost_free(struct lost *lost)
{
	if (!lost)
		return;
	free(lost->goroutine);
	free(lost->awaited);
	free(lost);
}
