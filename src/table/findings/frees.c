/* Counts what each finding frees if all that it is about goes. */
#include "table/findings/held_by.h"

#include "analysis/what_if.h"
#include "base/mem.h"
#include "base/memory_left.h"
#include "heap/heap.h"
#include "table/contents/object_set.h"

#include <stdlib.h>

/* Findings that are counted in one search. */
struct frees {
	struct finding *finding[WHAT_IF_SETS];
	struct what_if_set set[WHAT_IF_SETS];
	uint32_t *objects[WHAT_IF_SETS], *roots[WHAT_IF_SETS]; /* of each set */
	size_t count, root_capacity[WHAT_IF_SETS];
};

static void frees_fini(struct frees *f)
{
	for (size_t i = 0; i < f->count; i++) {
		free(f->objects[i]);
		free(f->roots[i]);
	}
}

/* Takes a finding with the objects of its set. False: *err. */
static bool frees_take(struct frees *f, const struct analysis *analysis, struct finding *finding,
                       struct progress *progress, struct err *err)
{
	size_t i = f->count++, count = 0;
	f->finding[i] = finding;
	if (!finding->thread_count)
		f->objects[i] =
			object_set_ids(analysis, buf_text(&finding->expression), false, progress, &count, err);
	f->set[i].objects = (struct ids){f->objects[i], count};
	f->set[i].closed = (struct ids){finding->record, finding->record_count};
	return finding->thread_count || f->objects[i];
}

/* Adds the roots on the stacks of threads to the sets of the findings that are about these. */
static void frees_take_stacks(struct frees *f, const struct analysis *analysis)
{
	const struct root_nodes *root_nodes = analysis_root_nodes(analysis);
	const struct heap *heap = analysis_heap(analysis);
	SCOPED_FREE uint64_t *of = mem_alloc((heap->thread_count + 1) * sizeof *of);
	for (size_t i = 0; i < f->count; i++)
		for (size_t t = 0; t < f->finding[i]->thread_count; t++)
			of[f->finding[i]->thread[t]] |= UINT64_C(1) << i;
	for (uint32_t root = 0; root < heap->root_count; root++) {
		const struct root_node *node = &root_nodes->root_node[root_nodes->of_root[root]];
		while (node->kind != ROOT_NODE_THREAD && node != root_nodes->root_node)
			node = &root_nodes->root_node[node->parent];
		uint64_t mask = node->kind == ROOT_NODE_THREAD ? of[node->index] : 0;
		for (; mask; mask &= mask - 1) {
			int i = __builtin_ctzll(mask);
			MEM_PUSH(f->roots[i], f->set[i].roots.count, f->root_capacity[i], root);
		}
	}
	for (size_t i = 0; i < f->count; i++)
		f->set[i].roots.id = f->roots[i];
}

static void frees_count(const struct frees *f, const struct what_if_sets *sets,
                        const struct heap *heap)
{
	struct freed freed[WHAT_IF_SETS];
	what_if_sets_count(sets, freed);
	for (size_t i = 0; i < f->count; i++) {
		struct finding *finding = f->finding[i];
		finding->frees_known = true;
		finding->frees = freed[i].bytes;
		for (size_t t = 0; t < finding->thread_count; t++)
			finding->frees += heap_thread_stack(heap, finding->thread[t]).bytes;
	}
}

/* Counts what those that were taken free, and finds who else holds the rest; or notes in `doubt`
   why that takes too much memory. False: cancelled. */
static bool frees_search(struct frees *f, const struct analysis *analysis,
                         struct progress *progress, struct buf *doubt)
{
	const struct heap *heap = analysis_heap(analysis);
	struct err refused = {0};
	frees_take_stacks(f, analysis);
	struct what_if_sets *sets =
		what_if_sets_new(heap, f->set, f->count, memory_left() / 2, progress, &refused);
	buf_add(doubt, refused.text);
	if (!sets)
		return refused.set;
	frees_count(f, sets, heap);
	held_by_find(f->finding, f->count, analysis, sets, progress);
	what_if_sets_free(sets);
	return true;
}

bool findings_count_frees(struct findings *findings, struct progress *progress, struct err *err)
{
	bool done = true;
	for (size_t next = 0; done && next < findings->count && !findings->doubt.len;) {
		struct frees f = {0};
		for (; done && f.count < WHAT_IF_SETS && next < findings->count; next++) {
			struct finding *finding = &findings->finding[next];
			if (finding->thread_count || finding->expression.len)
				done = frees_take(&f, findings->analysis, finding, progress, err);
		}
		done = done
		       && (!f.count || frees_search(&f, findings->analysis, progress, &findings->doubt)
		           || err_set(err, "Counting what the findings free was cancelled"));
		frees_fini(&f);
	}
	return done;
}
