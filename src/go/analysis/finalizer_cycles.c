/* Tarjan's algorithm for strongly connected components, on the objects that objects with finalizers
   reach, with an explicit stack instead of recursion. A component is finished after its successors,
   so that the longest chain of finalizers is known, too. */
#include "go/analysis/finalizer_cycles.h"
#include "cleanups.h"

#include "base/bits.h"
#include "base/map.h"
#include "base/mem.h"
#include "heap/edges.h"
#include "heap/heap.h"
#include "heap/object_ids.h"
#include "heap/root.h"

#include <stdlib.h>

enum { STEP = 1 << 14 };
#define FINISHED UINT32_MAX

struct finalizer_step {
	uint32_t object;
	size_t next; /* index of the next reference; the last one is the closure of its finalizer */
};

struct finalizer_search {
	const struct reach *reach;
	const struct heap *heap;
	struct edges edges;
	struct map finalizers; /* object -> index of its finalizer */
	uint64_t *has;         /* bits by object: has a finalizer */
	struct cleanups cleanups;
	uint64_t *cyclic; /* bits by object: on a cycle */
	uint32_t *index;  /* by object: preorder number, from 1; FINISHED */
	uint32_t *low;    /* by object: the lowest index that it reaches; then its component */
	uint32_t *chain;  /* by finished object */
	struct finalizer_step *stack;
	uint32_t *open; /* objects whose component is not finished */
	size_t stack_count, stack_capacity, open_count, open_capacity;
	uint32_t visited;
	/* For retained sizes of cycles */
	uint64_t *seen;
	uint32_t *queue, *holder;
	uint32_t head, tail;
};

/* ---- Successors of an object */

/* Stores the n-th successor of an object; OBJECT_NONE: skip this one. False: there are no more. */
static bool finalizer_next(const struct finalizer_search *s, uint32_t object, size_t n,
                           uint32_t *to)
{
	struct ids ids = edges_of(s->edges, object);
	uint64_t finalizer;
	*to = n < ids.count ? ids.id[n] : OBJECT_NONE;
	if (n < ids.count)
		return true;
	if (n == ids.count) {
		if (word_bit_is_set(s->has, object) && map_get(&s->finalizers, object, &finalizer))
			*to = heap_find(s->heap, s->heap->finalizers[finalizer].function);
		return true;
	}
	const struct cleanup *cleanup = cleanups_of(&s->cleanups, object, n - ids.count - 1);
	if (cleanup)
		*to = cleanup->target;
	return cleanup;
}

/* Returns true if the cleanup's object is reachable from what the cleanup references: both are then
   in one component. */
static bool finalizer_cleanup_is_cyclic(const struct finalizer_search *s,
                                        const struct cleanup *cleanup)
{
	return s->low[cleanup->target] == s->low[cleanup->object];
}

/* ---- Components */

static void finalizer_enter(struct finalizer_search *s, uint32_t object)
{
	s->index[object] = s->low[object] = ++s->visited;
	MEM_PUSH(s->stack, s->stack_count, s->stack_capacity, (struct finalizer_step){object, 0});
	MEM_PUSH(s->open, s->open_count, s->open_capacity, object);
}

static void finalizer_lower(struct finalizer_search *s, uint32_t object, uint32_t low)
{
	if (low < s->low[object])
		s->low[object] = low;
}

/* Returns the longest chain of finalizers among the successors of a component. */
static uint32_t finalizer_chain_behind(const struct finalizer_search *s, const uint32_t *member,
                                       size_t count)
{
	uint32_t chain = 0, to;
	for (size_t i = 0; i < count; i++)
		for (size_t n = 0; finalizer_next(s, member[i], n, &to); n++)
			if (to != OBJECT_NONE && s->index[to] == FINISHED && s->chain[to] > chain)
				chain = s->chain[to];
	return chain;
}

/* Finishes the component of `object`: it and all above it on the open stack. */
static void finalizer_finish(struct finalizer_search *s, uint32_t object)
{
	size_t first = s->open_count;
	bool has = false;
	while (s->open[--first] != object)
		;
	size_t count = s->open_count - first;
	uint32_t chain = finalizer_chain_behind(s, s->open + first, count);
	for (size_t i = first; i < s->open_count; i++)
		has |= word_bit_is_set(s->has, s->open[i]);
	for (size_t i = first; i < s->open_count; i++) {
		uint32_t member = s->open[i];
		s->index[member] = FINISHED;
		s->low[member] = object;
		s->chain[member] = chain + has;
		if (count > 1)
			word_bit_set(s->cyclic, member);
	}
	s->open_count = first;
}

static bool finalizer_visit(struct finalizer_search *s, uint32_t object, struct progress *progress)
{
	uint64_t steps = 0;
	uint32_t to;
	finalizer_enter(s, object);
	while (s->stack_count > 0) {
		struct finalizer_step *at = &s->stack[s->stack_count - 1];
		uint32_t from = at->object;
		if (finalizer_next(s, from, at->next++, &to)) {
			if (to != OBJECT_NONE && !s->index[to])
				finalizer_enter(s, to);
			else if (to != OBJECT_NONE && s->index[to] != FINISHED)
				finalizer_lower(s, from, s->index[to]);
			continue;
		}
		s->stack_count--;
		if (s->low[from] == s->index[from])
			finalizer_finish(s, from);
		else
			finalizer_lower(s, s->stack[s->stack_count - 1].object, s->low[from]);
		if (++steps % STEP == 0 && !progress_step(progress, s->visited))
			return false;
	}
	return true;
}

/* Marks objects that their own finalizer keeps alive, by a pointer that they have to themselves.
   Not every such pointer does: see the roots of finalizers. */
static void finalizer_mark_own(struct finalizer_search *s)
{
	const struct heap *heap = s->heap;
	for (uint32_t i = heap->root_kind_first[ROOT_FINALIZER];
	     i < heap->root_kind_first[ROOT_FINALIZER + 1]; i++) {
		uint32_t object = heap_find(heap, heap->finalizers[heap->roots[i].holder].object);
		if (object == heap->roots[i].target)
			word_bit_set(s->cyclic, object);
	}
}

static bool finalizer_visit_all(struct finalizer_search *s, struct progress *progress)
{
	progress_begin(progress, "following references from finalizers", s->reach->objects);
	for (uint32_t i = 0; i < s->heap->finalizer_count; i++) {
		const struct finalizer_record *finalizer = &s->heap->finalizers[i];
		uint32_t object = heap_find(s->heap, finalizer->object);
		if (!finalizer->queued && object != OBJECT_NONE && word_bit_add(s->has, object))
			map_put(&s->finalizers, object, i);
	}
	finalizer_mark_own(s);
	for (uint32_t i = 0; i < s->heap->finalizer_count; i++) {
		uint32_t object = heap_find(s->heap, s->heap->finalizers[i].object);
		if (object != OBJECT_NONE && word_bit_is_set(s->has, object) && !s->index[object]
		    && !finalizer_visit(s, object, progress))
			return false;
	}
	for (size_t i = 0; i < s->cleanups.count; i++)
		if (!s->index[s->cleanups.item[i].object]
		    && !finalizer_visit(s, s->cleanups.item[i].object, progress))
			return false;
	return true;
}

/* ---- Retained sizes */

#define NOBODY  UINT32_MAX
#define SEVERAL (UINT32_MAX - 1)

static void finalizer_mark(struct finalizer_search *s, uint32_t object)
{
	if (word_bit_add(s->seen, object))
		s->queue[s->tail++] = object;
}

static bool finalizer_is_cycle_root(const struct finalizer_search *s, const struct root *root)
{
	if (root->kind == ROOT_CLEANUP) {
		const struct otherroot_record *record = &s->heap->otherroots[root->holder];
		const struct cleanup cleanup = {
			.object = record->object ? heap_find(s->heap, record->object) : OBJECT_NONE,
			.target = root->target};
		return cleanup.object != OBJECT_NONE && finalizer_cleanup_is_cyclic(s, &cleanup);
	}
	if (root->kind != ROOT_FINALIZER)
		return false;
	uint32_t object = heap_find(s->heap, s->heap->finalizers[root->holder].object);
	return object != OBJECT_NONE && word_bit_is_set(s->cyclic, object);
}

/* Marks all that stays alive without the cycles. */
static bool finalizer_mark_others(struct finalizer_search *s, struct progress *progress)
{
	progress_begin(progress, "finding what they keep alive", s->reach->objects);
	for (uint32_t i = 0; i < s->heap->root_count; i++)
		if (root_retains(&s->heap->roots[i]) && !finalizer_is_cycle_root(s, &s->heap->roots[i]))
			finalizer_mark(s, s->heap->roots[i].target);
	for (; s->head < s->tail; s->head++) {
		struct ids ids = edges_of(s->edges, s->queue[s->head]);
		for (size_t i = 0; i < ids.count; i++)
			finalizer_mark(s, ids.id[i]);
		if (s->head % STEP == 0 && !progress_step(progress, s->head))
			return false;
	}
	return true;
}

/* Assigns an object that only cycles reach to this cycle, or to several: each is queued at most
   twice. */
static void finalizer_take(struct finalizer_search *s, uint32_t object, uint32_t cycle)
{
	uint32_t holder = s->holder[object];
	if (word_bit_is_set(s->seen, object) || holder == cycle || holder == SEVERAL)
		return;
	s->holder[object] = holder == NOBODY ? cycle : SEVERAL;
	s->queue[s->tail++] = object;
}

static void finalizer_take_all(struct finalizer_search *s, const struct finalizer_cycle *item)
{
	uint32_t to;
	s->head = s->tail = 0;
	for (size_t n = 0; finalizer_next(s, item->object, n, &to); n++)
		if (to != OBJECT_NONE)
			finalizer_take(s, to, item->cycle);
	for (; s->head < s->tail; s->head++) {
		struct ids ids = edges_of(s->edges, s->queue[s->head]);
		for (size_t i = 0; i < ids.count; i++)
			finalizer_take(s, ids.id[i], item->cycle);
	}
}

/* Sums up sizes by component. */
static void finalizer_add_bytes(struct finalizer_cycles *cycles, const struct finalizer_search *s)
{
	SCOPED_FREE uint64_t *bytes = mem_alloc(cycles->cycles * sizeof *bytes);
	struct map first = {0}; /* component -> the first of its finalizers in item[] */
	uint64_t at;
	for (uint32_t i = 0; i < cycles->cycles; i++)
		map_add(&first, cycles->item[i].cycle, &(uint64_t){i});
	for (uint32_t id = 0; id < heap_object_count(s->heap); id++) {
		if (s->holder[id] == NOBODY)
			continue;
		uint64_t size = heap_size(s->heap, id);
		cycles->bytes += size;
		if (s->holder[id] != SEVERAL && map_get(&first, s->holder[id], &at))
			bytes[at] += size;
	}
	for (uint32_t i = 0; i < cycles->cycles; i++)
		if (map_get(&first, cycles->item[i].cycle, &at))
			cycles->item[i].bytes = bytes[at];
	map_free(&first);
}

static bool finalizer_hold(struct finalizer_cycles *cycles, struct finalizer_search *s,
                           struct progress *progress)
{
	uint32_t objects = heap_object_count(s->heap);
	size_t bits = (objects / 64 + 1) * sizeof *s->seen, size = objects * sizeof *s->queue;
	s->seen = mem_column(bits);
	s->queue = mem_column(size);
	s->holder = mem_column(size);
	for (uint32_t id = 0; id < objects; id++)
		s->holder[id] = NOBODY;
	bool done = finalizer_mark_others(s, progress);
	for (uint32_t i = 0; done && i < cycles->cycles; i++)
		finalizer_take_all(s, &cycles->item[i]);
	if (done)
		finalizer_add_bytes(cycles, s);
	mem_column_free(s->seen, bits);
	mem_column_free(s->queue, size);
	mem_column_free(s->holder, size);
	return done;
}

/* ---- */

static int finalizer_in_order(const void *a, const void *b)
{
	const struct finalizer_cycle *x = a, *y = b;
	bool first = x->cycle != OBJECT_NONE, second = y->cycle != OBJECT_NONE;
	if (first != second)
		return first ? -1 : 1;
	return x->object < y->object ? -1 : x->object > y->object;
}

static void finalizer_list(struct finalizer_cycles *cycles, const struct finalizer_search *s)
{
	cycles->item = mem_alloc((s->heap->finalizer_count + s->cleanups.count) * sizeof *cycles->item);
	for (uint32_t i = 0; i < s->heap->finalizer_count; i++) {
		uint32_t object = heap_find(s->heap, s->heap->finalizers[i].object);
		uint64_t of;
		if (object == OBJECT_NONE || !map_get(&s->finalizers, object, &of) || of != i)
			continue;
		bool cyclic = word_bit_is_set(s->cyclic, object);
		if (!cyclic && s->chain[object] < 2)
			continue;
		cycles->cycles += cyclic;
		cycles->item[cycles->count++] = (struct finalizer_cycle){
			.finalizer = i,
			.object = object,
			.cycle = cyclic ? s->low[object] : OBJECT_NONE,
			.chain = s->chain[object],
		};
	}
	for (size_t i = 0; i < s->cleanups.count; i++) {
		const struct cleanup *cleanup = &s->cleanups.item[i];
		const struct finalizer_cycle *last = cycles->count ? &cycles->item[cycles->count - 1]
		                                                   : NULL;
		if (!finalizer_cleanup_is_cyclic(s, cleanup)
		    || (last && last->finalizer == OBJECT_NONE && last->cleanup == cleanup->first))
			continue;
		cycles->cycles++;
		cycles->cleanups++;
		cycles->item[cycles->count++] = (struct finalizer_cycle){
			.finalizer = OBJECT_NONE,
			.cleanup = cleanup->first,
			.object = cleanup->object,
			.cycle = s->low[cleanup->object],
			.chain = s->chain[cleanup->object],
		};
	}
	if (cycles->count)
		qsort(cycles->item, cycles->count, sizeof *cycles->item, finalizer_in_order);
}

static bool finalizer_find(struct finalizer_cycles *cycles, struct finalizer_search *s,
                           struct progress *progress)
{
	uint32_t objects = heap_object_count(s->heap);
	size_t bits = (objects / 64 + 1) * sizeof *s->has, size = objects * sizeof *s->index;
	s->edges = heap_edges(s->heap);
	s->has = mem_column(bits);
	s->cyclic = mem_column(bits);
	s->index = mem_column(size);
	s->low = mem_column(size);
	s->chain = mem_column(size);
	s->cleanups = cleanups_find(s->heap);
	bool done = finalizer_visit_all(s, progress);
	if (done)
		finalizer_list(cycles, s);
	if (done && cycles->cycles)
		done = finalizer_hold(cycles, s, progress);
	mem_column_free(s->has, bits);
	mem_column_free(s->cyclic, bits);
	mem_column_free(s->index, size);
	mem_column_free(s->low, size);
	mem_column_free(s->chain, size);
	map_free(&s->finalizers);
	free(s->cleanups.item);
	free(s->stack);
	free(s->open);
	return done;
}

struct finalizer_cycles *finalizer_cycles_new(const struct reach *reach, struct progress *progress)
{
	struct finalizer_cycles *cycles = mem_alloc(sizeof *cycles);
	struct finalizer_search search = {.reach = reach, .heap = reach->heap};
	uint32_t others = reach->heap->otherroot_count;
	if ((!reach->heap->finalizer_count && !others) || finalizer_find(cycles, &search, progress))
		return cycles;
	finalizer_cycles_free(cycles);
	return NULL;
}

void finalizer_cycles_free(struct finalizer_cycles *cycles)
{
	if (!cycles)
		return;
	free(cycles->item);
	free(cycles);
}
