#include "table/kin.h"

#include "base/map.h"
#include "base/mem.h"
#include "table/node_kind.h"

#include <stdlib.h>

enum { STEP = 1 << 14 };

struct maker {
	struct kins *kins;
	const struct analysis *analysis;
	const struct dominators *dominators;
	size_t capacity;
	struct map by_key;
};

static uint32_t kin_of(struct maker *m, uint32_t node)
{
	struct kins *kins = m->kins;
	uint64_t key = node_key(m->analysis, node), at = kins->count;
	if (map_get(&m->by_key, key, &at))
		return (uint32_t)at;
	map_put(&m->by_key, key, at);
	kins->kin = mem_grow(kins->kin, kins->count, &m->capacity, sizeof *kins->kin);
	kins->kin[kins->count++] = (struct kin){.key = key};
	return (uint32_t)at;
}

static bool count(struct maker *m, struct ids nodes, uint32_t *of, struct progress *progress)
{
	progress_begin(progress, "putting equals together", nodes.count);
	for (size_t i = 0; i < nodes.count; i++) {
		if (i % STEP == 0 && !progress_step(progress, i))
			return false;
		of[i] = kin_of(m, nodes.id[i]);
		struct kin *kin = &m->kins->kin[of[i]];
		kin->count++;
		kin->bytes += m->dominators->bytes[nodes.id[i]];
		kin->objects += m->dominators->objects[nodes.id[i]];
	}
	return true;
}

static void place(struct kins *kins, struct ids nodes, const uint32_t *of)
{
	size_t first = 0;
	kins->node = mem_alloc(nodes.count * sizeof *kins->node);
	for (size_t k = 0; k < kins->count; first += kins->kin[k++].count)
		kins->kin[k].first = first;
	for (size_t i = 0; i < nodes.count; i++)
		kins->node[kins->kin[of[i]].first++] = nodes.id[i];
	for (size_t k = 0; k < kins->count; k++)
		kins->kin[k].first -= kins->kin[k].count;
}

static int most_first(const void *a, const void *b)
{
	const struct kin *x = a, *y = b;
	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

bool kins_init(struct kins *kins, const struct analysis *analysis,
               const struct dominators *dominators, struct ids nodes, struct progress *progress)
{
	struct maker m = {.kins = kins, .analysis = analysis, .dominators = dominators};
	uint32_t *of = mem_alloc(nodes.count * sizeof *of);
	*kins = (struct kins){0};
	bool done = count(&m, nodes, of, progress);
	if (done)
		place(kins, nodes, of);
	else
		kins_fini(kins);
	if (kins->count)
		qsort(kins->kin, kins->count, sizeof *kins->kin, most_first);
	map_free(&m.by_key);
	free(of);
	return done;
}

void kins_fini(struct kins *kins)
{
	free(kins->kin);
	free(kins->node);
	*kins = (struct kins){0};
}

/* Does x come before y? */
static bool is_before(const struct dominators *d, uint32_t x, uint32_t y)
{
	return d->bytes[x] != d->bytes[y] ? d->bytes[x] > d->bytes[y] : x < y;
}

static void swap(uint32_t *a, uint32_t *b)
{
	uint32_t c = *a;
	*a = *b;
	*b = c;
}

/* A heap whose root is what comes last of those in it. */
static void sink(const struct dominators *d, uint32_t *heap, size_t count, size_t at)
{
	for (size_t child; (child = 2 * at + 1) < count; at = child) {
		if (child + 1 < count && is_before(d, heap[child], heap[child + 1]))
			child++;
		if (!is_before(d, heap[at], heap[child]))
			return;
		swap(&heap[at], &heap[child]);
	}
}

static void rise(const struct dominators *d, uint32_t *heap, size_t at)
{
	for (; at && is_before(d, heap[(at - 1) / 2], heap[at]); at = (at - 1) / 2)
		swap(&heap[at], &heap[(at - 1) / 2]);
}

size_t kin_pick(const struct dominators *dominators, struct ids nodes, const uint32_t *last,
                uint32_t *out, size_t most)
{
	size_t count = 0;
	for (size_t i = 0; i < nodes.count; i++) {
		uint32_t node = nodes.id[i];
		if (last && !is_before(dominators, *last, node))
			continue;
		if (count < most) {
			out[count] = node;
			rise(dominators, out, count++);
		} else if (is_before(dominators, node, out[0])) {
			out[0] = node;
			sink(dominators, out, count, 0);
		}
	}
	for (size_t end = count; end > 1; end--) {
		swap(&out[0], &out[end - 1]);
		sink(dominators, out, end - 1, 0);
	}
	return count;
}
