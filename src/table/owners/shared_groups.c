/* Groups of similar nodes in shared sets, and the place that has most of their bytes. Part of
   table/owners/owner_tree.h. */
#include "table/owners/owner_tree.h"

#include "base/mem.h"
#include "base/plugin.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Returns the place of most of a shared set; OBJECT_NONE: none, or its root is no owner of the
   set. */
static struct owner_place shared_group_place(const struct analysis *analysis,
                                             const struct owners *owners,
                                             const struct path_tree *shared_places, struct ids set,
                                             struct ids nodes)
{
	struct owner_place place = {OBJECT_NONE, OBJECT_NONE};
	if (set.count == 1
	    || !owner_places_most(shared_places, analysis, owners->dominators, nodes, &place))
		return (struct owner_place){OBJECT_NONE, OBJECT_NONE};
	uint32_t owner = owners->of_root_node[analysis_root_nodes(analysis)->of_root[place.root]];
	bool owns = !set.count;
	for (size_t i = 0; i < set.count; i++)
		owns |= set.id[i] == owner;
	if (!owns)
		place.place = OBJECT_NONE;
	return place;
}

bool shared_group_is_node(const struct owners *owners, uint32_t shared_set)
{
	return owners->shared_set[shared_set].nodes == 1
	       && owners_of_shared_set(owners, shared_set).count == 1;
}

bool shared_group_make(const struct analysis *analysis, const struct owners *owners,
                       const struct path_tree *shared_places, uint32_t shared_set,
                       struct progress *progress, struct group_source *source)
{
	const struct shared_set *set = &owners->shared_set[shared_set];
	struct ids nodes = {owners->top + set->first, set->nodes};
	*source = (struct group_source){.node = OBJECT_NONE, .shared_set = shared_set};
	if (!node_groups_init(&source->groups, analysis, owners->dominators, nodes, progress))
		return false;
	source->place = shared_group_place(analysis, owners, shared_places,
	                                   owners_of_shared_set(owners, shared_set), nodes);
	return true;
}

/* ---- Computed once */

static void shared_groups_free(void *made)
{
	struct shared_groups *self = made;
	for (size_t i = 0; i < self->count; i++)
		node_groups_fini(&self->source[i].groups);
	free(self->source);
	free(self);
}

static void *shared_groups_make(const struct analysis *analysis, enum retain retain,
                                struct progress *progress)
{
	const struct path_tree *shared_places;
	const struct owners *owners =
		analysis_has_roots(analysis) ? analysis_owners(analysis, retain, progress) : NULL;
	if (!owners || !owner_places_shared(analysis, owners, progress, &shared_places))
		return NULL;
	struct shared_groups *made = mem_alloc(sizeof *made);
	made->count = owners->shared_sets;
	made->source = mem_alloc((made->count + 1) * sizeof *made->source);
	bool done = true;
	for (uint32_t at = 0; done && at < owners->shared_sets; at++)
		if (!shared_group_is_node(owners, at))
			done =
				shared_group_make(analysis, owners, shared_places, at, progress, &made->source[at]);
	if (done)
		return made;
	shared_groups_free(made);
	return NULL;
}

/* ---- In an index: the counts and place of each source, then all groups, then all nodes */

struct shared_group_source {
	uint32_t groups, nodes, place, root;
};

static void shared_groups_add(const struct shared_groups *self, struct buf *sources,
                              struct buf *groups, struct buf *nodes)
{
	for (size_t i = 0; i < self->count; i++) {
		const struct group_source *from = &self->source[i];
		size_t count = 0;
		for (size_t k = 0; k < from->groups.count; k++)
			count += from->groups.group[k].count;
		const struct shared_group_source source = {(uint32_t)from->groups.count, (uint32_t)count,
		                                           from->place.place, from->place.root};
		buf_add_bytes(sources, &source, sizeof source);
		buf_add_bytes(groups, from->groups.group, from->groups.count * sizeof *from->groups.group);
		buf_add_bytes(nodes, from->groups.node, count * sizeof *from->groups.node);
	}
}

static void *copy_of(const void *array, size_t bytes)
{
	void *copy = mem_alloc(bytes + 1);
	return bytes ? memcpy(copy, array, bytes) : copy;
}

static void shared_groups_take(struct shared_groups *self, const struct buf *sources,
                               const struct node_group *group, const uint32_t *node)
{
	const struct shared_group_source *source = (const void *)sources->data;
	self->count = sources->len / sizeof *source;
	self->source = mem_alloc((self->count + 1) * sizeof *self->source);
	for (uint32_t i = 0; i < self->count; i++) {
		self->source[i] = (struct group_source){
			.node = OBJECT_NONE,
			.shared_set = i,
			.place = {source[i].place, source[i].root},
			.groups = {copy_of(group, source[i].groups * sizeof *group), source[i].groups,
		               copy_of(node, source[i].nodes * sizeof *node)},
		};
		if (source[i].groups)
			group += source[i].groups;
		if (source[i].nodes)
			node += source[i].nodes;
	}
}

static bool shared_groups_index(void *made, const struct index_io *io)
{
	SCOPED_BUF sources = {0}, groups = {0}, nodes = {0};
	if (io->writer)
		shared_groups_add(made, &sources, &groups, &nodes);
	uint32_t *node = (void *)nodes.data;
	uint32_t count = (uint32_t)(nodes.len / sizeof *node);
	bool done = index_io_buf(io, "sources", &sources) && index_io_buf(io, "groups", &groups)
	            && index_io_deltas(io, "nodes", &node, &count);
	if (done && io->file)
		shared_groups_take(made, &sources, (const void *)groups.data, node);
	if (io->file)
		free(node);
	return done;
}

const struct kept_kind shared_groups_kept = {
	.name = "joint-groups",
	.needs = STAGE_TYPED | STAGE_OWNED,
	.by_retain = true,
	.without_parts = true,
	.make = shared_groups_make,
	.free = shared_groups_free,
	.size = sizeof(struct shared_groups),
	.index = shared_groups_index,
};
PLUGIN(kept_kinds, shared_groups_kept);
