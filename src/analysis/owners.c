#include "analysis/owners.h"

#include "analysis/owner_edges.h"
#include "base/bound.h"
#include "base/mem.h"
#include "heap/heap.h"

#include <stdlib.h>
#include <string.h>

enum { STEP = 1 << 16 };

struct finder {
	struct owners *owners;
	const struct root_nodes *root_nodes;
	const struct groups *groups;
	struct map known;    /* key of an owner -> its index */
	struct map creators; /* pc of a go statement -> a small number */
	size_t capacity;
};

/* Returns a key; root nodes with the same key form one owner. */
static uint64_t owners_key_of(struct finder *f, uint32_t root_node)
{
	const struct root_node *a = &f->root_nodes->root_node[root_node];
	uint64_t which = 0;
	if (a->kind == ROOT_NODE_GLOBAL || a->kind == ROOT_NODE_LOG || a->kind == ROOT_NODE_TIMERS
	    || a->kind == ROOT_NODE_PLUMBING)
		which = root_node;
	else if (a->kind == ROOT_NODE_POOL) /* its local and its victim cache are one owner */
		which = root_nodes_pool(f->root_nodes, root_node) & UINT64_MAX >> 4;
	else if (a->kind == ROOT_NODE_THREAD) {
		uint64_t creator = f->creators.count;
		map_add(&f->creators, f->root_nodes->heap->threads[a->index].record.creator_pc, &creator);
		which = creator << 32 | f->groups->of[a->index];
	}
	return (uint64_t)a->kind << 60 | which;
}

/* Returns true if a root node is part of an owner. */
static bool is_owner(const struct owners *o, uint32_t root_node)
{
	const struct root_nodes *root_nodes = o->dominators->root_nodes;
	return !root_nodes_is_flat(root_nodes, root_node)
	       && root_nodes_is_flat(root_nodes, root_nodes->root_node[root_node].parent)
	       && dominators_has(o->dominators, root_nodes_node(root_nodes, root_node));
}

static uint32_t owners_find(struct finder *f, uint32_t root_node)
{
	struct owners *o = f->owners;
	uint64_t owner = o->count;
	if (map_add(&f->known, owners_key_of(f, root_node), &owner))
		MEM_PUSH(o->owner, o->count, f->capacity, (struct owner){.root_node = root_node});
	return (uint32_t)owner;
}

static void find_owners(struct owners *o, const struct groups *groups)
{
	const struct root_nodes *root_nodes = o->dominators->root_nodes;
	struct finder f = {.owners = o, .root_nodes = root_nodes, .groups = groups};
	o->of_root_node = mem_alloc(root_nodes->count * sizeof *o->of_root_node);
	for (uint32_t root_node = 0; root_node < root_nodes->count; root_node++) {
		o->of_root_node[root_node] = UINT32_MAX;
		if (!is_owner(o, root_node))
			continue;
		o->of_root_node[root_node] = owners_find(&f, root_node);
		o->owner[o->of_root_node[root_node]].root_nodes++;
	}
	map_free(&f.known);
	map_free(&f.creators);
}

static bool find_tops(struct owners *o, struct progress *progress)
{
	const struct dominators *d = o->dominators;
	size_t capacity = 0;
	progress_begin(progress, "finding owners", d->nodes);
	for (uint32_t node = 0; node < d->nodes; node++) {
		if (node % STEP == 0 && !progress_step(progress, node))
			return false;
		if (!dominators_is_topmost(d, node))
			continue;
		MEM_PUSH(o->top, o->tops, capacity, node);
	}
	return true;
}

/* Sorts the topmost nodes by shared set, ascending within each. */
static void place_tops(struct owners *o, const uint32_t *shared_set_of)
{
	uint32_t *top = mem_alloc(o->tops * sizeof *top), first = 0;
	for (uint32_t h = 0; h < o->shared_sets; first += o->shared_set[h++].nodes)
		o->shared_set[h].first = first;
	for (uint32_t i = 0; i < o->tops; i++)
		top[o->shared_set[shared_set_of[i]].first++] = o->top[i];
	for (uint32_t h = 0; h < o->shared_sets; h++)
		o->shared_set[h].first -= o->shared_set[h].nodes;
	free(o->top);
	o->top = top;
}

/* Replaces sets[i], the set of topmost node i, by its shared set. */
static void make_shared_sets(struct owners *o, uint32_t *sets)
{
	const struct dominators *d = o->dominators;
	SCOPED_FREE uint32_t *by_set = mem_alloc(o->sets.count * sizeof *by_set);
	o->shared_set = mem_alloc(o->sets.count * sizeof *o->shared_set);
	for (uint32_t i = 0; i < o->tops; i++) {
		uint32_t *number = &by_set[sets[i]]; /* 1 + that of its shared set; 0: none yet */
		if (!*number) {
			*number = ++o->shared_sets;
			o->shared_set[*number - 1].set = sets[i];
		}
		sets[i] = *number - 1;
		struct shared_set *shared_set = &o->shared_set[sets[i]];
		shared_set->nodes++;
		shared_set->bytes += dominators_bytes(d, o->top[i]);
		shared_set->objects += dominators_objects(d, o->top[i]);
	}
	place_tops(o, sets);
}

/* Orders sets of equal size by their owners, which do not depend on the order of discovery. */
static int owners_most_first(const void *a, const void *b, void *owners)
{
	const struct shared_set *x = a, *y = b;
	const struct owner_sets *sets = &((const struct owners *)owners)->sets;
	struct ids of_x = owner_sets_of(sets, x->set), of_y = owner_sets_of(sets, y->set);
	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	for (size_t i = 0; i < of_x.count && i < of_y.count; i++)
		if (of_x.id[i] != of_y.id[i])
			return of_x.id[i] < of_y.id[i] ? -1 : 1;
	if (of_x.count != of_y.count)
		return of_x.count < of_y.count ? -1 : 1;
	return x->set < y->set ? -1 : x->set > y->set;
}

static void owners_take_over(struct owners *o)
{
	qsort_r(o->shared_set, o->shared_sets, sizeof *o->shared_set, owners_most_first, o);
	for (uint32_t h = 0; h < o->shared_sets; h++) {
		struct ids set = owners_of_shared_set(o, h);
		if (set.count == 1)
			o->owner[set.id[0]].shared_set = h;
		for (size_t i = 0; i < set.count && set.count > 1; i++)
			o->owner[set.id[i]].shared += o->shared_set[h].bytes;
	}
}

static bool owners_build(struct owners *o, const struct groups *groups, struct progress *progress)
{
	owner_sets_init(&o->sets);
	find_owners(o, groups);
	if (!find_tops(o, progress))
		return false;
	uint32_t *sets = owner_co_holder_sets(o, progress);
	if (!sets)
		return false;
	make_shared_sets(o, sets);
	owners_take_over(o);
	free(sets);
	return true;
}

struct owners *owners_new(const struct dominators *dominators, const struct groups *groups,
                          struct progress *progress)
{
	struct owners *owners = mem_alloc(sizeof *owners);
	owners->dominators = dominators;
	if (owners_build(owners, groups, progress))
		return owners;
	owners_free(owners);
	return NULL;
}

void owners_free(struct owners *owners)
{
	if (!owners)
		return;
	owner_sets_fini(&owners->sets);
	free(owners->owner);
	free(owners->of_root_node);
	free(owners->shared_set);
	free(owners->top);
	free(owners);
}

struct ids owners_of_shared_set(const struct owners *owners, uint32_t shared_set)
{
	return owner_sets_of(&owners->sets, owners->shared_set[shared_set].set);
}

struct ids owners_of_top(const struct owners *owners, uint32_t node)
{
	for (uint32_t h = 0; h < owners->shared_sets; h++) {
		const struct shared_set *set = &owners->shared_set[h];
		const uint32_t *top = owners->top + set->first;
		size_t at = lower_bound(top, set->nodes, BOUND_ITSELF(uint32_t), node);
		if (at < set->nodes && top[at] == node)
			return owners_of_shared_set(owners, h);
	}
	return (struct ids){0};
}

static bool owners_is_part(struct ids part, struct ids whole)
{
	size_t k = 0;
	for (size_t i = 0; i < part.count; i++) {
		while (k < whole.count && whole.id[k] < part.id[i])
			k++;
		if (k == whole.count || whole.id[k] != part.id[i])
			return false;
	}
	return part.count > 0;
}

struct owned owners_together(const struct owners *owners, uint32_t shared_set)
{
	struct ids whole = owners_of_shared_set(owners, shared_set);
	struct owned sum = {0};
	for (uint32_t h = 0; h < owners->shared_sets; h++) {
		if (!owners_is_part(owners_of_shared_set(owners, h), whole))
			continue;
		sum.bytes += owners->shared_set[h].bytes;
		sum.objects += owners->shared_set[h].objects;
	}
	return sum;
}

/* ---- Sums for classes of owners */

/* Returns true if an earlier owner of the set has the same class. */
static bool is_repeated(struct ids set, const uint32_t *class_of, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (class_of[set.id[i]] == class_of[set.id[at]])
			return true;
	return false;
}

static bool is_of_one_class(struct ids set, const uint32_t *class_of)
{
	for (size_t i = 1; i < set.count; i++)
		if (class_of[set.id[i]] != class_of[set.id[0]])
			return false;
	return true;
}

void owners_sum(const struct owners *owners, const uint32_t *class_of, struct owner_sum *sums)
{
	for (uint32_t h = 0; h < owners->shared_sets; h++) {
		const struct shared_set *shared_set = &owners->shared_set[h];
		struct ids set = owners_of_shared_set(owners, h);
		bool one = is_of_one_class(set, class_of);
		for (size_t i = 0; i < set.count; i++) {
			uint32_t class = class_of[set.id[i]];
			if (class == UINT32_MAX || is_repeated(set, class_of, i))
				continue;
			sums[class].bytes += one ? shared_set->bytes : 0;
			sums[class].objects += one ? shared_set->objects : 0;
			sums[class].shared += one ? 0 : shared_set->bytes;
		}
	}
}
