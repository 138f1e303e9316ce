/* A breadth-first search backward; for objects with many ancestors, answers by dominators. */
#include "analysis/other_roots.h"

#include "analysis/owners.h"
#include "base/map.h"
#include "base/mem.h"
#include "heap/heap.h"

#include <stdlib.h>

enum {
	STEP = 4096,
	SEARCH_QUICK = 1 << 16, /* objects that are searched before dominators are used */
	FORWARD_MOST = 1 << 17  /* pointers followed from timers, before a backward search is as fast */
};

/* A backward search from the object over all of its ancestors. */
struct search {
	const struct root_nodes *root_nodes;
	const struct reach *reach;
	uint64_t *seen, *counted; /* bits by object; bits by root node */
	uint64_t *rooted;         /* bits by object: a root points at it */
	size_t bits_size;         /* bytes of the bits by object */
	uint32_t *queue;
	size_t head, count, capacity;
	bool weak; /* only weak roots reach the object */
	struct other_roots *found;
};

static void other_roots_visit(struct search *s, uint32_t object)
{
	if (word_bit_add(s->seen, object))
		MEM_PUSH(s->queue, s->count, s->capacity, object);
}

/* Returns the ancestor of a root node that is immediately below its class; *root_class is that
   class. */
static uint32_t other_roots_top(const struct root_nodes *root_nodes, uint32_t node,
                                enum root_class *root_class)
{
	const struct root_node *at = root_nodes->root_node;
	while (at[at[node].parent].kind != ROOT_NODE_CLASS)
		node = at[node].parent;
	*root_class = (enum root_class)at[at[node].parent].index;
	return node;
}

struct other_roots other_roots_without(const struct analysis *analysis,
                                       const struct other_roots *all, uint32_t root)
{
	const struct root_nodes *root_nodes = analysis_root_nodes(analysis);
	struct other_roots others = *all;
	enum root_class root_class = ROOT_CLASSES;
	if (root_nodes->of_root[root] != UINT32_MAX)
		other_roots_top(root_nodes, root_nodes->of_root[root], &root_class);
	if (root_class < ROOT_CLASSES && others.count[root_class])
		others.count[root_class]--;
	return others;
}

static void other_roots_count(struct search *s, uint32_t node)
{
	enum root_class root_class;
	uint32_t top = other_roots_top(s->root_nodes, node, &root_class);
	if (root_class == ROOT_CLASS_WEAK && !s->weak)
		return;
	if (word_bit_add(s->counted, top))
		s->found->count[root_class]++;
}

static void look_up_roots(struct search *s, uint32_t object)
{
	struct ids roots = reach_roots_of(s->reach, object);
	for (size_t i = 0; i < roots.count; i++)
		if (s->root_nodes->of_root[roots.id[i]] != UINT32_MAX)
			other_roots_count(s, s->root_nodes->of_root[roots.id[i]]);
}

static void count_pools(struct search *s)
{
	const struct root_nodes *root_nodes = s->root_nodes;
	for (uint32_t i = 0; i < root_nodes->pools.count; i++)
		if (word_bit_is_set(s->seen, root_nodes->pools.object[i]))
			other_roots_count(s, root_nodes->root_class[ROOT_CLASS_POOL] + 1 + i);
}

static void other_roots_start(struct search *s)
{
	const struct heap *heap = s->root_nodes->heap;
	s->bits_size = heap_object_count(heap) / 8 + 8ULL;
	s->seen = mem_column(s->bits_size);
	s->rooted = mem_column(s->bits_size);
	for (uint32_t r = 0; r < heap->root_count; r++)
		word_bit_set(s->rooted, heap->roots[r].target);
	s->counted = mem_alloc(s->root_nodes->count / 8 + 8ULL);
}

static void other_roots_end(struct search *s)
{
	mem_column_free(s->seen, s->bits_size);
	mem_column_free(s->rooted, s->bits_size);
	free(s->counted);
	free(s->queue);
}

/* Searches up to `most` objects. False: cancelled. */
static bool other_roots_look_back(struct search *s, size_t most, struct progress *progress)
{
	struct edges back = heap_back_edges(s->root_nodes->heap);
	for (; s->head < s->count && s->head < most; s->head++) {
		uint32_t object = s->queue[s->head];
		struct ids referrers = edges_of(back, object);
		if (s->head % STEP == 0 && !progress_step(progress, s->head))
			return false;
		edges_ahead(back, s->queue + s->head, s->count - s->head);
		if (word_bit_is_set(s->rooted, object))
			look_up_roots(s, object);
		for (size_t i = 0; i < referrers.count; i++)
			other_roots_visit(s, referrers.id[i]);
	}
	return true;
}

/* ---- Timers */

/* Objects in the order of their visit, each once a mark. */
struct meeting {
	const struct heap *heap;
	struct map seen; /* mark by object: 1, reached from timers; 2, also reaches the object */
	uint32_t *queue;
	size_t count, capacity;
};

/* Queues an object with a mark if its mark is one less (0: none). */
static void meeting_add(struct meeting *m, uint32_t object, uint64_t mark)
{
	uint64_t known = 0;
	map_get(&m->seen, object, &known);
	if (known + 1 != mark)
		return;
	map_put(&m->seen, object, mark);
	MEM_PUSH(m->queue, m->count, m->capacity, object);
}

/* Visits all that timers reach; false: more than `most`. */
static bool meeting_ahead(struct meeting *m, const struct gotimers *timers, size_t most)
{
	size_t work = 0;
	for (size_t i = 0; i < timers->count; i++)
		if (timers->item[i].object != OBJECT_NONE)
			meeting_add(m, timers->item[i].object, 1);
	for (size_t head = 0; head < m->count && work <= most; head++) {
		struct ids ids = heap_references(m->heap, m->queue[head]);
		work += ids.count + 1;
		for (size_t i = 0; i < ids.count && work <= most; i++)
			meeting_add(m, ids.id[i], 1);
	}
	return work <= most;
}

/* Visits what reaches an object, among these. */
static void meeting_back(struct meeting *m, uint32_t object)
{
	size_t head = m->count;
	meeting_add(m, object, 2);
	for (; head < m->count; head++) {
		struct ids ids = heap_referrers(m->heap, m->queue[head]);
		for (size_t i = 0; i < ids.count; i++)
			meeting_add(m, ids.id[i], 2);
	}
}

static void count_timers_ahead(const struct heap *heap, const struct gotimers *timers, size_t most,
                               uint32_t object, struct other_roots *found)
{
	struct meeting m = {.heap = heap};
	uint64_t known;
	found->timers_unknown = !meeting_ahead(&m, timers, most);
	if (!found->timers_unknown)
		meeting_back(&m, object);
	for (size_t i = 0; i < timers->count && !found->timers_unknown; i++)
		found->timers += map_get(&m.seen, timers->item[i].object, &known) && known == 2;
	map_free(&m.seen);
	free(m.queue);
}

/* ---- Answers by dominators. The topmost dominator of an object is on every path to it, so that
   the same roots reach both; the cached owners know which. */

/* Counts owners as roots. False: some owner consists of several roots, and the number that reaches
   the object is unknown. */
static bool count_owners(const struct owners *owners, struct ids ids, struct other_roots *found)
{
	for (size_t i = 0; i < ids.count; i++) {
		enum root_class root_class;
		const struct owner *owner = &owners->owner[ids.id[i]];
		if (owner->root_nodes != 1)
			return false;
		other_roots_top(owners->dominators->root_nodes, owner->root_node, &root_class);
		found->count[root_class]++;
	}
	return ids.count > 0;
}

/* A backward search over topmost nodes, which skips what is below them. */
struct tops {
	struct search search; /* its objects are topmost nodes */
	const struct dominators *dominators;
	uint32_t *top_of; /* by node: 1 + its topmost dominator; 0: unknown */
};

static uint32_t tops_above(struct tops *t, uint32_t node)
{
	const struct dominators *d = t->dominators;
	uint32_t top = node;
	while (!t->top_of[top] && !dominators_is_topmost(d, top))
		top = dominators_above(d, top);
	top = t->top_of[top] ? t->top_of[top] - 1 : top;
	for (; !t->top_of[node] && node != top; node = dominators_above(d, node))
		t->top_of[node] = top + 1;
	t->top_of[top] = top + 1;
	return top;
}

static void tops_visit(struct tops *t, uint32_t top)
{
	uint32_t root_node = root_nodes_of_node(t->dominators->root_nodes, top);
	if (root_node != UINT32_MAX)
		other_roots_count(&t->search, root_node);
	else
		other_roots_visit(&t->search, top);
}

static void tops_look_up(struct tops *t, uint32_t top)
{
	struct ids referrers = heap_referrers(t->search.root_nodes->heap, top);
	look_up_roots(&t->search, top);
	for (size_t i = 0; i < referrers.count; i++)
		if (dominators_has(t->dominators, referrers.id[i]))
			tops_visit(t, tops_above(t, referrers.id[i]));
}

static bool tops_search(struct tops *t, uint32_t top, struct progress *progress)
{
	struct search *s = &t->search;
	size_t size = t->dominators->nodes * sizeof *t->top_of;
	bool going_on = true;
	t->top_of = mem_column(size);
	other_roots_start(s);
	tops_visit(t, top);
	for (; s->head < s->count && going_on; s->head++) {
		tops_look_up(t, s->queue[s->head]);
		going_on = s->head % STEP != 0 || progress_step(progress, s->head);
	}
	count_pools(s);
	other_roots_end(s);
	mem_column_free(t->top_of, size);
	return going_on;
}

bool other_roots_by_dominators(const struct analysis *analysis, const struct gotimers *timers,
                               size_t pointers, uint32_t object, struct progress *progress,
                               struct other_roots *found)
{
	const struct dominators *d = analysis_dominators(analysis, RETAIN_ALIVE);
	*found = (struct other_roots){0};
	if (!d || d->partial || !dominators_has(d, object))
		return false;
	count_timers_ahead(analysis_heap(analysis), timers, pointers, object, found);
	uint32_t top = dominators_topmost(d, object);
	const struct owners *owners = analysis_owners(analysis, RETAIN_ALIVE, progress);
	struct other_roots owned = *found;
	if (owners && count_owners(owners, owners_of_top(owners, top), &owned)) {
		*found = owned;
		return true;
	}
	struct tops tops = {
		.dominators = d,
		.search = {.root_nodes = d->root_nodes, .reach = analysis_reach(analysis), .found = found}};
	return owners && tops_search(&tops, top, progress);
}

/* ---- Search */

static bool other_roots_look(struct search *s, const struct analysis *analysis,
                             const struct gotimers *timers, uint32_t object,
                             struct progress *progress)
{
	struct other_roots told;
	if (!other_roots_look_back(s, SEARCH_QUICK, progress))
		return false;
	if (s->head < s->count && !s->weak
	    && other_roots_by_dominators(analysis, timers, FORWARD_MOST, object, progress, &told)) {
		*s->found = told;
		return true;
	}
	if (!other_roots_look_back(s, SIZE_MAX, progress))
		return false;
	count_pools(s);
	for (size_t i = 0; i < timers->count; i++)
		if (timers->item[i].object != OBJECT_NONE)
			s->found->timers += word_bit_is_set(s->seen, timers->item[i].object);
	return true;
}

bool other_roots_find(const struct analysis *analysis, uint32_t object, struct progress *progress,
                      struct other_roots *found)
{
	const struct heap *heap = analysis_heap(analysis);
	struct gotimers *timers = gotimers_new(heap);
	struct search s = {.root_nodes = analysis_root_nodes(analysis),
	                   .reach = analysis_reach(analysis),
	                   .weak = reach_is_weak(analysis_reach(analysis), object),
	                   .found = found};
	*found = (struct other_roots){0};
	progress_begin(progress, "looking for other roots", heap_object_count(heap));
	other_roots_start(&s);
	other_roots_visit(&s, object);
	bool done = other_roots_look(&s, analysis, timers, object, progress);
	other_roots_end(&s);
	gotimers_free(timers);
	return done;
}
