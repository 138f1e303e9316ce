/* Retained sizes of real dumps compared with a search that omits an object: up to 2,000 objects of
   each dump of testdata, or 200 with sanitizers, which check memory rather than results. Also sums
   that must hold at every node. */
#include "cmocka_all.h"

#include "analysis/analysis.h"
#include "base/mem.h"
#include "heap/heap.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
enum { SAMPLES = 200 };
#else
enum { SAMPLES = 2000 };
#endif

/* A search from the roots that omits one object. */
struct search {
	const struct heap *heap;
	uint32_t *queue, *seen; /* seen: by object, the last search that visited it */
	uint64_t *size;         /* by object */
	uint32_t searches;
};

static void reached_without(struct search *s, uint32_t what_if, uint64_t *bytes, uint64_t *objects)
{
	uint32_t head = 0, tail = 0, search = ++s->searches;
	*bytes = *objects = 0;
	for (uint32_t r = 0; r < s->heap->root_count; r++) {
		uint32_t target = s->heap->roots[r].target;
		if (target != what_if && s->seen[target] != search) {
			s->seen[target] = search;
			s->queue[tail++] = target;
		}
	}
	while (head < tail) {
		struct ids to = heap_references(s->heap, s->queue[head++]);
		for (size_t i = 0; i < to.count; i++)
			if (to.id[i] != what_if && s->seen[to.id[i]] != search) {
				s->seen[to.id[i]] = search;
				s->queue[tail++] = to.id[i];
			}
	}
	for (uint32_t i = 0; i < tail; i++)
		*bytes += s->size[s->queue[i]];
	*objects = tail;
}

static void check_samples(const struct analysis *a)
{
	const struct dominators *d = analysis_dominators(a, RETAIN_ALIVE);
	uint32_t count = heap_object_count(analysis_heap(a));
	struct search s = {
		.heap = analysis_heap(a),
		.queue = mem_alloc(count * sizeof *s.queue),
		.seen = mem_alloc(count * sizeof *s.seen),
		.size = mem_alloc(count * sizeof *s.size),
	};
	for (uint32_t id = 0; id < count; id++)
		s.size[id] = heap_size(analysis_heap(a), id);
	uint64_t all, all_objects, bytes, objects, random = 1;
	reached_without(&s, OBJECT_NONE, &all, &all_objects);
	assert_int_equal(dominators_bytes(d, d->root), all);
	assert_int_equal(dominators_objects(d, d->root), all_objects);
	for (uint32_t i = 0; i < SAMPLES && i < count; i++) {
		random = random * 6364136223846793005 + 1442695040888963407;
		uint32_t id = count <= SAMPLES ? i : (uint32_t)((random >> 33) % count);
		reached_without(&s, id, &bytes, &objects);
		assert_int_equal(dominators_bytes(d, id), all - bytes);
		assert_int_equal(dominators_objects(d, id), all_objects - objects);
	}
	free(s.queue);
	free(s.seen);
	free(s.size);
}

/* The sizes of a node are those of its children and its own; root classes add up to all that is
   reachable. */
static void check_sums(const struct dominators *d, const struct reach *reach)
{
	uint64_t *sum = mem_alloc(d->nodes * sizeof *sum);
	for (uint32_t n = 0; n < d->nodes; n++) {
		sum[n] += dominators_has(d, n) ? dominators_self(d, n) : 0;
		if (dominators_above(d, n) != OBJECT_NONE)
			sum[dominators_above(d, n)] += dominators_bytes(d, n);
	}
	for (uint32_t n = 0; n < d->nodes; n++)
		assert_int_equal(dominators_bytes(d, n), sum[n]);
	assert_int_equal(dominators_bytes(d, d->root), reach->bytes);
	free(sum);
}

static void check_strengths(const struct dominators *d)
{
	uint64_t sum = 0;
	for (int s = 0; s < ROOT_CLASSES; s++)
		sum += dominators_bytes(d, root_nodes_node(d->root_nodes, d->root_nodes->root_class[s]));
	assert_int_equal(sum, dominators_bytes(d, d->root));
}

static void check_dump(const char *path)
{
	struct err err = {0};
	struct analysis *a = analysis_new(path, NULL);
	assert_true(analysis_run(a, STAGE_OWNED, &err));
	check_samples(a);
	check_sums(analysis_dominators(a, RETAIN_ALIVE), analysis_reach(a));
	check_sums(analysis_dominators(a, RETAIN_STRONGEST), analysis_reach(a));
	check_strengths(analysis_dominators(a, RETAIN_STRONGEST));
	analysis_free(a);
}

TEST(retained_is_what_is_lost_in_real_dumps)
{
	glob_t found;
	assert_int_equal(glob("testdata/*.dump.xz", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++)
		check_dump(found.gl_pathv[i]);
	assert_true(found.gl_pathc > 10);
	globfree(&found);
}
