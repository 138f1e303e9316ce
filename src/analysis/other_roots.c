#include "analysis/other_roots.h"

#include "base/mem.h"
#include "goruntime/gotimer.h"

#include <stdlib.h>

enum { STEP = 4096 };

/* A search backwards from the object: everything that leads to it. */
struct search {
	const struct root_nodes *root_nodes;
	const struct reach *reach;
	uint64_t *seen, *counted; /* a bit an object, a bit a root node */
	uint32_t *queue;
	size_t count, capacity;
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

static void count_timers(struct search *s)
{
	struct gotimers *timers = gotimers_new(s->root_nodes->heap);
	for (size_t i = 0; i < timers->count; i++)
		if (timers->item[i].object != OBJECT_NONE && is_marked(s->seen, timers->item[i].object))
			s->found->timers++;
	gotimers_free(timers);
}

bool other_roots_find(const struct root_nodes *root_nodes, const struct reach *reach,
                      uint32_t object, struct progress *progress, struct other_roots *found)
{
	uint32_t objects = heap_object_count(root_nodes->heap);
	size_t seen_size = objects / 8 + 8ULL;
	struct search s = {.root_nodes = root_nodes,
	                   .reach = reach,
	                   .seen = mem_column(seen_size),
	                   .counted = mem_alloc(root_nodes->count / 8 + 8ULL),
	                   .weak = reach_is_weak(reach, object),
	                   .found = found};
	bool going_on = true;
	*found = (struct other_roots){0};
	progress_begin(progress, "looking for other roots", objects);
	other_roots_visit(&s, object);
	for (size_t head = 0; head < s.count && going_on; head++) {
		look_up(&s, s.queue[head]);
		going_on = head % STEP != 0 || progress_step(progress, head);
	}
	if (going_on)
		count_pools(&s);
	if (going_on && heap_has(root_nodes->heap, HAS_RUNTIME | HAS_CONTENTS))
		count_timers(&s);
	mem_column_free(s.seen, seen_size);
	free(s.counted);
	free(s.queue);
	return going_on;
}
