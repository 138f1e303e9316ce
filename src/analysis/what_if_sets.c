/* One search for many sets: each object has a mask of the sets without which it is reachable. A
   mask only gains bits, so the search ends with the same masks in every order. */
#include "removals.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/ranks.h"
#include "base/text.h"
#include "heap/edges.h"
#include "heap/heap.h"
#include "heap/object_ids.h"
#include "heap/objects.h"

#include <stddef.h>
#include <stdlib.h>

enum { STEP = 1 << 14 };
/* The bit of a set without objects, which is there always. */
static const uint64_t sets_none = UINT64_C(1) << WHAT_IF_SETS;

/* Objects, roots or beginnings of references that are in sets. */
struct sets_members {
	struct ranks ranks;
	uint64_t *of; /* by rank: the sets that it is in */
};

struct what_if_sets {
	const struct heap *heap;
	uint64_t asked;             /* the sets, as bits */
	uint64_t *mask;             /* by object: the sets without which it is reachable */
	struct what_if *const *set; /* by bit */
	struct sets_members objects, roots, closed, from, stacks;
	uint64_t *page;   /* bits: what the page owns, for which nothing else counts; NULL: nothing */
	uint32_t *queue;  /* a ring of objects whose masks have changed, each at most once */
	uint64_t *queued; /* bits by object */
	uint32_t head, waiting;
	uint64_t visits;
};

/* Notes the sets that each member of one kind is in. `kind`: the offset of its struct what_if_ids
   in struct what_if. */
static void sets_members_take(struct sets_members *m, const struct what_if_sets *s, size_t count,
                              size_t limit, size_t kind)
{
	ranks_init(&m->ranks, limit);
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < count; i++) {
			const struct what_if_ids *ids = (const void *)((const char *)s->set[i] + kind);
			for (size_t k = 0; k < ids->count; k++)
				if (pass)
					m->of[ranks_at(&m->ranks, ids->id[k])] |= UINT64_C(1) << i;
				else
					word_bit_set(m->ranks.bits, ids->id[k]);
		}
		if (pass)
			break;
		ranks_count(&m->ranks);
		m->of = mem_alloc((m->ranks.count + 1) * sizeof *m->of);
	}
}

static void sets_members_fini(struct sets_members *m)
{
	ranks_fini(&m->ranks);
	free(m->of);
}

/* Returns the sets of a mask that do not have an object or a root. */
static uint64_t sets_without(const struct sets_members *m, uint32_t id, uint64_t mask)
{
	return ranks_has(&m->ranks, id) ? mask & ~m->of[ranks_at(&m->ranks, id)] : mask;
}

/* Returns the sets of a mask that do not have a reference. */
static uint64_t sets_without_reference(const struct what_if_sets *s, uint32_t from, uint32_t to,
                                       uint64_t mask)
{
	uint64_t have = ranks_has(&s->from.ranks, from) ? s->from.of[ranks_at(&s->from.ranks, from)]
	                                                : 0;
	for (; have; have &= have - 1) {
		const struct what_if *set = s->set[__builtin_ctzll(have)];
		for (size_t i = 0; i < set->from.count; i++)
			if (set->from.id[i] == from && set->to.id[i] == to)
				mask &= ~(have & -have);
	}
	return mask;
}

/* Adds sets without which an object is reachable. */
static void sets_visit(struct what_if_sets *s, uint32_t id, uint64_t mask)
{
	mask &= ~s->mask[id];
	mask = mask ? sets_without(&s->objects, id, mask) : 0;
	if (!mask || (s->page && word_bit_is_set(s->page, id)))
		return;
	s->mask[id] |= mask;
	if (word_bit_add(s->queued, id)) {
		uint64_t end = s->head + (uint64_t)s->waiting++;
		uint32_t objects = heap_object_count(s->heap);
		s->queue[end < objects ? end : end - objects] = id;
	}
}

/* Searches from the roots of the page, or from the others. False: cancelled. */
static bool sets_spread(struct what_if_sets *s, bool of_page, struct progress *progress)
{
	const struct heap *heap = s->heap;
	struct edges edges = heap_edges(heap);
	for (uint32_t r = 0; r < heap->root_count; r++)
		if (root_retains(&heap->roots[r]) && root_is_of_page(heap, &heap->roots[r]) == of_page)
			sets_visit(s, heap->roots[r].target, sets_without(&s->roots, r, UINT64_MAX));
	while (s->waiting) {
		uint32_t from = s->queue[s->head];
		struct ids ids = edges_of(edges, from);
		uint64_t mask = sets_without(&s->closed, from, s->mask[from]);
		s->head = s->head + 1 == heap_object_count(heap) ? 0 : s->head + 1;
		s->waiting--;
		word_bit_clear(s->queued, from);
		for (size_t i = 0; i < ids.count; i++)
			sets_visit(s, ids.id[i], sets_without_reference(s, from, ids.id[i], mask));
		if (s->visits++ % STEP == 0 && !progress_step(progress, s->visits))
			return false;
	}
	return true;
}

/* Notes what the page owns while nothing is removed. */
static void sets_find_page(struct what_if_sets *s)
{
	uint32_t objects = heap_object_count(s->heap);
	s->page = mem_alloc((objects / 64 + 1) * sizeof *s->page);
	for (uint32_t id = 0; id < objects; id++)
		if (s->mask[id])
			word_bit_set(s->page, id);
}

static struct what_if_sets *sets_begin(struct what_if *const *sets, size_t count)
{
	struct what_if_sets *s = mem_alloc(sizeof *s);
	const struct heap *heap = s->heap = sets[0]->heap;
	uint32_t objects = heap_object_count(heap);
	s->set = sets;
	s->asked = (UINT64_C(1) << count) - 1;
	s->mask = mem_column(objects * sizeof *s->mask);
	s->queue = mem_column(objects * sizeof *s->queue);
	s->queued = mem_alloc((objects / 64 + 1) * sizeof *s->queued);
	sets_members_take(&s->objects, s, count, objects, offsetof(struct what_if, objects));
	sets_members_take(&s->closed, s, count, objects, offsetof(struct what_if, closed));
	sets_members_take(&s->from, s, count, objects, offsetof(struct what_if, from));
	sets_members_take(&s->roots, s, count, heap->root_count, offsetof(struct what_if, roots));
	sets_members_take(&s->stacks, s, count, heap->thread_count, offsetof(struct what_if, stacks));
	return s;
}

/* Frees what only the search requires. */
static void sets_end(struct what_if_sets *s)
{
	mem_column_free(s->queue, heap_object_count(s->heap) * sizeof *s->queue);
	sets_members_fini(&s->objects);
	sets_members_fini(&s->closed);
	sets_members_fini(&s->from);
	sets_members_fini(&s->roots);
	free(s->queued);
	free(s->page);
}

struct what_if_sets *what_if_sets_new(struct what_if *const *sets, size_t count, uint64_t memory,
                                      struct progress *progress, struct err *err)
{
	const struct heap *heap = sets[0]->heap;
	uint64_t required = heap_object_count(heap) * (sizeof(uint64_t) + sizeof(uint32_t));
	if (memory < required) {
		err_set(err, "Counting what they free requires %s of memory, and may take %s",
		        text_size(required).text, text_size(memory).text);
		return NULL;
	}
	struct what_if_sets *s = sets_begin(sets, count);
	progress_begin(progress, "counting what would be left", heap_object_count(heap));
	bool done = sets_spread(s, true, progress);
	if (done && root_has_page(heap))
		sets_find_page(s);
	done = done && sets_spread(s, false, progress);
	sets_end(s);
	if (done)
		return s;
	what_if_sets_free(s);
	return NULL;
}

void what_if_sets_free(struct what_if_sets *s)
{
	if (!s)
		return;
	mem_column_free(s->mask, heap_object_count(s->heap) * sizeof *s->mask);
	sets_members_fini(&s->stacks);
	free(s);
}

uint64_t what_if_sets_left(const struct what_if_sets *s, uint32_t id)
{
	return s->mask[id] & s->asked;
}

uint64_t what_if_sets_freed(const struct what_if_sets *s, uint32_t id)
{
	return s->mask[id] & sets_none ? s->asked & ~s->mask[id] : 0;
}

static void sets_add_bytes(struct freed *freed, uint64_t sets, uint64_t objects, uint64_t bytes)
{
	for (; sets; sets &= sets - 1) {
		struct freed *of = &freed[__builtin_ctzll(sets)];
		of->objects += objects;
		of->bytes += bytes;
	}
}

void what_if_sets_count(const struct what_if_sets *s, struct freed *freed)
{
	struct objects_run_view run;
	for (size_t i = 0; s->asked >> i; i++)
		freed[i] = (struct freed){0};
	for (uint32_t t = 0; t < s->heap->thread_count; t++)
		if (ranks_has(&s->stacks.ranks, t))
			sets_add_bytes(freed, s->stacks.of[ranks_at(&s->stacks.ranks, t)], 0,
			               heap_thread_stack(s->heap, t).bytes);
	for (size_t r = 0; r < objects_run_count(s->heap->objects); r++) {
		objects_run(s->heap->objects, r, &run);
		for (uint32_t id = run.first; id < run.first + run.count; id++)
			sets_add_bytes(freed, what_if_sets_freed(s, id), 1, run.size);
	}
}
