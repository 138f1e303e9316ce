/* One search for many sets: each object has a mask of the sets without which it is reachable. A
   mask only gains bits, so the search ends with the same masks in every order. */
#include "analysis/what_if.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/ranks.h"
#include "base/text.h"
#include "heap/edges.h"
#include "heap/heap.h"
#include "heap/object_ids.h"
#include "heap/objects.h"

#include <stdlib.h>

enum { STEP = 1 << 14 };
/* The bit of a set without objects, which is there always. */
static const uint64_t sets_none = UINT64_C(1) << WHAT_IF_SETS;

/* Objects or roots that are in sets. */
struct sets_members {
	struct ranks ranks;
	uint64_t *of; /* by rank: the sets that it is in */
};

struct what_if_sets {
	const struct heap *heap;
	uint64_t asked; /* the sets, as bits */
	uint64_t *mask; /* by object: the sets without which it is reachable */
	struct sets_members objects, roots, closed;
	uint64_t *page;   /* bits: what the page owns, for which nothing else counts; NULL: nothing */
	uint32_t *queue;  /* a ring of objects whose masks have changed, each at most once */
	uint64_t *queued; /* bits by object */
	uint32_t head, waiting;
	uint64_t visits;
};

/* Adds what one set has of such a kind: to those that are in any, or, once these have ranks, to the
   sets that each is in. */
static void sets_members_add(struct sets_members *m, struct ids ids, uint64_t set)
{
	for (size_t i = 0; i < ids.count; i++)
		if (m->of)
			m->of[ranks_at(&m->ranks, ids.id[i])] |= set;
		else
			word_bit_set(m->ranks.bits, ids.id[i]);
}

static void sets_members_settle(struct sets_members *m)
{
	ranks_count(&m->ranks);
	m->of = mem_alloc((m->ranks.count + 1) * sizeof *m->of);
}

static void sets_take(struct what_if_sets *s, const struct what_if_set *sets, size_t count)
{
	ranks_init(&s->objects.ranks, heap_object_count(s->heap));
	ranks_init(&s->closed.ranks, heap_object_count(s->heap));
	ranks_init(&s->roots.ranks, s->heap->root_count);
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < count; i++) {
			sets_members_add(&s->objects, sets[i].objects, UINT64_C(1) << i);
			sets_members_add(&s->closed, sets[i].closed, UINT64_C(1) << i);
			sets_members_add(&s->roots, sets[i].roots, UINT64_C(1) << i);
		}
		if (pass == 0) {
			sets_members_settle(&s->objects);
			sets_members_settle(&s->closed);
			sets_members_settle(&s->roots);
		}
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
			sets_visit(s, ids.id[i], mask);
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

static struct what_if_sets *sets_begin(const struct heap *heap, const struct what_if_set *sets,
                                       size_t count)
{
	struct what_if_sets *s = mem_alloc(sizeof *s);
	uint32_t objects = heap_object_count(heap);
	s->heap = heap;
	s->asked = (UINT64_C(1) << count) - 1;
	s->mask = mem_column(objects * sizeof *s->mask);
	s->queue = mem_column(objects * sizeof *s->queue);
	s->queued = mem_alloc((objects / 64 + 1) * sizeof *s->queued);
	sets_take(s, sets, count);
	return s;
}

/* Frees what only the search requires. */
static void sets_end(struct what_if_sets *s)
{
	mem_column_free(s->queue, heap_object_count(s->heap) * sizeof *s->queue);
	sets_members_fini(&s->objects);
	sets_members_fini(&s->closed);
	sets_members_fini(&s->roots);
	free(s->queued);
	free(s->page);
}

struct what_if_sets *what_if_sets_new(const struct heap *heap, const struct what_if_set *sets,
                                      size_t count, uint64_t memory, struct progress *progress,
                                      struct err *err)
{
	uint64_t required = heap_object_count(heap) * (sizeof(uint64_t) + sizeof(uint32_t));
	if (memory < required) {
		err_set(err, "Counting what they free requires %s of memory, and may take %s",
		        text_size(required).text, text_size(memory).text);
		return NULL;
	}
	struct what_if_sets *s = sets_begin(heap, sets, count);
	progress_begin(progress, "counting what findings free", heap_object_count(heap));
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
	free(s);
}

uint64_t what_if_sets_left(const struct what_if_sets *s, uint32_t id)
{
	return s->mask[id] & s->asked;
}

void what_if_sets_count(const struct what_if_sets *s, struct freed *freed)
{
	struct objects_run_view run;
	for (size_t i = 0; s->asked >> i; i++)
		freed[i] = (struct freed){0};
	for (size_t r = 0; r < objects_run_count(s->heap->objects); r++) {
		objects_run(s->heap->objects, r, &run);
		for (uint32_t id = run.first; id < run.first + run.count; id++) {
			uint64_t without = s->mask[id] & sets_none ? s->asked & ~s->mask[id] : 0;
			for (; without; without &= without - 1) {
				struct freed *of = &freed[__builtin_ctzll(without)];
				of->objects++;
				of->bytes += run.size;
			}
		}
	}
}
