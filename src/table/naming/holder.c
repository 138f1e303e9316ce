#include "table/naming/holder.h"

#include "analysis/structures.h"
#include "heap/root.h"
#include "table/naming/entity.h"
#include "table/naming/step.h"
#include "table/paths/path_steps.h"

enum { LEVELS = 8 }; /* depth of slices within slices */

/* The chain from the representing object down to an object. */
struct holder_chain {
	uint32_t step[LEVELS + 1]; /* step[count] is for the target of the last pointer */
	size_t count;
	uint32_t root; /* references the first step, which is an array; OBJECT_NONE: none does */
};

/* Returns the next object up the chain; OBJECT_NONE: the object represents itself. */
static uint32_t holder_above(const struct analysis *analysis, uint32_t object, uint32_t *root)
{
	uint32_t head = structures_of(analysis_structures(analysis), object);
	if (head != object)
		return head;
	if (!path_is_array(analysis, object))
		return OBJECT_NONE;
	struct ids referrers = heap_referrers(analysis_heap(analysis), object);
	if (referrers.count)
		return *referrers.id;
	*root = *reach_roots_of(analysis_reach(analysis), object).id;
	return OBJECT_NONE;
}

static struct holder_chain holder_chain(const struct analysis *analysis, uint32_t object)
{
	struct holder_chain chain = {.step = {object}, .count = 1, .root = OBJECT_NONE};
	while (!analysis_parts(analysis) && chain.count < LEVELS) {
		uint32_t above = holder_above(analysis, chain.step[0], &chain.root);
		if (above == OBJECT_NONE)
			break;
		for (size_t i = chain.count++; i > 0; i--)
			chain.step[i] = chain.step[i - 1];
		chain.step[0] = above;
	}
	return chain;
}

uint32_t holder_of(const struct analysis *analysis, uint32_t object)
{
	return holder_chain(analysis, object).step[0];
}

bool holder_add_step(const struct analysis *analysis, uint32_t object, uint32_t to, size_t nth,
                     struct buf *out)
{
	const struct heap *heap = analysis_heap(analysis);
	struct holder_chain chain = holder_chain(analysis, object);
	struct path path = {chain.root, chain.step, chain.count + 1};
	bool root = chain.root != OBJECT_NONE;
	chain.step[chain.count] = to;
	if (root)
		entity_add_name(analysis, entity_of_root(heap, heap_root(heap, chain.root)), out);
	if ((root || chain.count > 1) && nth == 0) {
		step_add_stretch(analysis, &path, root ? 0 : 1, chain.count, out);
		return root;
	}
	if (chain.count > 1)
		step_add_stretch(analysis, &path, root ? 0 : 1, chain.count - 1, out);
	step_add(analysis, object, reference_offset(heap, object, to, nth), out);
	return root;
}
