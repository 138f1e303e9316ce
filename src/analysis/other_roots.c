#include "analysis/other_roots.h"

#include "base/map.h"
#include "base/mem.h"

#include <stdlib.h>

enum {
	STEP = 4096,
	SEARCH_QUICK = 1 << 14, /* objects that are gone through before dominators are asked */
	FORWARD_MOST = 1 << 14 /* objects that timers may lead to, before it is as quick to look back */
};

/* A search backwards from the object: everything that leads to it. */
struct search {
	const struct root_nodes *root_nodes;
	const struct reach *reach;
	uint64_t *seen, *counted; /* a bit an object, a bit a root node */
	size_t seen_size;
	uint32_t *queue;
	size_t head, count, capacity;
	bool weak; /* only weak roots lead to the object */
	struct other_roots *found;
};

static bool mark(uint64_t *bits, uint32_t number)
{
	uint64_t bit = (uint64_t)1 << number % 64;
	bool before = bits[number / 64] & bit;
	bits[number / 64] |= bit;
	return !before;
}

static bool is_marked(const uint64_t *bits, uint32_t number)
{
	return bits[number / 64] >> number % 64 & 1;
}

static void other_roots_visit(struct search *s, uint32_t object)
{
	if (!mark(s->seen, object))
		return;
	s->queue = mem_grow(s->queue, s->count, &s->capacity, sizeof *s->queue);
	s->queue[s->count++] = object;
}

/* The root node right below that of its class; *root_class. */
static uint32_t other_roots_top(const struct root_nodes *root_nodes, uint32_t node,
                                enum root_class *root_class)
{
	const struct root_node *at = root_nodes->root_node;
	while (at[at[node].parent].kind != ROOT_NODE_CLASS)
		node = at[node].parent;
	*root_class = (enum root_class)at[at[node].parent].index;
	return node;
}

enum root_class other_roots_class(const struct root_nodes *root_nodes, uint32_t root)
{
	enum root_class root_class = ROOT_CLASSES;
	if (root_nodes->of_root[root] != UINT32_MAX)
		other_roots_top(root_nodes, root_nodes->of_root[root], &root_class);
	return root_class;
}

static void other_roots_count(struct search *s, uint32_t node)
{
	enum root_class root_class;
	uint32_t top = other_roots_top(s->root_nodes, node, &root_class);
	if (root_class == ROOT_CLASS_WEAK && !s->weak)
		return;
	if (mark(s->counted, top))
		s->found->count[root_class]++;
}

static void look_up(struct search *s, uint32_t object)
{
	struct ids roots = reach_roots_of(s->reach, object);
	struct ids referrers = heap_referrers(s->root_nodes->heap, object);
	for (size_t i = 0; i < roots.count; i++)
		if (s->root_nodes->of_root[roots.id[i]] != UINT32_MAX)
			other_roots_count(s, s->root_nodes->of_root[roots.id[i]]);
	for (size_t i = 0; i < referrers.count; i++)
		other_roots_visit(s, referrers.id[i]);
}

static void count_pools(struct search *s)
{
	const struct root_nodes *root_nodes = s->root_nodes;
	for (uint32_t i = 0; i < root_nodes->pools.count; i++)
		if (is_marked(s->seen, root_nodes->pools.object[i]))
			other_roots_count(s, root_nodes->root_class[ROOT_CLASS_POOL] + 1 + i);
}

static void other_roots_start(struct search *s, uint32_t object)
{
	s->seen_size = heap_object_count(s->root_nodes->heap) / 8 + 8ULL;
	s->seen = mem_column(s->seen_size);
	s->counted = mem_alloc(s->root_nodes->count / 8 + 8ULL);
	other_roots_visit(s, object);
}

static void other_roots_end(struct search *s)
{
	mem_column_free(s->seen, s->seen_size);
	free(s->counted);
	free(s->queue);
}

/* Until all has been seen, or so many objects. False: cancelled. */
static bool other_roots_look_back(struct search *s, size_t most, struct progress *progress)
{
	for (; s->head < s->count && s->head < most; s->head++) {
		if (s->head % STEP == 0 && !progress_step(progress, s->head))
			return false;
		look_up(s, s->queue[s->head]);
	}
	return true;
}

/* ---- Timers */

static void count_timers(struct search *s, const struct gotimers *timers)
{
	for (size_t i = 0; i < timers->count; i++)
		if (timers->item[i].object != OBJECT_NONE && is_marked(s->seen, timers->item[i].object))
			s->found->timers++;
}

/* How many objects there are on from this one, up to `most`, or until `to` is met: *meets. */
static size_t other_roots_look_ahead(const struct heap *heap, uint32_t from, uint32_t to,
                                     size_t most, bool *meets)
{
	struct map seen = {0};
	uint32_t *queue = mem_alloc(sizeof *queue);
	size_t count = 1, capacity = 1, work = 0;
	uint64_t known;
	queue[0] = from;
	map_put(&seen, from, 1);
	*meets = from == to;
	for (size_t head = 0; head < count && work < most && !*meets; head++) {
		struct ids ids = heap_references(heap, queue[head]);
		for (size_t i = 0; i < ids.count && work++ < most && !*meets; i++) {
			*meets = ids.id[i] == to;
			if (map_get(&seen, ids.id[i], &known))
				continue;
			map_put(&seen, ids.id[i], 1);
			queue = mem_grow(queue, count, &capacity, sizeof *queue);
			queue[count++] = ids.id[i];
		}
	}
	map_free(&seen);
	free(queue);
	return work;
}

/* False: they lead to too much. */
static bool timers_ahead(const struct heap *heap, const struct gotimers *timers, uint32_t object,
                         uint64_t *found)
{
	size_t left = FORWARD_MOST;
	*found = 0;
	for (size_t i = 0; i < timers->count && left; i++) {
		bool meets = false;
		if (timers->item[i].object == OBJECT_NONE)
			continue;
		size_t work = other_roots_look_ahead(heap, timers->item[i].object, object, left, &meets);
		left = work < left ? left - work : 0;
		*found += meets;
	}
	return left > 0;
}

/* ---- What dominators tell. Every way to an object leads through what is topmost of its
   dominators, so that the same roots lead there; who these are, owners have been asked before. */

/* False: owners are several roots, and nothing says how many of these it are. */
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

bool other_roots_told(const struct analysis *analysis, const struct gotimers *timers,
                      uint32_t object, struct progress *progress, struct other_roots *found)
{
	const struct dominators *d = analysis_dominators(analysis, RETAIN_ALIVE);
	enum root_class root_class;
	*found = (struct other_roots){0};
	if (!d || !dominators_has(d, object)
	    || !timers_ahead(analysis_heap(analysis), timers, object, &found->timers))
		return false;
	uint32_t top = dominators_topmost(d, object);
	uint32_t root_node = root_nodes_of_node(d->root_nodes, top);
	if (root_node != UINT32_MAX) {
		other_roots_top(d->root_nodes, root_node, &root_class);
		found->count[root_class] = 1;
		return true;
	}
	const struct owners *owners = analysis_owners(analysis, RETAIN_ALIVE, progress);
	return owners && count_owners(owners, owners_of_top(owners, top), found);
}

/* ---- */

static bool other_roots_look(struct search *s, const struct analysis *analysis,
                             const struct gotimers *timers, uint32_t object,
                             struct progress *progress)
{
	struct other_roots told;
	if (!other_roots_look_back(s, SEARCH_QUICK, progress))
		return false;
	if (s->head < s->count && !s->weak
	    && other_roots_told(analysis, timers, object, progress, &told)) {
		*s->found = told;
		return true;
	}
	if (!other_roots_look_back(s, SIZE_MAX, progress))
		return false;
	count_pools(s);
	count_timers(s, timers);
	return true;
}

bool other_roots_find(const struct analysis *analysis, uint32_t object, struct progress *progress,
                      struct other_roots *found)
{
	const struct heap *heap = analysis_heap(analysis);
	struct gotimers none = {0}, *timers = NULL;
	struct search s = {.root_nodes = analysis_root_nodes(analysis),
	                   .reach = analysis_reach(analysis),
	                   .weak = reach_is_weak(analysis_reach(analysis), object),
	                   .found = found};
	*found = (struct other_roots){0};
	progress_begin(progress, "looking for other roots", heap_object_count(heap));
	if (heap_has(heap, HAS_RUNTIME | HAS_CONTENTS))
		timers = gotimers_new(heap);
	other_roots_start(&s, object);
	bool done = other_roots_look(&s, analysis, timers ? timers : &none, object, progress);
	other_roots_end(&s);
	gotimers_free(timers);
	return done;
}
