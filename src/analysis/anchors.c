/* Anchors are made in the order in which a depth-first search meets them: a parent, then all that
   is below it. */
#include "analysis/anchors.h"

#include "base/map.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

const char *const strength_names[STRENGTHS] = {
	"global", "parked", "running", "runtime", "finalizer", "pool", "weak",
};

struct maker {
	struct anchors *anchors;
	const struct names *names;
	size_t capacity;
	struct map variables; /* where a global variable begins -> its anchor */
};

static uint32_t add(struct maker *m, enum anchor_kind kind, uint32_t index, uint32_t parent)
{
	struct anchors *h = m->anchors;
	h->anchor = mem_grow(h->anchor, h->count, &m->capacity, sizeof *h->anchor);
	h->anchor[h->count] = (struct anchor){parent, index, (uint8_t)kind};
	return h->count++;
}

/* A variable's words have one anchor; without names each word has its own. */
static void add_global(struct maker *m, uint32_t r, enum strength strength)
{
	struct anchors *h = m->anchors;
	uint64_t offset = 0, anchor, address = h->heap->roots[r].address;
	const char *name;
	bool named = names_variable(m->names, address, &name, &offset);
	bool runtime = named && strncmp(name, "runtime.", 8) == 0;
	if (runtime != (strength == STRENGTH_RUNTIME))
		return;
	if (!map_get(&m->variables, address - offset, &anchor)) {
		anchor = add(m, ANCHOR_GLOBAL, r, h->strength[strength]);
		map_put(&m->variables, address - offset, anchor);
	}
	h->of_root[r] = (uint32_t)anchor;
}

static void add_globals(struct maker *m, enum strength strength)
{
	const uint32_t *first = m->anchors->heap->root_kind_first;
	for (uint32_t r = first[ROOT_DATA]; r < first[ROOT_BSS + 1]; r++)
		add_global(m, r, strength);
}

/* Roots of one kind in a row; those of one record have one anchor. */
static void add_records(struct maker *m, enum anchor_kind kind, uint32_t first, uint32_t end,
                        uint32_t parent)
{
	struct anchors *h = m->anchors;
	const struct root *roots = h->heap->roots;
	for (uint32_t r = first; r < end; r++)
		h->of_root[r] = r > first && roots[r].holder == roots[r - 1].holder
			? h->of_root[r - 1]
			: add(m, kind, roots[r].holder, parent);
}

static void add_roots_of_kind(struct maker *m, enum anchor_kind kind, enum root_kind roots,
                              enum strength strength)
{
	const uint32_t *first = m->anchors->heap->root_kind_first;
	add_records(m, kind, first[roots], first[roots + 1], m->anchors->strength[strength]);
}

static void add_frame(struct maker *m, uint32_t index, uint32_t parent)
{
	struct anchors *h = m->anchors;
	const struct frame *frame = &h->heap->frames[index];
	if (!frame->roots)
		return;
	uint32_t anchor = add(m, ANCHOR_FRAME, index, parent);
	h->of_frame[index] = anchor;
	for (uint32_t r = frame->first_root; r < frame->first_root + frame->roots; r++)
		h->of_root[r] = add(m, ANCHOR_SLOT, r, anchor);
}

static uint64_t record_offset(const struct heap *heap, const struct root *root)
{
	return root->kind == ROOT_DEFER ? heap->defers[root->holder].offset
	                                : heap->panics[root->holder].offset;
}

/* The first root of a kind whose record stands at or behind an offset of the file. */
static uint32_t root_behind(const struct heap *heap, enum root_kind kind, uint64_t offset)
{
	uint32_t low = heap->root_kind_first[kind], high = heap->root_kind_first[kind + 1];
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (record_offset(heap, &heap->roots[middle]) < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The records of a goroutine's calls follow its own: those between two offsets. */
static void add_calls(struct maker *m, uint64_t from, uint64_t to, uint32_t parent)
{
	const struct heap *heap = m->anchors->heap;
	add_records(m, ANCHOR_DEFER, root_behind(heap, ROOT_DEFER, from),
	            root_behind(heap, ROOT_DEFER, to), parent);
	add_records(m, ANCHOR_PANIC, root_behind(heap, ROOT_PANIC, from),
	            root_behind(heap, ROOT_PANIC, to), parent);
}

static void add_goroutine(struct maker *m, uint32_t index, uint32_t parent)
{
	const struct heap *heap = m->anchors->heap;
	const struct goroutine *g = &heap->goroutines[index];
	uint32_t anchor = add(m, ANCHOR_GOROUTINE, index, parent);
	m->anchors->of_goroutine[index] = anchor;
	for (uint32_t i = 0; i < g->frames; i++)
		add_frame(m, g->first_frame + i, anchor);
	add_calls(m, g->record.offset,
	          index + 1 < heap->goroutine_count ? g[1].record.offset : UINT64_MAX, anchor);
}

static void add_goroutines(struct maker *m, enum strength strength)
{
	const struct heap *heap = m->anchors->heap;
	for (uint32_t g = 0; g < heap->goroutine_count; g++)
		if (reach_goroutine_is_passing(heap, g) == (strength == STRENGTH_RUNNING))
			add_goroutine(m, g, m->anchors->strength[strength]);
}

/* Frames and calls before any goroutine, as damaged files have them. */
static void add_strays(struct maker *m, enum strength strength)
{
	const struct heap *heap = m->anchors->heap;
	uint32_t parent = m->anchors->strength[strength];
	for (uint32_t f = 0; f < heap->frame_count; f++)
		if (heap->frames[f].goroutine == UINT32_MAX)
			add_frame(m, f, parent);
	add_calls(m, 0, heap->goroutine_count ? heap->goroutines[0].record.offset : UINT64_MAX, parent);
}

static void add_running(struct maker *m, enum strength strength)
{
	add_goroutines(m, strength);
	add_strays(m, strength);
}

static void add_runtime(struct maker *m, enum strength strength)
{
	add_globals(m, strength);
	add_roots_of_kind(m, ANCHOR_OTHER, ROOT_OTHER, strength);
}

static void add_finalizers(struct maker *m, enum strength strength)
{
	add_roots_of_kind(m, ANCHOR_FINALIZER, ROOT_FINALIZER, strength);
	add_roots_of_kind(m, ANCHOR_FINALIZER, ROOT_QUEUED_FINALIZER, strength);
}

static void add_pools(struct maker *m, enum strength strength)
{
	struct anchors *h = m->anchors;
	for (uint32_t i = 0; i < h->pools.count; i++)
		add(m, ANCHOR_POOL, h->pools.object[i], h->strength[strength]);
}

/* The roots of a log, each for itself. */
static void add_listed_of_kind(struct maker *m, enum root_kind kind, bool weak,
                               enum strength strength)
{
	struct anchors *h = m->anchors;
	const uint32_t *first = &h->heap->root_kind_first[kind];
	for (uint32_t r = first[0]; r < first[1]; r++)
		if (reach_root_retains(&h->heap->roots[r]) != weak)
			h->of_root[r] = add(m, ANCHOR_LISTED, r, h->strength[strength]);
}

static void add_listed(struct maker *m, enum strength strength)
{
	static const struct { enum root_kind kind; enum strength strength; } kinds[] = {
		{ROOT_STATIC, STRENGTH_GLOBAL},    {ROOT_HANDLE, STRENGTH_GLOBAL},
		{ROOT_LOCAL, STRENGTH_RUNNING},    {ROOT_INTERNAL, STRENGTH_RUNTIME},
		{ROOT_SPECIFIC, STRENGTH_RUNTIME}, {ROOT_UNKNOWN, STRENGTH_RUNTIME},
		{ROOT_FINALIZER_QUEUE, STRENGTH_FINALIZER},
	};
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
		if (kinds[k].strength == strength)
			add_listed_of_kind(m, kinds[k].kind, false, strength);
}

static void add_weak(struct maker *m, enum strength strength)
{
	struct root_kinds kinds = heap_root_kinds(m->anchors->heap);
	for (int kind = kinds.first; kind < kinds.end; kind++)
		add_listed_of_kind(m, (enum root_kind)kind, true, strength);
}

/* A counting sort of the roots by their anchors; what waits in pools comes after. */
static void place_targets(struct anchors *h)
{
	uint32_t roots = h->heap->root_count, first_pool = h->strength[STRENGTH_POOL] + 1;
	h->row = mem_alloc((h->count + 2ULL) * sizeof *h->row);
	h->target = mem_alloc(((uint64_t)roots + h->pools.count) * sizeof *h->target);
	for (uint32_t r = 0; r < roots; r++)
		if (h->of_root[r] != UINT32_MAX)
			h->row[h->of_root[r] + 2]++;
	for (uint32_t i = 0; i < h->pools.count; i++)
		h->row[first_pool + i + 2]++;
	for (uint32_t i = 1; i < h->count + 2; i++)
		h->row[i] += h->row[i - 1];
	for (uint32_t r = 0; r < roots; r++)
		if (h->of_root[r] != UINT32_MAX)
			h->target[h->row[h->of_root[r] + 1]++] = h->heap->roots[r].target;
	for (uint32_t i = 0; i < h->pools.count; i++)
		h->target[h->row[first_pool + i + 1]++] = h->pools.object[i];
}

static void none(uint32_t *items, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		items[i] = UINT32_MAX;
}

struct anchors *anchors_new(const struct heap *heap, const struct names *names,
                            struct pools pools)
{
	static void (*const make[STRENGTHS])(struct maker *, enum strength) = {
		[STRENGTH_GLOBAL] = add_globals, [STRENGTH_PARKED] = add_goroutines,
		[STRENGTH_RUNNING] = add_running, [STRENGTH_RUNTIME] = add_runtime,
		[STRENGTH_FINALIZER] = add_finalizers, [STRENGTH_POOL] = add_pools,
		[STRENGTH_WEAK] = add_weak,
	};
	struct anchors *h = mem_alloc(sizeof *h);
	struct maker m = {.anchors = h, .names = names};
	h->heap = heap;
	h->of_root = mem_alloc(heap->root_count * sizeof *h->of_root);
	h->of_goroutine = mem_alloc(heap->goroutine_count * sizeof *h->of_goroutine);
	h->of_frame = mem_alloc(heap->frame_count * sizeof *h->of_frame);
	none(h->of_frame, heap->frame_count);
	none(h->of_root, heap->root_count);
	h->pools = pools;
	add(&m, ANCHOR_ALL, 0, 0);
	for (enum strength s = 0; s < STRENGTHS; s++) {
		h->strength[s] = add(&m, ANCHOR_STRENGTH, s, 0);
		make[s](&m, s);
		add_listed(&m, s);
	}
	map_free(&m.variables);
	place_targets(h);
	return h;
}

void anchors_free(struct anchors *anchors)
{
	if (!anchors)
		return;
	pools_fini(&anchors->pools);
	void *const owned[] = {
		anchors->anchor, anchors->of_root, anchors->of_goroutine, anchors->of_frame,
		anchors->row, anchors->target, anchors,
	};
	for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
		free(owned[i]);
}

uint32_t anchors_node(const struct anchors *anchors, uint32_t anchor)
{
	return heap_object_count(anchors->heap) + anchor;
}

uint32_t anchors_of_node(const struct anchors *anchors, uint32_t node)
{
	uint32_t objects = heap_object_count(anchors->heap);
	return node < objects ? UINT32_MAX : node - objects;
}
