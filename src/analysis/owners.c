#include "analysis/owners.h"

#include "analysis/owner_joint.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { STEP = 1 << 16 };

struct finder {
	struct owners *owners;
	const struct anchors *anchors;
	const struct groups *groups;
	struct map known;    /* key of an owner -> its number */
	struct map creators; /* pc of a go statement -> a small number */
	size_t capacity;
};

static uint64_t creator_of(struct finder *f, const struct goroutine *goroutine)
{
	uint64_t number = f->creators.count;
	if (!map_get(&f->creators, goroutine->record.creator_pc, &number))
		map_put(&f->creators, goroutine->record.creator_pc, number);
	return number;
}

/* Anchors with the same key are one owner. */
static uint64_t key_of(struct finder *f, uint32_t anchor)
{
	const struct anchor *a = &f->anchors->anchor[anchor];
	uint64_t which = 0;
	if (a->kind == ANCHOR_GLOBAL || a->kind == ANCHOR_LISTED)
		which = anchor;
	else if (a->kind == ANCHOR_GOROUTINE)
		which = creator_of(f, &f->anchors->heap->goroutines[a->index]) << 32
		        | f->groups->of[a->index];
	return (uint64_t)a->kind << 60 | which;
}

/* Does it stand immediately below everything, or below a strength? */
static bool is_flat(const struct anchors *anchors, uint32_t anchor)
{
	return anchors->anchor[anchor].kind == ANCHOR_ALL
	       || anchors->anchor[anchor].kind == ANCHOR_STRENGTH;
}

/* Is it one of those that make up owners? */
static bool is_owner(const struct owners *o, uint32_t anchor)
{
	const struct anchors *anchors = o->dominators->anchors;
	return !is_flat(anchors, anchor) && is_flat(anchors, anchors->anchor[anchor].parent)
	       && dominators_has(o->dominators, anchors_node(anchors, anchor));
}

static uint32_t find_owner(struct finder *f, uint32_t anchor)
{
	struct owners *o = f->owners;
	uint64_t key = key_of(f, anchor), owner = o->count;
	if (map_get(&f->known, key, &owner))
		return (uint32_t)owner;
	map_put(&f->known, key, owner);
	o->owner = mem_grow(o->owner, o->count, &f->capacity, sizeof *o->owner);
	o->owner[o->count++] = (struct owner){.anchor = anchor};
	return (uint32_t)owner;
}

static void find_owners(struct owners *o, const struct groups *groups)
{
	const struct anchors *anchors = o->dominators->anchors;
	struct finder f = {.owners = o, .anchors = anchors, .groups = groups};
	o->of_anchor = mem_alloc(anchors->count * sizeof *o->of_anchor);
	for (uint32_t anchor = 0; anchor < anchors->count; anchor++) {
		o->of_anchor[anchor] = UINT32_MAX;
		if (!is_owner(o, anchor))
			continue;
		o->of_anchor[anchor] = find_owner(&f, anchor);
		o->owner[o->of_anchor[anchor]].anchors++;
	}
	map_free(&f.known);
	map_free(&f.creators);
}

/* Is it what a topmost node hangs on? */
static bool is_root(const struct dominators *d, uint32_t node)
{
	uint32_t anchor = node == OBJECT_NONE ? UINT32_MAX : anchors_of_node(d->anchors, node);
	return anchor != UINT32_MAX && is_flat(d->anchors, anchor);
}

static bool find_tops(struct owners *o, struct progress *progress)
{
	const struct dominators *d = o->dominators;
	size_t capacity = 0;
	progress_begin(progress, "looking who owns what", d->nodes);
	for (uint32_t node = 0; node < d->nodes; node++) {
		if (node % STEP == 0 && !progress_step(progress, node))
			return false;
		if (!is_root(d, d->idom[node]) || is_root(d, node))
			continue;
		o->top = mem_grow(o->top, o->tops, &capacity, sizeof *o->top);
		o->top[o->tops++] = node;
	}
	return true;
}

/* Puts the topmost nodes of each holding side by side. */
static void place_tops(struct owners *o, const uint32_t *holding_of)
{
	uint32_t *top = mem_alloc(o->tops * sizeof *top), first = 0;
	for (uint32_t h = 0; h < o->holdings; first += o->holding[h++].nodes)
		o->holding[h].first = first;
	for (uint32_t i = 0; i < o->tops; i++)
		top[o->holding[holding_of[i]].first++] = o->top[i];
	for (uint32_t h = 0; h < o->holdings; h++)
		o->holding[h].first -= o->holding[h].nodes;
	free(o->top);
	o->top = top;
}

static uint32_t holding_of_set(struct owners *o, uint32_t *by_set, uint32_t set)
{
	if (by_set[set] == 0) {
		o->holding[o->holdings].set = set;
		by_set[set] = ++o->holdings;
	}
	return by_set[set] - 1;
}

/* Turns sets[i], the set of top i, into its holding. */
static void make_holdings(struct owners *o, uint32_t *sets)
{
	const struct dominators *d = o->dominators;
	uint32_t *by_set = mem_alloc(o->sets.count * sizeof *by_set);
	o->holding = mem_alloc(o->sets.count * sizeof *o->holding);
	for (uint32_t i = 0; i < o->tops; i++) {
		sets[i] = holding_of_set(o, by_set, sets[i]);
		struct holding *holding = &o->holding[sets[i]];
		holding->nodes++;
		holding->bytes += d->bytes[o->top[i]];
		holding->objects += d->objects[o->top[i]];
	}
	place_tops(o, sets);
	free(by_set);
}

static int most_first(const void *a, const void *b)
{
	const struct holding *x = a, *y = b;
	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	return x->set < y->set ? -1 : x->set > y->set;
}

static void take_over(struct owners *o)
{
	qsort(o->holding, o->holdings, sizeof *o->holding, most_first);
	for (uint32_t h = 0; h < o->holdings; h++) {
		struct ids set = owners_of_holding(o, h);
		if (set.count == 1)
			o->owner[set.id[0]].holding = h;
		for (size_t i = 0; i < set.count && set.count > 1; i++)
			o->owner[set.id[i]].shared += o->holding[h].bytes;
	}
}

static bool build(struct owners *o, const struct groups *groups, struct progress *progress)
{
	owner_sets_init(&o->sets);
	find_owners(o, groups);
	if (!find_tops(o, progress) || !heirs_init(&o->heirs, o->dominators, progress))
		return false;
	uint32_t *sets = owner_joint_sets(o, progress);
	if (!sets)
		return false;
	make_holdings(o, sets);
	take_over(o);
	free(sets);
	return true;
}

struct owners *owners_new(const struct dominators *dominators, const struct groups *groups,
                          struct progress *progress)
{
	struct owners *owners = mem_alloc(sizeof *owners);
	owners->dominators = dominators;
	if (build(owners, groups, progress))
		return owners;
	owners_free(owners);
	return NULL;
}

void owners_free(struct owners *owners)
{
	if (!owners)
		return;
	owner_sets_fini(&owners->sets);
	heirs_fini(&owners->heirs);
	free(owners->owner);
	free(owners->of_anchor);
	free(owners->holding);
	free(owners->top);
	free(owners);
}

struct ids owners_of_holding(const struct owners *owners, uint32_t holding)
{
	return owner_sets_of(&owners->sets, owners->holding[holding].set);
}

static bool is_part(struct ids part, struct ids whole)
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

struct owned owners_together(const struct owners *owners, uint32_t holding)
{
	struct ids whole = owners_of_holding(owners, holding);
	struct owned sum = {0};
	for (uint32_t h = 0; h < owners->holdings; h++) {
		if (!is_part(owners_of_holding(owners, h), whole))
			continue;
		sum.bytes += owners->holding[h].bytes;
		sum.objects += owners->holding[h].objects;
	}
	return sum;
}
