/* The topmost dominator of each object, by path compression. */
#include "table/owners/object_owner.h"

#include "analysis/kept.h"
#include "base/bits.h"
#include "base/mem.h"
#include "table/cell.h"
#include "table/naming/argument.h"
#include "table/owners/owner_names.h"
#include "table/owners/owner_own.h"
#include "table/owners/owner_tree.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { STEP = 1 << 16 };

struct object_owners {
	uint32_t *shared_set; /* by node of the dominator tree; UINT32_MAX: it has none */
};

static void object_owners_free(void *made)
{
	struct object_owners *self = made;
	free(self->shared_set);
	free(self);
}

/* Stores the shared set of a node and of those between it and the first whose set is known. */
static void object_owners_climb(const struct dominators *d, uint32_t *shared_set, uint32_t node)
{
	uint32_t at = node, found;
	while (shared_set[at] == UINT32_MAX && !dominators_is_topmost(d, at))
		at = dominators_above(d, at);
	found = shared_set[at];
	for (at = node; shared_set[at] == UINT32_MAX && !dominators_is_topmost(d, at);
	     at = dominators_above(d, at))
		shared_set[at] = found;
}

static void *object_owners_make(const struct analysis *analysis, enum retain retain,
                                struct progress *progress)
{
	const struct owners *owners =
		analysis_has_roots(analysis) ? analysis_owners(analysis, retain, progress) : NULL;
	if (!owners)
		return NULL;
	const struct dominators *d = owners->dominators;
	uint32_t objects = heap_object_count(analysis_heap(analysis));
	struct object_owners *made = mem_alloc(sizeof *made);
	made->shared_set = mem_alloc(((size_t)d->nodes + 1) * sizeof *made->shared_set);
	for (uint32_t node = 0; node < d->nodes; node++)
		made->shared_set[node] = UINT32_MAX;
	for (uint32_t at = 0; at < owners->shared_sets; at++)
		for (uint32_t i = 0; i < owners->shared_set[at].nodes; i++)
			made->shared_set[owners->top[owners->shared_set[at].first + i]] = at;
	progress_begin(progress, "owners of objects", objects);
	for (uint32_t id = 0; id < objects; id++) {
		if (id % STEP == 0 && !progress_step(progress, id)) {
			object_owners_free(made);
			return NULL;
		}
		if (dominators_has(d, id))
			object_owners_climb(d, made->shared_set, id);
	}
	return made;
}

/* Not registered: an index does not compute it, as it is quickly made from what an index has. */
static const struct kept_kind object_owners_kept = {
	.needs = STAGE_OWNED,
	.by_retain = true,
	.make = object_owners_make,
	.free = object_owners_free,
};

bool owner_name_is(const char *name, const char *wanted)
{
	static const char times[] = " × ";
	size_t length = strlen(wanted), digits = strspn(name, "0123456789,");
	if (digits && strncmp(name + digits, times, strlen(times)) == 0)
		name += digits + strlen(times);
	name += *name == TYPE_MARK && *wanted != TYPE_MARK;
	return strncmp(name, wanted, length) == 0 && strchr(".[, ", name[length])
	       && !strstr(name + length, " and ") && !strstr(name + length, ", shared with ");
}

bool object_owner_select(const struct analysis *analysis, const char *wanted,
                         struct progress *progress, uint64_t *set, struct err *err)
{
	const uint32_t *sets = object_owner_sets(analysis, progress);
	if (!sets)
		return err_set(err, "Finding the owners of objects was cancelled");
	const struct owners *owners = analysis_owners(analysis, analysis_owner_retain(analysis), NULL);
	bool *is_wanted = owner_names_sets(analysis, wanted), any = is_wanted, whole = any;
	SCOPED_BUF name = {0};
	if (!is_wanted)
		is_wanted = mem_alloc((owners->shared_sets + 1ULL) * sizeof *is_wanted);
	for (uint32_t at = 0; !whole && at < owners->shared_sets; at++) {
		buf_clear(&name);
		object_owner_add(analysis, at, &name);
		is_wanted[at] = owner_name_is(buf_text(&name), wanted)
		                || owner_name_is(owner_own_skip(buf_text(&name)), wanted);
		any |= is_wanted[at];
	}
	for (uint32_t id = 0; id < heap_object_count(analysis_heap(analysis)); id++)
		if (sets[id] != UINT32_MAX && is_wanted[sets[id]])
			word_bit_set(set, id);
	free(is_wanted);
	if (!any)
		err_set(err, "There is no owner \"%.80s\"; the table owners lists them", wanted);
	return any || argument_unknown(analysis_heap(analysis), DAMAGE_ROOTS, err);
}

const uint32_t *object_owner_sets(const struct analysis *analysis, struct progress *progress)
{
	const struct owners *owners = analysis_has_roots(analysis) ? analysis_owners(
									  analysis, analysis_owner_retain(analysis), progress)
	                                                           : NULL;
	const struct object_owners *made =
		owners ? analysis_kept(analysis, &object_owners_kept, owners->dominators->retain, progress)
			   : NULL;
	return made ? made->shared_set : NULL;
}

void object_owner_add(const struct analysis *analysis, uint32_t set, struct buf *out)
{
	const struct owners *owners = analysis_owners(analysis, analysis_owner_retain(analysis), NULL);
	owner_tree_add_owners(analysis, owners, owners_of_shared_set(owners, set), out);
}

/* Returns object_owner_sets, and remembers it as long as the owners are asked for in this way. */
static const uint32_t *object_owner_sets_of(const struct rows *rows)
{
	enum retain retain = analysis_owner_retain(rows->analysis);
	struct row_object_owners *known = rows->object_owners;
	const uint32_t *sets = known ? atomic_load_explicit(&known->sets[retain], memory_order_acquire)
	                             : NULL;
	if (sets)
		return sets;
	sets = object_owner_sets(rows->analysis, rows->progress);
	if (known && retain == analysis_owner_retain(rows->analysis))
		atomic_store_explicit(&known->sets[retain], sets, memory_order_release);
	return sets;
}

static uint32_t object_owner_set(const struct rows *rows, size_t row)
{
	uint32_t object = rows_object(rows, row);
	const uint32_t *sets = object != OBJECT_NONE ? object_owner_sets_of(rows) : NULL;
	return sets ? sets[object] : UINT32_MAX;
}

static uint64_t object_owner_code(const struct rows *rows, size_t row)
{
	uint32_t set = object_owner_set(rows, row);
	return set == UINT32_MAX ? 0 : (uint64_t)set + 1;
}

static void object_owner_cell(const struct rows *rows, uint64_t code, struct value *value)
{
	object_owner_add(rows->analysis, (uint32_t)(code - 1), cell_begin(value));
}

const struct coding object_owner_coding = {object_owner_code, object_owner_cell};
