#include "table/findings/held_by.h"

#include "analysis/dominators.h"
#include "analysis/what_if.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/text.h"
#include "heap/edges.h"
#include "heap/heap.h"
#include "table/naming/entity.h"
#include "table/paths/path_tree.h"

#include <stdlib.h>

enum {
	NAME_SHOWN = 200,
	LEAST = 10 /* percent of the bytes of a finding: who holds less is not named */
};

/* A holder of a part of a finding. */
struct held_by_holder {
	uint64_t holder; /* a place; behind the places, nodes of roots; behind these, functions */
	uint32_t last;   /* 1 + the last object that was counted */
	size_t finding;
	uint64_t bytes;
};
struct held_by {
	const struct path_tree *tree;
	const struct root_nodes *root_nodes;
	const struct dominators *dominators;
	uint64_t *at, *below, *above; /* by place: the findings that it is of, below, above; as bits */
	struct map functions;         /* entry pc -> the first frame of a function */
	struct map holders;
	struct held_by_holder *holder;
	size_t count, capacity;
};

/* Counts an object that a holder keeps alive without each of some findings. */
static void held_by_add(struct held_by *h, uint64_t findings, uint64_t holder, uint32_t object)
{
	for (; findings; findings &= findings - 1) {
		size_t finding = (size_t)__builtin_ctzll(findings);
		uint64_t at = h->count;
		if (map_add(&h->holders, holder * WHAT_IF_SETS + finding + 1, &at))
			MEM_PUSH(h->holder, h->count, h->capacity,
			         ((struct held_by_holder){.holder = holder, .finding = finding}));
		if (h->holder[at].last == object + 1)
			continue;
		h->holder[at].last = object + 1;
		h->holder[at].bytes += dominators_bytes(h->dominators, object);
	}
}

/* Returns the holder that a root is a part of: of frames, the function, whichever thread runs it.
 */
static uint64_t held_by_root(struct held_by *h, const struct heap *heap, uint32_t root)
{
	const struct root *r = &heap->roots[root];
	uint64_t places = h->tree->merged_paths->count, first = r->holder;
	const struct frame_record *frame = r->kind == ROOT_FRAME ? &heap->frames[r->holder].record
	                                                         : NULL;
	if (!frame || !frame->entry_pc || !frame->function.len)
		return places + h->root_nodes->of_root[root];
	map_add(&h->functions, frame->entry_pc, &first);
	return places + h->root_nodes->count + first;
}

/* Counts an object for its referrers and roots outside of the findings that it is below. */
static void held_by_visit(struct held_by *h, const struct analysis *analysis,
                          const struct what_if_sets *sets, uint32_t object, uint64_t findings)
{
	const struct merged_paths *paths = h->tree->merged_paths;
	struct ids from = heap_referrers(analysis_heap(analysis), object);
	struct ids roots = reach_roots_of(analysis_reach(analysis), object);
	const struct root_nodes *root_nodes = h->root_nodes;
	uint32_t before = reach_before(analysis_reach(analysis), object);
	uint32_t objects = heap_object_count(analysis_heap(analysis));
	/* the variable that it is the place of */
	uint32_t own = before >= objects && before != OBJECT_NONE
	                   ? root_nodes->of_root[before - objects]
	                   : UINT32_MAX;
	for (size_t i = 0; i < from.count; i++) {
		uint32_t place = merged_paths_node(paths, from.id[i]);
		if (place != OBJECT_NONE)
			held_by_add(h,
			            findings & what_if_sets_left(sets, from.id[i])
			                & ~(h->below[place] | h->above[place]),
			            place, object);
	}
	for (size_t i = 0; i < roots.count; i++)
		if (root_retains(&analysis_heap(analysis)->roots[roots.id[i]])
		    && root_nodes->of_root[roots.id[i]] != own)
			held_by_add(h, findings, held_by_root(h, analysis_heap(analysis), roots.id[i]), object);
}

/* Marks the place of each finding, and those below it. Returns false if no finding has one. */
static bool held_by_mark(struct held_by *h, struct finding *const *finding, size_t count)
{
	const struct merged_paths *paths = h->tree->merged_paths;
	bool any = false;
	h->above = mem_alloc((paths->count + 1) * sizeof *h->above);
	h->at = mem_alloc((paths->count + 1) * sizeof *h->at);
	h->below = mem_alloc((paths->count + 1) * sizeof *h->below);
	for (size_t i = 0; i < count; i++)
		if (finding[i]->place) {
			h->at[finding[i]->place - 1] |= UINT64_C(1) << i;
			for (uint32_t place = paths->node[finding[i]->place - 1].parent; place != OBJECT_NONE;
			     place = paths->node[place].parent)
				h->above[place] |= UINT64_C(1) << i;
			any = true;
		}
	/* A place stands behind the one above it. */
	for (size_t place = 0; any && place < paths->count; place++)
		h->below[place] = h->at[place]
		                  | (place < paths->topmost ? 0 : h->below[paths->node[place].parent]);
	return any;
}

static void held_by_add_name(const struct held_by *h, const struct analysis *analysis,
                             uint64_t holder, struct buf *out)
{
	uint64_t places = h->tree->merged_paths->count;
	if (holder < places) {
		path_exact_add(h->tree, (uint32_t)holder, out);
	} else if (holder < places + h->root_nodes->count) {
		entity_add_name(analysis, (struct entity){ENTITY_ROOT_NODE, (uint32_t)(holder - places), 0},
		                out);
	} else {
		uint64_t frame = holder - places - h->root_nodes->count;
		struct text function = analysis_heap(analysis)->frames[frame].record.function;
		text_add_symbol(out, function.data, function.len, NAME_SHOWN);
	}
}

/* Writes the name of the largest holder of each finding. */
static void held_by_write(const struct held_by *h, struct finding *const *finding, size_t count,
                          const struct analysis *analysis)
{
	const struct held_by_holder *most[WHAT_IF_SETS] = {0};
	for (size_t i = 0; i < h->count; i++)
		if (!most[h->holder[i].finding] || h->holder[i].bytes > most[h->holder[i].finding]->bytes)
			most[h->holder[i].finding] = &h->holder[i];
	for (size_t i = 0; i < count; i++)
		if (most[i] && most[i]->bytes >= finding[i]->bytes / 100 * LEAST)
			held_by_add_name(h, analysis, most[i]->holder, &finding[i]->held_by);
}

void held_by_find(struct finding *const *finding, size_t count, const struct analysis *analysis,
                  const struct what_if_sets *sets, struct progress *progress)
{
	struct held_by h = {.tree = analysis_kept(analysis, &path_tree_whole, RETAIN_ALIVE, progress),
	                    .root_nodes = analysis_root_nodes(analysis),
	                    .dominators = analysis_dominators(analysis, RETAIN_ALIVE)};
	uint32_t objects = heap_object_count(analysis_heap(analysis));
	bool any = h.tree && h.tree->merged_paths && h.dominators && held_by_mark(&h, finding, count);
	for (uint32_t id = 0; any && id < objects; id++) {
		uint32_t place = merged_paths_node(h.tree->merged_paths, id);
		uint64_t findings = place != OBJECT_NONE ? h.below[place] : 0;
		if (findings && (findings &= h.at[place] | what_if_sets_left(sets, id)))
			held_by_visit(&h, analysis, sets, id, findings);
	}
	held_by_write(&h, finding, any ? count : 0, analysis);
	map_free(&h.functions);
	map_free(&h.holders);
	free(h.holder);
	free(h.above);
	free(h.at);
	free(h.below);
}
