/* Owners as a cached result in the index: part of analysis/owners.h. Intermediate results are not
   saved. */
#include "analysis/owners.h"

#include "analysis/kept.h"
#include "base/mem.h"
#include "base/plugin.h"

static void *owners_empty(const struct analysis *analysis, enum retain retain)
{
	struct owners *o = mem_alloc(sizeof *o);
	o->dominators = analysis_dominators(analysis, retain);
	return o;
}

static bool owners_index(void *made, const struct index_io *io)
{
	struct owners *o = made;
	size_t root_nodes = o->dominators->root_nodes->count;
	if (!INDEX_ARRAY(io, "owner", o->owner, o->count)
	    || !INDEX_ARRAY(io, "of", o->of_root_node, root_nodes)
	    || !INDEX_ARRAY(io, "shared", o->shared_set, o->shared_sets)
	    || !index_io_deltas(io, "top", &o->top, &o->tops)
	    || !INDEX_ARRAY(io, "set", o->sets.set, o->sets.count)
	    || !INDEX_ARRAY(io, "member", o->sets.member, o->sets.members))
		return false;
	if (io->file) {
		o->sets.capacity = o->sets.count;
		o->sets.member_capacity = o->sets.members;
	}
	return root_nodes == o->dominators->root_nodes->count;
}

static void *owners_make(const struct analysis *analysis, enum retain retain,
                         struct progress *progress)
{
	return owners_new(analysis_dominators(analysis, retain), analysis_groups(analysis), progress);
}

static void owners_drop(void *made)
{
	owners_free(made);
}

const struct kept_kind owners_kept = {
	.name = "owners",
	.needs = STAGE_OWNED,
	.by_retain = true,
	.make = owners_make,
	.free = owners_drop,
	.empty = owners_empty,
	.index = owners_index,
};
PLUGIN(kept_kinds, owners_kept);
