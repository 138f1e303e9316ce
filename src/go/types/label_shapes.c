/* Labels the remaining objects by allocation site, or by shape and holder. */
#include "go/types/labelling.h"

#include "base/hash.h"
#include "base/mem.h"
#include "heap/heap.h"
#include "heap/profile.h"

#include <stdlib.h>

enum {
	LARGE = 512, /* bytes of a holder above which it is probably an array */
	HELD_BITS = 13,
};
static const uint64_t HELD_MULTIPLIER = 0x9e3779b97f4a7c15; /* 2^64 divided by the golden ratio */

/* Cache entry: a result of find_held_label(). */
struct held {
	uint64_t pair; /* shape << 32 | label of the holder */
	uint32_t offset, label;
};

struct held_cache {
	struct held entry[1 << HELD_BITS];
	/* The object whose pointers are looked at, its label, and what follows from it. */
	uint32_t from, label;
	uint32_t holder; /* its plain shape */
	bool row;        /* its offsets say nothing */
};

/* Returns the label of objects of a profile if they have at most one: objects of one profile have
   one type. */
static uint32_t shared_label(const struct labels *l, uint32_t profile)
{
	const struct profiles *p = &l->heap->profiles;
	uint32_t shared = 0;
	for (uint32_t i = p->first[profile]; i < p->first[profile + 1]; i++) {
		uint32_t object = p->sample[p->by_profile[i]].object;
		uint32_t label = object == OBJECT_NONE ? 0 : labels_of(l, object);
		if (shared && label && label != shared)
			return 0;
		shared = label ? label : shared;
	}
	return shared;
}

static uint32_t alloc_site_label(struct labels *l, uint32_t profile)
{
	struct stack_frame site;
	uint32_t shared = shared_label(l, profile);
	if (shared && l->label[shared].class == LABEL_NAME) {
		struct label same = l->label[shared];
		same.known = same.known < KNOWN_INFERRED ? same.known : KNOWN_INFERRED;
		return label_intern(l, &l->by_shape, (uint64_t)shared << 32 | profile, same);
	}
	if (shared)
		return shared;
	if (!profile_site(&l->heap->profiles.profile[profile], &site))
		return 0;
	struct label label = {LABEL_SITE, .value = profile};
	return label_intern(l, &l->by_shape, profile, label);
}

void label_sites(struct labels *l)
{
	const struct profiles *p = &l->heap->profiles;
	for (uint32_t profile = 0; profile < p->count; profile++) {
		uint32_t label = alloc_site_label(l, profile);
		for (uint32_t i = p->first[profile]; label && i < p->first[profile + 1]; i++) {
			uint32_t object = p->sample[p->by_profile[i]].object;
			if (object != OBJECT_NONE && label_wanted(l, object, LABEL_SITE))
				label_put(l, object, label);
		}
	}
	map_free(&l->by_shape);
	l->by_shape = (struct map){0};
}

/* Returns a hash of slot size and pointer words. */
static uint64_t shape_key(const struct labels *l, const struct region *region)
{
	uint64_t multiplier = hash_multiplier(), hash = hash_mix(0, region->size, multiplier);
	uint64_t words = region->noscan ? 0 : region->size >> l->regions->shift;
	for (uint64_t i = 0; i < words; i += 64) {
		uint64_t count = words - i < 64 ? words - i : 64;
		uint64_t bits = region_points_many(l->regions, region, i * l->regions->width, count);
		hash = hash_mix(hash, bits, multiplier);
	}
	return hash;
}

static void label_plain_shapes(struct labels *l)
{
	struct region region;
	uint64_t last = 0;
	uint32_t label = 0; /* of `last`: most objects are like the one before */
	for (uint32_t id = label_next(l, 0); id < l->regions->objects; id = label_next(l, id + 1)) {
		if (label_at(l, id))
			continue;
		regions_look(l->regions, id, &region);
		uint64_t key = shape_key(l, &region);
		if (key != last || !label)
			label = label_intern(l, &l->by_shape, key, (struct label){LABEL_SHAPE, .value = id});
		label_put(l, id, label);
		last = key;
	}
}

static uint32_t intern_holder(struct labels *l, struct holder holder)
{
	uint64_t number = l->holder_count;
	if (map_add(&l->by_holder, holder.value << 3 | (uint64_t)holder.kind, &number))
		MEM_PUSH(l->holders, l->holder_count, l->holder_capacity, holder);
	return (uint32_t)number;
}

uint32_t label_plain(const struct labels *l, uint32_t label)
{
	return l->label[label].class == LABEL_SHAPE && l->label[label].holder
	           ? (uint32_t)l->label[label].value
	           : label;
}

static struct holder label_shapes_typed(const struct labels *l, uint32_t object)
{
	struct typed typed = typing_object(l->typing, object);
	return (struct holder){.kind = typed.known == KNOWN_GUESS ? HOLDER_GUESS : HOLDER_TYPE,
	                       .value = typed.type};
}

static struct holder label_shapes_holder_of(const struct labels *l, const struct label_pointer *p)
{
	const struct region *from = &p->from;
	uint32_t other = from->ref - l->regions->objects;
	if (from->kind == REGION_OBJECT && label_at(l, from->ref) == LABEL_TYPED)
		return label_shapes_typed(l, from->ref);
	if (from->kind == REGION_OBJECT)
		return (struct holder){.kind = HOLDER_LABEL,
		                       .value = label_plain(l, label_at(l, from->ref))};
	if (from->kind == REGION_SEGMENT)
		return (struct holder){.kind = l->heap->segments[other].bss ? HOLDER_BSS : HOLDER_DATA,
		                       .value = p->offset};
	uint64_t frame = other - l->regions->segments;
	map_get(&l->functions, l->heap->frames[frame].record.entry_pc, &frame);
	return (struct holder){.kind = HOLDER_FRAME, .value = frame};
}

/* Returns true for arrays of equal values: the position in them says nothing. */
static bool label_shapes_is_row(const struct labels *l, const struct region *from)
{
	static const bool rows[KIND_COUNT] = {
		[KIND_BUCKETS] = true,        [KIND_GROUPS] = true, [KIND_DIRECTORY] = true,
		[KIND_CHANNEL_BUFFER] = true, [KIND_SLICE] = true,
	};
	if (from->kind != REGION_OBJECT || from->size > LARGE)
		return true;
	const struct label *label = &l->label[labels_of(l, from->ref)];
	return (label->class == LABEL_KIND || label->class == LABEL_ROW) && rows[label->kind];
}

static uint16_t told_offset(const struct labels *l, const struct label_pointer *p)
{
	return label_shapes_is_row(l, &p->from) ? UINT16_MAX : (uint16_t)(p->offset - p->from.header);
}

/* Returns the label of an object's shape and its position in the holder. */
static uint32_t find_held_label(struct labels *l, const struct label_pointer *p)
{
	uint32_t shape = label_plain(l, label_at(l, p->target)),
			 holder = intern_holder(l, label_shapes_holder_of(l, p));
	uint16_t offset = told_offset(l, p);
	uint64_t pair = l->by_place.count;
	map_add(&l->by_place, (uint64_t)shape << 32 | holder, &pair);
	struct label label = {LABEL_SHAPE, .offset = offset, .holder = holder, .value = shape};
	return label_intern(l, &l->by_held, pair << 16 | offset, label);
}

static void held_from(struct labels *l, const struct region *from)
{
	struct held_cache *cache = l->held;
	if (cache->from == from->ref)
		return;
	cache->from = from->ref;
	cache->label = label_at(l, from->ref);
	if (cache->label == LABEL_TYPED)
		return;
	cache->holder = label_plain(l, cache->label);
	cache->row = label_shapes_is_row(l, from);
}

/* Like find_held_label, with a cache for untyped holders: most are like a previous one. */
static uint32_t held_label(struct labels *l, const struct label_pointer *p, uint64_t shape)
{
	if (p->from.kind != REGION_OBJECT)
		return find_held_label(l, p);
	struct held_cache *cache = l->held;
	held_from(l, &p->from);
	if (cache->label == LABEL_TYPED)
		return find_held_label(l, p);
	uint64_t pair = shape << 32 | cache->holder;
	uint32_t offset = cache->row ? UINT16_MAX : (uint16_t)(p->offset - p->from.header);
	struct held *held =
		&cache->entry[(pair ^ (uint64_t)offset << 20) * HELD_MULTIPLIER >> (64 - HELD_BITS)];
	if (held->pair != pair || held->offset != offset || !held->label)
		*held = (struct held){pair, offset, find_held_label(l, p)};
	return held->label;
}

/* Counts a holder. Until another kind of holder is met, the first one's label is the object's. */
static void count_holder(struct labels *l, const struct label_pointer *p)
{
	uint32_t old = label_at(l, p->target);
	if (l->label[old].class != LABEL_SHAPE)
		return;
	bool first = !l->label[old].holder;
	uint32_t label = held_label(l, p, label_plain(l, old)); /* may reallocate l->label */
	l->label[label].count++;
	if (first)
		label_put(l, p->target, label);
	else if (label != old)
		word_bit_set(l->walks.several, p->target);
}

/* Takes a holder with more objects of the shape than the one chosen so far. */
static void choose_holder(struct labels *l, const struct label_pointer *p)
{
	uint32_t old = label_at(l, p->target);
	uint32_t label = held_label(l, p, label_plain(l, old));
	if (l->label[label].count > l->label[old].count)
		label_put(l, p->target, label);
}

/* Chooses the label of an object among its holders: the one with most objects of its shape. */
void label_shapes(struct labels *l)
{
	map_free(&l->by_place);
	l->by_place = (struct map){0};
	label_plain_shapes(l);
	l->held = mem_alloc(sizeof *l->held);
	l->held->from = OBJECT_NONE;
	label_each_again(l, LABEL_SITE, NULL, count_holder);
	label_each_again(l, LABEL_SITE, l->walks.several, choose_holder);
	free(l->held);
	l->held = NULL;
}
