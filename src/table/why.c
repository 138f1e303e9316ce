#include "table/why.h"

#include "base/mem.h"
#include "table/node_kind.h"

#include <stdlib.h>
#include <string.h>

/* What makes holders alike: node_key. */
struct kind {
	uint64_t key;
	uint32_t node;
};

static int by_kind(const void *a, const void *b)
{
	const struct kind *x = a, *y = b;
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

/* Objects, then variables, then goroutines ... */
static int rank(const struct why_holder *holder)
{
	return holder->anchor ? 1 + holder->anchor->kind : 0;
}

static int firmest_first(const void *a, const void *b)
{
	const struct why_holder *x = a, *y = b;
	if (rank(x) != rank(y))
		return rank(x) < rank(y) ? -1 : 1;
	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

static void put_together(struct why *why, const struct joint *joint, struct why_joint *out)
{
	const struct dominators *d = why->gates.dominators;
	struct kind *kinds = mem_alloc((joint->count + 1) * sizeof *kinds);
	for (size_t i = 0; i < joint->count; i++)
		kinds[i] = (struct kind){node_key(why->analysis, joint->holder[i]), joint->holder[i]};
	qsort(kinds, joint->count, sizeof *kinds, by_kind);
	out->holder = mem_alloc((joint->count + 1) * sizeof *out->holder);
	for (size_t i = 0; i < joint->count; i++) {
		if (i == 0 || kinds[i].key != kinds[i - 1].key)
			out->holder[out->holders++] = (struct why_holder){
				.node = kinds[i].node, .anchor = node_anchor(why->analysis, kinds[i].node)};
		out->holder[out->holders - 1].count++;
		out->holder[out->holders - 1].bytes += d->bytes[kinds[i].node];
	}
	qsort(out->holder, out->holders, sizeof *out->holder, firmest_first);
	out->count = joint->count;
	out->directly = joint->directly;
	free(kinds);
}

static bool find_joint(struct why *why, size_t gate, struct progress *progress)
{
	struct joint joint;
	if (!joint_exists(&why->gates, gate))
		return true;
	bool done = joint_find(&why->gates, gate, progress, &joint);
	if (done && joint_is(&joint)) {
		struct why_joint *out = &why->joint[why->joints++];
		out->gate = gate;
		put_together(why, &joint, out);
		done = joint_freed(&why->gates, gate, &joint, progress, &out->freed);
	}
	joint_fini(&joint);
	return done;
}

/* The stretch from the roots, and of the others the last that has several ways. */
static bool find_joints(struct why *why, struct progress *progress)
{
	size_t first = why->gates.anchors;
	if (!find_joint(why, first, progress))
		return false;
	for (size_t gate = why->gates.count - 1; gate > first; gate--)
		if (joint_exists(&why->gates, gate))
			return find_joint(why, gate, progress);
	return true;
}

/* The nearest variable, goroutine ... above it. */
static uint32_t find_owner(const struct analysis *analysis, uint32_t object)
{
	const struct dominators *d = analysis_dominators(analysis, RETAIN_FIRM);
	for (uint32_t node = d->idom[object]; node != OBJECT_NONE; node = d->idom[node]) {
		const struct anchor *anchor = node_anchor(analysis, node);
		if (!anchor)
			continue;
		bool none = anchor->kind == ANCHOR_ALL || anchor->kind == ANCHOR_STRENGTH;
		return none ? OBJECT_NONE : node;
	}
	return OBJECT_NONE;
}

bool why_init(struct why *why, const struct analysis *analysis, uint32_t object,
              struct progress *progress)
{
	*why = (struct why){.analysis = analysis, .object = object, .owner = OBJECT_NONE};
	if (!reach_has(analysis->reach, object))
		return true;
	why->paths = paths_open(analysis->heap, analysis->reach, object);
	why->path = paths_get(why->paths, 0, progress);
	why->owner = find_owner(analysis, object);
	if (!why->path)
		return false;
	gates_init(&why->gates, analysis_dominators(analysis, RETAIN_ALIVE), analysis->reach, why->path);
	return find_joints(why, progress);
}

void why_fini(struct why *why)
{
	for (size_t i = 0; i < why->joints; i++)
		free(why->joint[i].holder);
	if (why->gates.count)
		gates_fini(&why->gates);
	paths_close(why->paths);
}
