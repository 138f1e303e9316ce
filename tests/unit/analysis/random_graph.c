#include "analysis/random_graph.h"

#include "go/runtime/goplumbing.h"
#include "go/runtime/gotimer.h"
#include "heap/dump_heap.h"

#include "cmocka_all.h"
#include "xorshift.h"

#include "base/bits.h"
#include "base/mem.h"
#include "heap/heap.h"

#include <stdlib.h>

enum { FIELDS = 8 };

static uint64_t address_of(uint64_t object)
{
	return 0xc000000000 + object * 8192;
}

uint64_t random_below(struct random_graph *r, uint64_t end)
{
	return xorshift_below(&r->state, end);
}

/* Returns a random target. The graphs differ in shape: any target, a near one, or a near one
   further down. */
static uint64_t pick_target(struct random_graph *r, uint64_t from, uint64_t shape)
{
	if (shape == 0)
		return random_below(r, r->objects);
	if (shape == 1)
		return (from + random_below(r, 5) + r->objects - 1) % r->objects;
	uint64_t left = r->objects - from;
	return from + random_below(r, left < 5 ? left : 5);
}

static void write_objects(struct random_graph *r)
{
	uint64_t shape = random_below(r, 3);
	for (uint64_t i = 0; i < r->objects; i++) {
		struct dump_field fields[FIELDS];
		size_t count = random_below(r, 4) ? 1 + random_below(r, r->density) : 0;
		for (size_t f = 0; f < count; f++)
			fields[f] = (struct dump_field){8 * f, address_of(pick_target(r, i, shape)), 0};
		dump_object(&r->w, address_of(i), 8 * FIELDS + 16 * random_below(r, 5), fields, count);
	}
}

static size_t some_pointers(struct random_graph *r, struct dump_field *fields, size_t most)
{
	size_t count = random_below(r, most + 1);
	for (size_t f = 0; f < count; f++)
		fields[f] = (struct dump_field){8 * f, address_of(random_below(r, r->objects)), 0};
	return count;
}

static void write_thread(struct random_graph *r, uint64_t id)
{
	struct dump_field fields[FIELDS];
	dump_goroutine(&r->w, id, random_below(r, 2) ? 4 : 1, random_below(r, 2), "");
	for (uint64_t depth = 0; depth < random_below(r, 4); depth++)
		dump_frame(&r->w, 0x7000 + 0x100 * depth, depth, "main.f", 0x401000, 64, fields,
		           some_pointers(r, fields, 3));
	if (!random_below(r, 4))
		dump_defer(&r->w, address_of(random_below(r, r->objects)),
		           address_of(random_below(r, r->objects)));
	if (!random_below(r, 4))
		dump_panic(&r->w, 0, address_of(random_below(r, r->objects)));
}

static void write_roots(struct random_graph *r)
{
	struct dump_field fields[FIELDS];
	if (!random_below(r, 10))
		dump_defer(&r->w, address_of(random_below(r, r->objects)), 0); /* of no goroutine */
	for (uint64_t id = random_below(r, 3); id > 0; id--)
		write_thread(r, id);
	dump_segment(&r->w, false, 0x5000, 64, fields, some_pointers(r, fields, 2));
	dump_segment(&r->w, true, 0x6000, 64, fields, some_pointers(r, fields, 2));
	if (!random_below(r, 3))
		dump_finalizer(&r->w, random_below(r, 2), address_of(random_below(r, r->objects)),
		               address_of(random_below(r, r->objects)));
}

static struct sync_pools random_pools(struct random_graph *r)
{
	struct sync_pools pools = {.object = mem_alloc(r->objects * sizeof(uint32_t)),
	                           .pool = mem_alloc(r->objects * sizeof(uint64_t))};
	for (uint32_t id = 0; id < r->objects; id++)
		if (!random_below(r, 15))
			pools.object[pools.count++] = id;
	return pools;
}

/* Every second graph has plumbing: some of a goroutine, some of none. */
static struct goplumbing *random_plumbing(struct random_graph *r)
{
	struct goplumbing *p = mem_alloc(sizeof *p);
	p->bits = mem_alloc((r->objects / 64 + 1) * sizeof *p->bits);
	p->timers = gotimers_new(r->heap);
	uint64_t often = random_below(r, 2) ? 8 : UINT32_MAX;
	for (uint32_t id = 0; id < r->objects; id++) {
		uint32_t thread = (uint32_t)random_below(r, r->heap->thread_count + 1ULL);
		bool none = thread == r->heap->thread_count;
		if (!random_below(r, often)) {
			struct goplumbing_part part = {id, none ? UINT32_MAX : thread,
			                               none ? GOPLUMBING_PROCESSOR : GOPLUMBING_WAIT};
			word_bit_set(p->bits, id);
			MEM_PUSH(p->part, p->count, p->capacity, part);
		}
		if (!random_below(r, often))
			MEM_PUSH(p->timers->item, p->timers->count, p->timers->capacity,
			         (struct gotimer){.kind = GOTIMER_TIMER, .object = id});
	}
	return p;
}

void random_graph_make(struct random_graph *r, uint64_t seed)
{
	*r = (struct random_graph){.state = seed * 0x9e3779b97f4a7c15 + 1};
	r->objects = 1 + random_below(r, MOST_OBJECTS);
	r->density = 2 + random_below(r, 3);
	dump_start(&r->w, 8, false, "go1.19.8");
	write_objects(r);
	write_roots(r);
	dump_end(&r->w);
	r->heap = dump_reversed(&r->w);
	r->reach = reach_new(r->heap, NULL, NULL, NULL);
	struct sync_pools pools = random_pools(r);
	r->plumbing = random_plumbing(r);
	struct reach reach = *r->reach;
	reach.plumbing = r->plumbing;
	r->root_nodes = root_nodes_new(r->heap, NULL, pools, &reach);
	assert_true(r->objects + r->root_nodes->count <= MOST_NODES);
}

void random_graph_free(struct random_graph *r)
{
	root_nodes_free(r->root_nodes);
	goplumbing_free(r->plumbing);
	reach_free(r->reach);
	heap_free(r->heap);
	dump_free(&r->w);
}
