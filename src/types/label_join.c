/* Labels by a shape and by where something holds it split a type that neighbouring words hold, as
   the children of a node or an array in data or bss. They are one where the shape, the holder and
   what their own fields hold agree. */
#include "types/labelling.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

enum { WORDS = 8, LONGEST_TEXT = 1 << 30 };
/* What a word of an object holds, as a number: one of these, or the label, the type or the function
   of what it points to. */
enum { FIELD_UNKNOWN, FIELD_TEXT, FIELD_NOSCAN, FIELD_OUTSIDE, FIELD_LABEL };
#define FIELD_TYPED UINT32_C(0x80000000)

/* Of a label what most of its objects have in their first words with pointers. */
struct label_fields {
	uint32_t joined; /* the fields that this one is joined to, its own index where to none */
	uint32_t label;
	uint32_t field[WORDS], votes[WORDS];
};

struct joiner {
	struct labels *l;
	uint32_t *fields_of; /* by label: index + 1, 0: nothing to join it with */
	struct label_fields *fields;
	size_t count, capacity;
};

static bool is_segment(const struct holder *holder)
{
	return holder->kind == HOLDER_DATA || holder->kind == HOLDER_BSS;
}

/* The place in its holder, or `back` bytes before it, as a number; together with the shape. */
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
		j->fields = mem_grow(j->fields, j->count, &j->capacity, sizeof *j->fields);
		j->fields[j->count] = (struct label_fields){.joined = (uint32_t)j->count, .label = label};
		j->fields_of[label] = (uint32_t)++j->count;
	}
	return &j->fields[j->fields_of[label] - 1];
}

/* Calls visit for every two labels of neighbours. */
static void joiner_each_pair(struct joiner *j, void (*visit)(struct joiner *, uint32_t, uint32_t))
{
	struct labels *l = j->l;
	struct map places = {0};
	unsigned width = l->regions->width;
	uint64_t other;
	for (uint32_t i = 1; i < l->count; i++)
		if (is_joinable(l, &l->label[i]))
			map_put(&places, place_key(l, &l->label[i], 0), i);
	for (uint32_t i = 1; i < l->count; i++)
		if (is_joinable(l, &l->label[i])
		    && map_get(&places, place_key(l, &l->label[i], width), &other))
			visit(j, (uint32_t)other, i);
	map_free(&places);
}

static void joiner_add_pair(struct joiner *j, uint32_t one, uint32_t other)
{
	joiner_fields(j, one);
	joiner_fields(j, other);
}

/* The function that an object is a closure of if it is one, which says more than its shape; or 0.
 */
static uint64_t label_join_entry_of(const struct labels *l, const struct region *region)
{
	if (region->size - region->header < l->regions->width
	    || region_points(l->regions, region, region->header))
		return 0;
	uint64_t entry = region_word(l->regions, region, region->header);
	return entry >= l->text_low && entry < l->text_high ? entry : 0;
}

/* What an object is that has pointers itself. */
static uint32_t field_of_target(const struct labels *l, uint32_t target)
{
	struct region region;
	if (l->of[target] == LABEL_TYPED)
		return FIELD_TYPED | typing_object(l->typing, target).type;
	regions_get(l->regions, target, &region);
	uint64_t entry = label_join_entry_of(l, &region);
	return entry ? (uint32_t)entry : FIELD_LABEL + label_plain(l, l->of[target]);
}

/* Texts are by their length what they are, wherever their bytes are. */
static uint32_t label_join_field_at(const struct labels *l, const struct region *region,
                                    uint64_t at)
{
	unsigned width = l->regions->width;
	uint64_t value = region_word(l->regions, region, at), length = 0;
	if (!value)
		return FIELD_UNKNOWN;
	if (at + 2 * width <= region->size && !region_points(l->regions, region, at + width))
		length = region_word(l->regions, region, at + width);
	uint32_t target = heap_find(l->heap, value);
	if (target != OBJECT_NONE && heap_references(l->heap, target).count)
		return field_of_target(l, target);
	if (length && length < LONGEST_TEXT)
		return FIELD_TEXT;
	return target == OBJECT_NONE ? FIELD_OUTSIDE : FIELD_NOSCAN;
}

/* The majority stays. */
static void label_fields_vote(struct label_fields *fields, unsigned word, uint32_t field)
{
	if (!fields->votes[word])
		fields->field[word] = field;
	fields->votes[word] += fields->field[word] == field ? 1 : UINT32_MAX;
}

static void label_fields_add(struct joiner *j, struct label_fields *fields, uint32_t object)
{
	struct region region;
	const struct labels *l = j->l;
	unsigned width = l->regions->width, word = 0;
	regions_get(l->regions, object, &region);
	uint64_t entry = label_join_entry_of(l, &region);
	if (entry)
		label_fields_vote(fields, word++, (uint32_t)entry);
	for (uint64_t at = region.header; at + width <= region.size && word < WORDS; at += width) {
		if (!region_points(l->regions, &region, at))
			continue;
		uint32_t field = label_join_field_at(l, &region, at);
		if (field != FIELD_UNKNOWN)
			label_fields_vote(fields, word, field);
		word++;
	}
}

static struct label_fields *joiner_root(struct joiner *j, uint32_t label)
{
	uint32_t i = j->fields_of[label] - 1;
	while (j->fields[i].joined != i)
		i = j->fields[i].joined = j->fields[j->fields[i].joined].joined;
	return &j->fields[i];
}

/* All fields are the same, and one of them says something. */
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
	for (uint32_t id = 0; id < heap_object_count(l->heap); id++)
		if (l->of[id] != LABEL_TYPED && j.fields_of[l->of[id]])
			label_fields_add(&j, &j.fields[j.fields_of[l->of[id]] - 1], id);
	joiner_each_pair(&j, joiner_join);
	for (uint32_t id = 0; id < heap_object_count(l->heap); id++)
		if (l->of[id] != LABEL_TYPED && j.fields_of[l->of[id]])
			l->of[id] = joiner_root(&j, l->of[id])->label;
	free(j.fields_of);
	free(j.fields);
}
