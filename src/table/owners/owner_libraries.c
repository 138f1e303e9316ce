#include "table/owners/owner_libraries.h"

#include "analysis/root_nodes.h"
#include "base/map.h"
#include "base/mem.h"
#include "table/naming/typed.h"
#include "table/owners/object_owner.h"
#include "table/paths/libraries.h"

#include <stdlib.h>
#include <string.h>

enum { STEP = 1 << 16 };

/* Returns the first root of an owner that is a variable; UINT32_MAX: it is something else. */
static uint32_t owner_libraries_root(const struct analysis *analysis, const struct owners *owners,
                                     uint32_t owner)
{
	const struct root_node *root_node =
		&analysis_root_nodes(analysis)->root_node[owners->owner[owner].root_node];
	return root_node->kind == ROOT_NODE_GLOBAL ? root_node->index : UINT32_MAX;
}

/* Returns true if all owners of a set are variables of libraries. */
static bool owner_libraries_own(const struct analysis *analysis, const struct owners *owners,
                                struct ids set)
{
	for (size_t i = 0; i < set.count; i++)
		if (!libraries_has_root(analysis, owner_libraries_root(analysis, owners, set.id[i])))
			return false;
	return set.count;
}

/* Takes away the sets that have objects of the program's own types. False: cancelled. */
static bool owner_libraries_drop_own(const struct analysis *analysis, bool *is_one,
                                     struct progress *progress)
{
	const uint32_t *sets = object_owner_sets(analysis, progress);
	uint32_t objects = heap_object_count(analysis_heap(analysis));
	SCOPED_MAP known = {0};
	SCOPED_BUF type = {0};
	progress_begin(progress, "variables of libraries", objects);
	for (uint32_t id = 0; sets && id < objects; id++) {
		if (id % STEP == 0 && !progress_step(progress, id))
			return false;
		if (sets[id] == UINT32_MAX || !is_one[sets[id]])
			continue;
		uint64_t key = typed_code(analysis, id), own;
		if (!key || !map_get(&known, key, &own)) {
			buf_clear(&type);
			typed_add(analysis, id, &type);
			own = libraries_type_is_own(analysis, buf_text(&type));
			if (key)
				map_put(&known, key, own);
		}
		is_one[sets[id]] = !own;
	}
	return sets;
}

/* Adds up the sets, and counts each of their owners once. */
static void owner_libraries_sum(struct owner_libraries *self, const struct owners *owners)
{
	SCOPED_FREE bool *seen = mem_alloc(owners->count + 1ULL);
	for (uint32_t at = 0; at < owners->shared_sets; at++) {
		struct ids set = owners_of_shared_set(owners, at);
		if (!self->is_one[at])
			continue;
		self->count++;
		self->bytes += owners->shared_set[at].bytes;
		self->objects += owners->shared_set[at].objects;
		for (size_t i = 0; i < set.count; i++) {
			self->variables += seen[set.id[i]] ? 0 : owners->owner[set.id[i]].root_nodes;
			seen[set.id[i]] = true;
		}
	}
}

static void owner_libraries_free(void *made)
{
	struct owner_libraries *self = made;
	free(self->is_one);
	free(self);
}

static void *owner_libraries_make(const struct analysis *analysis, enum retain retain,
                                  struct progress *progress)
{
	const struct owners *owners =
		analysis_has_roots(analysis) ? analysis_owners(analysis, retain, progress) : NULL;
	if (!owners)
		return NULL;
	const struct dominators *d = owners->dominators;
	struct owner_libraries *made = mem_alloc(sizeof *made);
	made->is_one = mem_alloc(owners->shared_sets + 1ULL);
	bool any = false;
	for (uint32_t at = 0; at < owners->shared_sets && analysis_names(analysis); at++) {
		made->is_one[at] =
			libraries_is_small(owners->shared_set[at].bytes, dominators_bytes(d, d->root))
			&& owner_libraries_own(analysis, owners, owners_of_shared_set(owners, at));
		any |= made->is_one[at];
	}
	if (any && !owner_libraries_drop_own(analysis, made->is_one, progress)) {
		owner_libraries_free(made);
		return NULL;
	}
	owner_libraries_sum(made, owners);
	return made;
}

/* Not registered: quickly made from what an index has. */
static const struct kept_kind owner_libraries_kept = {
	.needs = STAGE_TYPED | STAGE_OWNED,
	.by_retain = true,
	.make = owner_libraries_make,
	.free = owner_libraries_free,
};

const struct owner_libraries *owner_libraries_of(const struct analysis *analysis,
                                                 enum retain retain, struct progress *progress)
{
	return analysis_kept(analysis, &owner_libraries_kept, retain, progress);
}

void owner_libraries_add_package(const struct analysis *analysis, const struct owners *owners,
                                 uint32_t shared_set, struct buf *out)
{
	struct ids set = owners_of_shared_set(owners, shared_set);
	SCOPED_BUF first = {0}, other = {0};
	for (size_t i = 0; i < set.count; i++) {
		buf_clear(&other);
		libraries_add_package(analysis, owner_libraries_root(analysis, owners, set.id[i]),
		                      i ? &other : &first);
		if (i && strcmp(buf_text(&other), buf_text(&first)) != 0)
			return;
	}
	buf_add(out, buf_text(&first));
}
