/* Joins labels of one type: labels by shape and holder distinguish neighboring words of a holder,
   such as children of a node or elements of an array in data or bss. They are joined if shape,
   holder and the content of their own fields agree. */
#include "go/types/labelling.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/starts.h"
#include "heap/edges.h"

#include <stdlib.h>

enum { WORDS = 8, LONGEST_TEXT = 1 << 30 };
/* Content of a word, as a number: one of these, or the label, the type or the function of its
   target. */
enum { FIELD_TEXT = 1, FIELD_NOSCAN, FIELD_OUTSIDE, FIELD_LABEL };
#define FIELD_TYPED UINT32_C(0x80000000)

/* Majority content of the first pointer words of a label's objects. */
struct label_fields {
	uint32_t joined; /* union-find: index of the fields that this label is joined to, or its own */
	uint32_t label;
	uint32_t field[WORDS], votes[WORDS];
};

struct joiner {
	struct labels *l;
	uint32_t *fields_of; /* per label: index + 1; 0: not joinable */
	struct label_fields *fields;
	uint32_t count;
	size_t capacity;
};

static bool is_segment(const struct holder *holder)
{
	return holder->kind == HOLDER_DATA || holder->kind == HOLDER_BSS;
}

/* Returns a hash of the shape and the position in the holder, minus `back` bytes. */
static uint64_t place_key(const struct labels *l, const struct label *label, unsigned back)
{
	const struct holder *holder = &l->holders[label->holder];
	bool segment = is_segment(holder);
	uint64_t multiplier = hash_multiplier(), offset = segment ? holder->value : label->offset;
	uint64_t place = hash_mix(label->value, segment ? holder->kind : label->holder, multiplier);
	return hash_mix(hash_mix(place, segment, multiplier), offset - back, multiplier);
}

static bool is_joinable(const struct labels *l, const struct label *label)
{
	const struct holder *holder = &l->holders[label->holder];
	return label->class == LABEL_SHAPE && label->holder && holder->kind != HOLDER_FRAME
	       && (is_segment(holder) || label->offset != UINT16_MAX);
}

static struct label_fields *joiner_fields(struct joiner *j, uint32_t label)
{
	if (!j->fields_of[label]) {
		MEM_PUSH(j->fields, j->count, j->capacity,
		         (struct label_fields){.joined = j->count, .label = label});
		j->fields_of[label] = j->count;
	}
	return &j->fields[j->fields_of[label] - 1];
}

/* Calls visit for each pair of labels at neighboring positions. */
static void joiner_each_pair(struct joiner *j, void (*visit)(struct joiner *, uint32_t, uint32_t))
{
	struct labels *l = j->l;
	SCOPED_MAP places = {0};
	unsigned width = l->regions->width;
	uint64_t other;
	for (uint32_t i = 1; i < l->count; i++)
		if (is_joinable(l, &l->label[i]))
			map_put(&places, place_key(l, &l->label[i], 0), i);
	for (uint32_t i = 1; i < l->count; i++)
		if (is_joinable(l, &l->label[i])
		    && map_get(&places, place_key(l, &l->label[i], width), &other))
			visit(j, (uint32_t)other, i);
}

static void joiner_add_pair(struct joiner *j, uint32_t one, uint32_t other)
{
	joiner_fields(j, one);
	joiner_fields(j, other);
}

/* Returns the function of an object that may be a closure, which is more specific than its shape;
   or 0. */
static uint64_t label_join_entry_of(const struct labels *l, const struct region *region)
{
	if (region->size - region->header < l->regions->width
	    || region_points(l->regions, region, region->header))
		return 0;
	uint64_t entry = region_word(l->regions, region, region->header);
	return entry >= l->text_low && entry < l->text_high ? entry : 0;
}

/* Boyer-Moore majority vote. */
static void label_fields_vote(struct label_fields *fields, unsigned word, uint32_t field)
{
	if (!fields->votes[word])
		fields->field[word] = field;
	fields->votes[word] += fields->field[word] == field ? 1 : UINT32_MAX;
}

/* Votes are counted in order, but processed in blocks: targets are anywhere in memory, and each
   step prefetches the data of the next. */
enum { BALLOTS = 128 };
struct ballots {
	struct ballot {
		struct label_fields *fields;
		unsigned word;
		uint32_t field;  /* the vote if the target has no pointers itself */
		bool has, plain; /* the target has pointers; and no type */
		bool looked_at;  /* it may be a closure */
		struct objects_hit hit;
		struct region region; /* of a target that is looked at */
	} ballot[BALLOTS];
	uint64_t value[BALLOTS]; /* values of the words, or 0 */
	size_t count;
	uint8_t *begins; /* by label of a shape: 1 + whether it begins with a pointer; 0: unknown */
};

static void ballots_put(struct ballots *b, struct label_fields *fields, unsigned word,
                        uint32_t field, uint64_t value)
{
	b->ballot[b->count] = (struct ballot){.fields = fields, .word = word, .field = field};
	b->value[b->count++] = value;
}

static void ballots_locate(struct ballots *b, const struct labels *l, struct edges edges)
{
	struct objects_hit hit[BALLOTS];
	objects_locate_many(heap_objects(l->heap), b->value, hit, b->count);
	for (size_t i = 0; i < b->count; i++) {
		b->ballot[i].hit = hit[i];
		if (!b->value[i] || hit[i].object == OBJECT_NONE) {
			b->ballot[i].hit.object = OBJECT_NONE;
			continue;
		}
		label_fetch(l, hit[i].object);
		starts_prefetch(edges.starts, hit[i].object);
	}
}

/* Returns true if objects with a label begin with a pointer, as all of a shape do or none: they are
   no closures. */
static bool begins_with_pointer(struct ballots *b, const struct labels *l, uint32_t label)
{
	struct region region;
	uint32_t plain = label_plain(l, label);
	if (l->label[plain].class != LABEL_SHAPE)
		return false;
	if (!b->begins[plain]) {
		regions_look(l->regions, (uint32_t)l->label[plain].value, &region);
		b->begins[plain] = 1 + region_points(l->regions, &region, region.header);
	}
	return b->begins[plain] > 1;
}

static void ballots_look(struct ballots *b, const struct labels *l, struct edges edges)
{
	for (size_t i = 0; i < b->count; i++) {
		struct ballot *ballot = &b->ballot[i];
		if (ballot->hit.object == OBJECT_NONE)
			continue;
		ballot->has = edges_of(edges, ballot->hit.object).count > 0;
		uint32_t label = label_at(l, ballot->hit.object);
		ballot->plain = ballot->has && label != LABEL_TYPED;
		ballot->looked_at = ballot->plain && !begins_with_pointer(b, l, label);
		if (ballot->looked_at)
			regions_prefetch(l->regions, ballot->hit);
	}
	for (size_t i = 0; i < b->count; i++) {
		struct ballot *ballot = &b->ballot[i];
		if (!ballot->looked_at)
			continue;
		regions_look(l->regions, ballot->hit.object, &ballot->region);
		if (!region_points(l->regions, &ballot->region, ballot->region.header))
			__builtin_prefetch(ballot->region.data + ballot->region.header);
	}
}

/* Returns the vote. Texts are recognized by their length, wherever the bytes are. */
static uint32_t field_of(const struct labels *l, const struct ballot *ballot)
{
	uint32_t target = ballot->hit.object;
	if (target == OBJECT_NONE)
		return ballot->field;
	if (!ballot->has)
		return ballot->field == FIELD_TEXT ? FIELD_TEXT : FIELD_NOSCAN;
	if (!ballot->plain)
		return FIELD_TYPED | typing_type(l->typing, target);
	uint64_t entry = ballot->looked_at ? label_join_entry_of(l, &ballot->region) : 0;
	return entry ? (uint32_t)entry : FIELD_LABEL + label_plain(l, label_at(l, target));
}

static void ballots_count(struct ballots *b, const struct labels *l)
{
	struct edges edges = heap_edges(l->heap);
	ballots_locate(b, l, edges);
	ballots_look(b, l, edges);
	for (size_t i = 0; i < b->count; i++)
		label_fields_vote(b->ballot[i].fields, b->ballot[i].word, field_of(l, &b->ballot[i]));
	b->count = 0;
}

static bool is_text_length(const struct labels *l, const struct region *region, uint64_t at)
{
	unsigned width = l->regions->width;
	if (at + 2 * width > region->size || region_points(l->regions, region, at + width))
		return false;
	uint64_t length = region_word(l->regions, region, at + width);
	return length && length < LONGEST_TEXT;
}

static void label_fields_add(const struct labels *l, struct label_fields *fields, uint32_t object,
                             struct ballots *ballots)
{
	struct region region;
	unsigned width = l->regions->width, word = 0;
	regions_look(l->regions, object, &region);
	uint64_t entry = label_join_entry_of(l, &region);
	if (ballots->count + WORDS + 1 > BALLOTS)
		ballots_count(ballots, l);
	if (entry)
		ballots_put(ballots, fields, word++, (uint32_t)entry, 0);
	for (uint64_t at = region.header; at + width <= region.size && word < WORDS; at += width) {
		if (!region_points(l->regions, &region, at))
			continue;
		uint64_t value = region_word(l->regions, &region, at);
		bool text = value && is_text_length(l, &region, at);
		if (value)
			ballots_put(ballots, fields, word, text ? FIELD_TEXT : FIELD_OUTSIDE, value);
		word++;
	}
}

static void joiner_vote(struct joiner *j)
{
	struct labels *l = j->l;
	struct ballots *ballots = mem_alloc(sizeof *ballots);
	ballots->begins = mem_alloc(l->count * sizeof *ballots->begins);
	for (uint32_t id = label_next(l, 0); id < l->regions->objects; id = label_next(l, id + 1)) {
		uint32_t fields = j->fields_of[label_at(l, id)];
		if (fields)
			label_fields_add(l, &j->fields[fields - 1], id, ballots);
	}
	ballots_count(ballots, l);
	free(ballots->begins);
	free(ballots);
}

static struct label_fields *joiner_root(struct joiner *j, uint32_t label)
{
	uint32_t i = j->fields_of[label] - 1;
	while (j->fields[i].joined != i)
		i = j->fields[i].joined = j->fields[j->fields[i].joined].joined;
	return &j->fields[i];
}

/* Returns true if all fields are equal, and at least one is specific. */
static bool label_fields_agree(const struct label_fields *a, const struct label_fields *b)
{
	bool same = false;
	for (unsigned i = 0; i < WORDS; i++) {
		if (!a->votes[i] != !b->votes[i] || (a->votes[i] && a->field[i] != b->field[i]))
			return false;
		same |= a->votes[i] && a->field[i] != FIELD_OUTSIDE;
	}
	return same;
}

static void joiner_join(struct joiner *j, uint32_t one, uint32_t other)
{
	struct label_fields *to = joiner_root(j, one), *from = joiner_root(j, other);
	if (to == from || !label_fields_agree(to, from))
		return;
	from->joined = to->joined;
	j->l->label[to->label].kind = 1;
}

void label_join(struct labels *l)
{
	struct joiner j = {.l = l};
	j.fields_of = mem_alloc(l->count * sizeof *j.fields_of);
	joiner_each_pair(&j, joiner_add_pair);
	joiner_vote(&j);
	joiner_each_pair(&j, joiner_join);
	for (uint32_t id = label_next(l, 0); id < l->regions->objects; id = label_next(l, id + 1))
		if (j.fields_of[label_at(l, id)])
			label_put(l, id, joiner_root(&j, label_at(l, id))->label);
	free(j.fields_of);
	free(j.fields);
}
