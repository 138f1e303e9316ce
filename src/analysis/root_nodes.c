/* Root nodes are created in depth-first preorder: a parent, then its subtree. */
#include "analysis/root_nodes.h"

#include "base/bound.h"
#include "base/map.h"
#include "base/mem.h"
#include "go/runtime/goplumbing.h"
#include "go/runtime/gotimer.h"
#include "go/types/names.h"
#include "heap/edges.h"
#include "heap/heap.h"
#include "heap/object_ids.h"
#include "heap/root.h"

#include <stdlib.h>
#include <string.h>

struct maker {
	struct root_nodes *root_nodes;
	const struct names *names;
	size_t capacity;
	struct map variables; /* address of a global variable -> its root node */
	const struct reach *reach;
	uint32_t timers; /* the root node; 0: none */
	size_t seat_capacity;
	/* Targets of root nodes that have no roots: pools and timers. */
	struct root_seat *target;
	size_t targets, target_capacity;
};

static uint32_t root_nodes_add(struct maker *m, enum root_node_kind kind, uint32_t index,
                               uint32_t parent)
{
	struct root_nodes *h = m->root_nodes;
	MEM_PUSH(h->root_node, h->count, m->capacity, (struct root_node){parent, index, (uint8_t)kind});
	return h->count - 1;
}

static void root_nodes_add_target(struct maker *m, uint32_t root_node, uint32_t object)
{
	MEM_PUSH(m->target, m->targets, m->target_capacity, (struct root_seat){root_node, object});
}

/* Adds a global variable: its words share one root node; without names, each word has its own. */
static void root_nodes_add_global(struct maker *m, uint32_t r, enum root_class root_class)
{
	struct root_nodes *h = m->root_nodes;
	uint64_t offset = 0, root_node, address = h->heap->roots[r].address;
	const char *name;
	if (root_class_of(h->heap, m->names, &h->heap->roots[r]) != root_class)
		return;
	names_variable(m->names, address, &name, &offset);
	if (!map_get(&m->variables, address - offset, &root_node)) {
		root_node = root_nodes_add(m, ROOT_NODE_GLOBAL, r, h->root_class[root_class]);
		map_put(&m->variables, address - offset, root_node);
	}
	h->of_root[r] = (uint32_t)root_node;
}

static void add_globals(struct maker *m, enum root_class root_class)
{
	const uint32_t *first = m->root_nodes->heap->root_kind_first;
	for (uint32_t r = first[ROOT_DATA]; r < first[ROOT_BSS + 1]; r++)
		root_nodes_add_global(m, r, root_class);
}

/* Adds adjacent roots of one kind; those of one record share one root node. */
static void root_nodes_add_records(struct maker *m, enum root_node_kind kind, uint32_t first,
                                   uint32_t end, uint32_t parent)
{
	struct root_nodes *h = m->root_nodes;
	const struct root *roots = h->heap->roots;
	for (uint32_t r = first; r < end; r++)
		h->of_root[r] = r > first && roots[r].holder == roots[r - 1].holder
		                    ? h->of_root[r - 1]
		                    : root_nodes_add(m, kind, roots[r].holder, parent);
}

static void add_roots_of_kind(struct maker *m, enum root_node_kind kind, enum root_kind roots,
                              enum root_class root_class)
{
	const uint32_t *first = m->root_nodes->heap->root_kind_first;
	root_nodes_add_records(m, kind, first[roots], first[roots + 1],
	                       m->root_nodes->root_class[root_class]);
}

static void root_nodes_add_frame(struct maker *m, uint32_t index, uint32_t parent)
{
	struct root_nodes *h = m->root_nodes;
	const struct frame *frame = &h->heap->frames[index];
	if (!frame->roots)
		return;
	uint32_t root_node = root_nodes_add(m, ROOT_NODE_FRAME, index, parent);
	h->of_frame[index] = root_node;
	for (uint32_t r = frame->first_root; r < frame->first_root + frame->roots; r++)
		h->of_root[r] = root_nodes_add(m, ROOT_NODE_SLOT, r, root_node);
}

/* Adds the records of a thread's calls, which follow the thread in the file. */
static void add_calls(struct maker *m, uint32_t behind, uint32_t parent)
{
	const struct heap *heap = m->root_nodes->heap;
	root_nodes_add_records(m, ROOT_NODE_DEFER, roots_behind(heap, ROOT_DEFER, behind),
	                       roots_behind(heap, ROOT_DEFER, behind + 1), parent);
	root_nodes_add_records(m, ROOT_NODE_PANIC, roots_behind(heap, ROOT_PANIC, behind),
	                       roots_behind(heap, ROOT_PANIC, behind + 1), parent);
}

static void root_nodes_add_thread(struct maker *m, uint32_t index, uint32_t parent)
{
	const struct heap *heap = m->root_nodes->heap;
	const struct thread *g = &heap->threads[index];
	uint32_t root_node = root_nodes_add(m, ROOT_NODE_THREAD, index, parent);
	m->root_nodes->of_thread[index] = root_node;
	for (uint32_t i = 0; i < g->frames; i++)
		root_nodes_add_frame(m, g->first_frame + i, root_node);
	add_calls(m, index + 1, root_node);
}

static void root_nodes_add_threads(struct maker *m, enum root_class root_class)
{
	const struct heap *heap = m->root_nodes->heap;
	for (uint32_t g = 0; g < heap->thread_count; g++)
		if (root_class_of_thread(heap, g) == root_class)
			root_nodes_add_thread(m, g, m->root_nodes->root_class[root_class]);
}

/* Adds threads, then frames and calls without a thread, as in damaged files. */
static void add_running(struct maker *m, enum root_class root_class)
{
	const struct heap *heap = m->root_nodes->heap;
	uint32_t parent = m->root_nodes->root_class[root_class];
	root_nodes_add_threads(m, root_class);
	for (uint32_t f = 0; f < heap->frame_count; f++)
		if (heap->frames[f].thread == UINT32_MAX)
			root_nodes_add_frame(m, f, parent);
	add_calls(m, 0, parent);
}

/* ---- Timers: one root node for all, because all processors share their heaps */

enum { MOST_OF = 10 }; /* a kind names the root node if all but one in MOST_OF timers are of it */

static uint64_t root_nodes_timer_key(const struct gotimer *timer)
{
	uint64_t function = timer->code ? timer->code : timer->target;
	return timer->kind == GOTIMER_CALL ? function << 3 | GOTIMER_CALL : timer->kind;
}

/* Returns true for timers that have a root node: deadlines have no object, and stopped timers may
   be unreachable. */
static bool root_nodes_takes_timer(const struct maker *m, const struct gotimer *timer)
{
	return timer->kind < GOTIMER_READ_DEADLINE && timer->object != OBJECT_NONE
	       && reach_has(m->reach, timer->object);
}

ORDER_BY_TWO(root_target_by_node, struct root_seat, root_node, object);

/* Returns the first timer of the largest group with the same function or kind; UINT32_MAX: no group
   is large enough. */
static uint32_t root_nodes_most_timers(const struct maker *m, const struct gotimers *timers)
{
	SCOPED_MAP counts = {0};
	uint64_t all = 0, most = 0, first = UINT32_MAX;
	for (size_t i = 0; i < timers->count; i++) {
		uint64_t key = root_nodes_timer_key(&timers->item[i]), count = 0;
		if (!root_nodes_takes_timer(m, &timers->item[i]))
			continue;
		map_get(&counts, key, &count);
		map_put(&counts, key, ++count);
		all++;
		first = count > most ? i : first;
		most = count > most ? count : most;
	}
	return most >= all - all / MOST_OF ? (uint32_t)first : UINT32_MAX;
}

static void add_timers(struct maker *m, enum root_class root_class)
{
	struct root_nodes *h = m->root_nodes;
	const struct gotimers *timers = h->plumbing ? h->plumbing->timers : NULL;
	for (size_t i = 0; timers && i < timers->count; i++) {
		if (!root_nodes_takes_timer(m, &timers->item[i]))
			continue;
		if (!m->timers)
			m->timers = root_nodes_add(m, ROOT_NODE_TIMERS, root_nodes_most_timers(m, timers),
			                           h->root_class[root_class]);
		root_nodes_add_target(m, m->timers, timers->item[i].object);
	}
}

/* ---- Plumbing */

/* Adds a root node for each kind of plumbing without a thread. */
static void add_plumbing(struct maker *m, enum root_class root_class)
{
	struct root_nodes *h = m->root_nodes;
	const struct goplumbing *plumbing = h->plumbing;
	uint32_t of_kind[GOPLUMBING_KINDS] = {[GOPLUMBING_HEAP] = m->timers};
	for (size_t i = 0; plumbing && i < plumbing->count; i++) {
		const struct goplumbing_part *part = &plumbing->part[i];
		uint32_t *root_node = part->thread == UINT32_MAX ? &of_kind[part->kind]
		                                                 : &h->of_thread[part->thread];
		if (!reach_has(m->reach, part->object))
			continue;
		if (!*root_node)
			*root_node =
				root_nodes_add(m, ROOT_NODE_PLUMBING, part->kind, h->root_class[root_class]);
		MEM_PUSH(h->seat, h->seats, m->seat_capacity, (struct root_seat){*root_node, part->object});
	}
	if (h->seats)
		qsort(h->seat, h->seats, sizeof *h->seat, root_target_by_node);
}

static void add_runtime(struct maker *m, enum root_class root_class)
{
	add_plumbing(m, root_class);
	add_globals(m, root_class);
	add_roots_of_kind(m, ROOT_NODE_OTHER, ROOT_OTHER, root_class);
	add_roots_of_kind(m, ROOT_NODE_WEAK_HANDLE, ROOT_WEAK_HANDLE, root_class);
}

static void root_nodes_add_finalizers(struct maker *m, enum root_class root_class)
{
	add_roots_of_kind(m, ROOT_NODE_FINALIZER, ROOT_FINALIZER, root_class);
	add_roots_of_kind(m, ROOT_NODE_FINALIZER, ROOT_QUEUED_FINALIZER, root_class);
	add_roots_of_kind(m, ROOT_NODE_CLEANUP, ROOT_CLEANUP, root_class);
}

static void add_pools(struct maker *m, enum root_class root_class)
{
	struct root_nodes *h = m->root_nodes;
	for (uint32_t i = 0; i < h->pools.count; i++)
		root_nodes_add_target(
			m, root_nodes_add(m, ROOT_NODE_POOL, h->pools.object[i], h->root_class[root_class]),
			h->pools.object[i]);
}

/* Adds a root node for the weak references to objects that nothing else reaches. */
static void add_weak_references(struct maker *m, enum root_class root_class)
{
	struct root_nodes *h = m->root_nodes;
	struct weak_references weak = heap_weak_references(h->heap);
	uint32_t root_node = 0;
	for (size_t i = 0; i < weak.count && m->reach; i++) {
		uint32_t target = weak.item[i].target;
		if (!reach_is_weak(m->reach, target) || m->reach->weak[target] != weak.item[i].from)
			continue;
		if (!root_node)
			root_node = root_nodes_add(m, ROOT_NODE_WEAK_REFERENCES, 0, h->root_class[root_class]);
		root_nodes_add_target(m, root_node, target);
	}
}

static void root_nodes_add_log_of(struct maker *m, enum root_class root_class, bool of_page)
{
	struct root_nodes *h = m->root_nodes;
	const uint32_t *first = h->heap->root_kind_first;
	for (uint32_t r = first[ROOT_INTERNAL]; r < first[ROOT_KINDS]; r++)
		if (root_is_of_page(h->heap, &h->heap->roots[r]) == of_page
		    && root_class_of(h->heap, m->names, &h->heap->roots[r]) == root_class)
			h->of_root[r] = root_nodes_add(m, ROOT_NODE_LOG, r, h->root_class[root_class]);
}

/* Adds the roots of a log, a root node each. */
static void root_nodes_add_log(struct maker *m, enum root_class root_class)
{
	root_nodes_add_log_of(m, root_class, true);
	root_nodes_add_log_of(m, root_class, false);
}

/* Fills the CSR rows: a counting sort of the roots by root node, plus the targets of pools and
   timers. */
static void place_targets(struct root_nodes *h, const struct root_seat *target, size_t targets)
{
	uint32_t roots = h->heap->root_count;
	h->row = mem_alloc((h->count + 2ULL) * sizeof *h->row);
	h->target = mem_alloc(((uint64_t)roots + targets) * sizeof *h->target);
	for (uint32_t r = 0; r < roots; r++)
		if (h->of_root[r] != UINT32_MAX)
			h->row[h->of_root[r] + 2]++;
	for (size_t i = 0; i < targets; i++)
		h->row[target[i].root_node + 2]++;
	for (uint32_t i = 1; i < h->count + 2; i++)
		h->row[i] += h->row[i - 1];
	for (uint32_t r = 0; r < roots; r++)
		if (h->of_root[r] != UINT32_MAX)
			h->target[h->row[h->of_root[r] + 1]++] = h->heap->roots[r].target;
	for (size_t i = 0; i < targets; i++)
		h->target[h->row[target[i].root_node + 1]++] = target[i].object;
}

static void none(uint32_t *items, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		items[i] = UINT32_MAX;
}

struct root_nodes *root_nodes_new(const struct heap *heap, const struct names *names,
                                  struct sync_pools pools, const struct reach *reach)
{
	static void (*const make[ROOT_CLASSES])(struct maker *, enum root_class) = {
		[ROOT_CLASS_GLOBAL] = add_globals,  [ROOT_CLASS_PARKED] = root_nodes_add_threads,
		[ROOT_CLASS_RUNNING] = add_running, [ROOT_CLASS_TIMER] = add_timers,
		[ROOT_CLASS_RUNTIME] = add_runtime, [ROOT_CLASS_FINALIZER] = root_nodes_add_finalizers,
		[ROOT_CLASS_POOL] = add_pools,      [ROOT_CLASS_WEAK] = add_weak_references,
	};
	struct root_nodes *h = mem_alloc(sizeof *h);
	struct maker m = {.root_nodes = h, .names = names, .reach = reach};
	h->heap = heap;
	h->plumbing = reach ? reach->plumbing : NULL;
	h->of_root = mem_alloc(heap->root_count * sizeof *h->of_root);
	h->of_thread = mem_alloc(heap->thread_count * sizeof *h->of_thread);
	h->of_frame = mem_alloc(heap->frame_count * sizeof *h->of_frame);
	none(h->of_frame, heap->frame_count);
	none(h->of_root, heap->root_count);
	h->pools = pools;
	root_nodes_add(&m, ROOT_NODE_ALL, 0, 0);
	for (enum root_class s = 0; s < ROOT_CLASSES; s++) {
		h->root_class[s] = root_nodes_add(&m, ROOT_NODE_CLASS, s, 0);
		if (make[s])
			make[s](&m, s);
		root_nodes_add_log(&m, s);
	}
	map_free(&m.variables);
	place_targets(h, m.target, m.targets);
	free(m.target);
	return h;
}

void root_nodes_free(struct root_nodes *root_nodes)
{
	if (!root_nodes)
		return;
	sync_pools_fini(&root_nodes->pools);
	void *const owned[] = {
		root_nodes->root_node, root_nodes->of_root, root_nodes->of_thread, root_nodes->of_frame,
		root_nodes->row,       root_nodes->target,  root_nodes->seat,      root_nodes,
	};
	for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
		free(owned[i]);
}

bool root_nodes_has_weak(const struct root_nodes *root_nodes)
{
	uint32_t weak = root_nodes->root_class[ROOT_CLASS_WEAK], next = weak + 1;
	return next < root_nodes->count && root_nodes->root_node[next].parent == weak;
}

uint32_t root_nodes_node(const struct root_nodes *root_nodes, uint32_t root_node)
{
	return heap_object_count(root_nodes->heap) + root_node;
}

uint32_t root_nodes_of_node(const struct root_nodes *root_nodes, uint32_t node)
{
	uint32_t objects = heap_object_count(root_nodes->heap);
	return node < objects ? UINT32_MAX : node - objects;
}

bool root_nodes_is_flat_node(const struct root_nodes *root_nodes, uint32_t node)
{
	uint32_t root_node = root_nodes_of_node(root_nodes, node);
	return root_node < root_nodes->count && root_nodes_is_flat(root_nodes, root_node);
}
