/* Alternatives are shortest paths by a breadth-first search backward within the segment. */
#include "analysis/path_dominators.h"

#include "base/bound.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum {
	ALTERNATIVES = 4096, /* maximum number of alternatives */
	LOOKED = 1 << 16,    /* maximum number of predecessors examined */
	STEP = 4096,
};

/* Returns true if a predecessor of the second dominator lies within the segment. */
static bool path_segment_contains(const struct path_segment *segment, struct path_dominators *chain,
                                  uint32_t holder)
{
	return path_dominators_deepest(chain, holder) + 1 == segment->path_dominator;
}

static void path_segment_find(struct path_segment *segment, struct path_dominators *chain,
                              const struct path *path)
{
	const struct root_nodes *root_nodes = chain->dominators->root_nodes;
	uint32_t present = segment->end ? path->step[segment->end - 1]
	                                : root_nodes_node(root_nodes, root_nodes->of_root[path->root]);
	struct predecessors predecessors;
	size_t capacity = 0, looked = 0;
	uint32_t node;
	MEM_PUSH(segment->holder, segment->count, capacity, present);
	predecessors_start(&predecessors, chain->dominators, chain->reach, path->step[segment->end]);
	while (!segment->limited && predecessors_next(&predecessors, &node)) {
		segment->limited = ++looked > LOOKED || segment->count == ALTERNATIVES;
		if (!segment->limited && node != present && path_segment_contains(segment, chain, node))
			MEM_PUSH(segment->holder, segment->count, capacity, node);
	}
	bound_sort(segment->holder, segment->count, BOUND_ITSELF(uint32_t));
	while (segment->holder[segment->current] != present)
		segment->current++;
}

void path_segment_init(struct path_segment *segment, struct path_dominators *chain,
                       const struct path *path, size_t step)
{
	size_t second = path_dominators_next(chain, step);
	if (second == chain->count)
		second--;
	const struct path_dominator *end = &chain->item[second];
	*segment = (struct path_segment){.path_dominator = second, .end = end->step};
	if (second > chain->root_nodes)
		segment->first = end[-1].step + 1;
	path_segment_find(segment, chain, path);
}

void path_segment_fini(struct path_segment *segment)
{
	free(segment->holder);
	*segment = (struct path_segment){0};
}

/* A backward search from the last holder to the first dominator, or to a root below it. */
struct backward {
	const struct path_segment *segment;
	struct path_dominators *chain;
	struct trail {
		uint32_t object, nearer;
	} * trail;
	size_t count, capacity;
	uint64_t *seen; /* bits by object */
};

static void path_segment_visit(struct backward *b, uint32_t object, uint32_t nearer)
{
	if (word_bit_add(b->seen, object))
		MEM_PUSH(b->trail, b->count, b->capacity, (struct trail){object, nearer});
}

/* Returns false if cancelled. *last is the trail index of an object that the dominator, or a root
   below it, references. */
static bool path_segment_search(struct backward *b, struct progress *progress, uint32_t *last)
{
	const struct dominators *d = b->chain->dominators;
	uint32_t objects = heap_object_count(d->root_nodes->heap), node;
	uint32_t path_dominator = b->chain->item[b->segment->path_dominator - 1].node;
	for (uint32_t head = 0; head < b->count; head++) {
		struct predecessors predecessors;
		predecessors_start(&predecessors, d, b->chain->reach, b->trail[head].object);
		*last = head;
		while (predecessors_next(&predecessors, &node)) {
			if (node == path_dominator || node >= objects)
				return true;
			if (path_segment_contains(b->segment, b->chain, node))
				path_segment_visit(b, node, head);
		}
		if (head % STEP == 0 && !progress_step(progress, head))
			return false;
	}
	return false;
}

/* Returns the strongest root that points at an object; if root_node is not OBJECT_NONE, only roots
   below it count. */
static uint32_t find_root(const struct path_dominators *chain, uint32_t object, uint32_t root_node)
{
	const struct root_nodes *root_nodes = chain->dominators->root_nodes;
	struct ids roots = reach_roots_of(chain->reach, object);
	const uint8_t *root_class = chain->reach->root_class;
	uint32_t found = OBJECT_NONE;
	for (size_t i = 0; i < roots.count; i++) {
		uint32_t root = roots.id[i], above = root_nodes_node(root_nodes, root_nodes->of_root[root]);
		if (root_node == OBJECT_NONE ? !dominators_has(chain->dominators, above)
		                             : above != root_node)
			continue;
		if (found == OBJECT_NONE || root_class[root] < root_class[found])
			found = root;
	}
	return found;
}

/* Joins the path up to the dominator, the trail from `last` on, and the path from the second
   dominator on. */
static void join(const struct backward *b, const struct path *path, uint32_t last, bool direct,
                 struct path *taken)
{
	size_t first = b->segment->first, end = b->segment->end, between = 0;
	for (uint32_t at = last; !direct; at = b->trail[at].nearer) {
		between++;
		if (at == 0)
			break;
	}
	*taken = (struct path){.root = path->root, .count = first + between + path->count - end};
	taken->step = mem_alloc(taken->count * sizeof *taken->step);
	memcpy(taken->step, path->step, first * sizeof *taken->step);
	for (size_t i = 0; i < between; i++, last = b->trail[last].nearer)
		taken->step[first + i] = b->trail[last].object;
	memcpy(taken->step + first + between, path->step + end,
	       (path->count - end) * sizeof *taken->step);
}

bool path_segment_take(const struct path_segment *segment, struct path_dominators *chain,
                       const struct path *path, size_t alternative, struct progress *progress,
                       struct path *taken)
{
	const struct root_nodes *root_nodes = chain->dominators->root_nodes;
	uint32_t objects = heap_object_count(root_nodes->heap), holder = segment->holder[alternative],
			 last = 0;
	bool direct = holder >= objects || holder == chain->item[segment->path_dominator - 1].node;
	struct backward b = {.segment = segment, .chain = chain};
	progress_begin(progress, "looking for another path", 0);
	b.seen = mem_alloc((objects / 64 + 1) * sizeof *b.seen);
	if (!direct)
		path_segment_visit(&b, holder, 0);
	bool done = direct || path_segment_search(&b, progress, &last);
	if (done)
		join(&b, path, last, direct, taken);
	if (done && segment->first == 0)
		taken->root = find_root(chain, taken->step[0], holder >= objects ? holder : OBJECT_NONE);
	free(b.trail);
	free(b.seen);
	return done;
}
