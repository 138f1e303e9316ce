/* Each distinct combination of parent type, offset and type, of which there are few, gets its name
   once; equal names are stored once. */
#include "table/naming/step_class.h"

#include "analysis/structures.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "go/runtime/gomap.h"
#include "go/types/scalar_fields.h"
#include "heap/heap.h"
#include "heap/name_part.h"
#include "table/contents/outside_spans.h"
#include "table/naming/step.h"
#include "table/naming/step_combination.h"
#include "table/naming/step_inner.h"
#include "table/naming/step_root.h"
#include "table/naming/typed.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_LIMIT = 200 };

/* The contents of a label: a step and the type of its target. */
struct step_name {
	char *step, *type;
};

enum { RECENT = 256 };

struct step_classes {
	const struct analysis *analysis;
	/* Of the analysis, asked for once; NULL: not there, or not yet. */
	const struct heap *heap;
	const struct typing *typing;
	const struct labels *labels;
	bool told; /* the heap has PART_TYPES */
	struct step_inner inner;
	const struct outside_spans *spans; /* NULL: elements outside of slices are as others */
	/* The object whose references were asked for last. */
	uint32_t from;
	struct typed from_typed;
	uint64_t from_size; /* of an element; 0: steps from it have no offset */
	struct step_name *name;
	size_t names, name_capacity;
	struct map by_name; /* hash -> name */
	struct combination *combination;
	size_t combinations, capacity;
	struct map by_key;       /* hash -> combination */
	uint32_t recent[RECENT]; /* 1 + a combination, by few bits of its key: most repeat soon */
};

struct step_classes *step_classes_new(const struct analysis *analysis)
{
	struct step_classes *step_classes = mem_alloc(sizeof *step_classes);
	step_classes->analysis = analysis;
	step_classes->heap = analysis_heap(analysis);
	step_classes->told = heap_has(step_classes->heap, PART_TYPES);
	step_classes->from = OBJECT_NONE;
	step_classes->inner.analysis = analysis;
	return step_classes;
}

void step_classes_free(struct step_classes *step_classes)
{
	if (!step_classes)
		return;
	for (size_t i = 0; i < step_classes->names; i++) {
		free(step_classes->name[i].step);
		free(step_classes->name[i].type);
	}
	free(step_classes->name);
	free(step_classes->combination);
	step_inner_fini(&step_classes->inner);
	map_free(&step_classes->by_name);
	map_free(&step_classes->by_key);
	free(step_classes);
}

void step_classes_split(struct step_classes *step_classes, const struct outside_spans *spans)
{
	step_classes->spans = spans;
}

const char *step_classes_step(const struct step_classes *step_classes, uint32_t label)
{
	return step_classes->name[label].step;
}

const char *step_classes_type(const struct step_classes *step_classes, uint32_t label)
{
	return step_classes->name[label].type;
}

/* Returns the number of a name, which is added if it is new. */
static uint32_t step_class_intern(struct step_classes *step_classes, const char *step,
                                  const char *type)
{
	uint64_t hash = hash_bytes(0, step, strlen(step) + 1), found;
	hash = hash_bytes(hash, type, strlen(type));
	for (; map_get(&step_classes->by_name, hash, &found); hash++)
		if (strcmp(step_classes->name[found].step, step) == 0
		    && strcmp(step_classes->name[found].type, type) == 0)
			return (uint32_t)found;
	step_classes->name = mem_grow(step_classes->name, step_classes->names,
	                              &step_classes->name_capacity, sizeof *step_classes->name);
	step_classes->name[step_classes->names] =
		(struct step_name){mem_strdup(step), mem_strdup(type)};
	map_put(&step_classes->by_name, hash, step_classes->names);
	return (uint32_t)step_classes->names++;
}

/* Appends "main.Session", "[]main.Session", "map[string]int"; without a type, the label. */
static void step_class_add_type(const struct step_classes *step_classes,
                                const struct combination *c, struct buf *out)
{
	const struct labels *labels = analysis_labels(step_classes->analysis);
	if (c->told) {
		struct text name = analysis_heap(step_classes->analysis)->told_types[c->told - 1].name;
		text_add_symbol(out, name.data, name.len, NAME_LIMIT);
	}
	buf_add(out, type_mark(c->to_guess ? KNOWN_GUESS : KNOWN_EXACT));
	if (c->text)
		buf_add(out, "string data");
	else if (c->to)
		typed_add_thing(step_classes->analysis, c->to, c->to_many, out);
	if (!c->to && c->untyped && labels)
		labels_add_whole(labels, c->untyped, out);
}

/* Appends the step to an entry of a map, and to `field` the field of its key or value. False: it is
   no map. */
static bool step_class_add_entry(const struct goruntime *rt, const struct gotypes *types,
                                 const struct combination *c, struct buf *field, struct buf *out)
{
	struct gomap_slots slots;
	bool is_value = true;
	unsigned slot;
	if (!gomap_slots(rt, c->from, &slots))
		return false;
	bool entry = gomap_slot_at(rt, &slots, c->offset, &slot, &is_value);
	buf_add(out, entry && !is_value ? "[*] key" : "[*]");
	if (entry && is_value && !slots.value_boxed)
		scalar_at(types, slots.value, c->offset - slots.value_at - slot * slots.value_step, field);
	else if (entry && !is_value && !slots.key_boxed)
		scalar_at(types, slots.key, c->offset - slots.key_at - slot * slots.key_step, field);
	return true;
}

static void step_class_add_field(const struct step_classes *step_classes,
                                 const struct combination *c, struct buf *out)
{
	const struct goruntime *rt = typing_runtime(analysis_typing(step_classes->analysis));
	const struct gotypes *types = analysis_types(step_classes->analysis);
	SCOPED_BUF field = {.without = NAME_INDEX};
	if (c->boxed)
		buf_add(out, "[*]");
	else if (!step_inner_add(types, c->from, c->offset, c->to, &field, out)
	         && !step_class_add_entry(rt, types, c, &field, out)) {
		buf_add(out, c->outside ? "[*] outside" : c->from_many ? "[*]" : "");
		scalar_at(types, c->from, c->offset, &field);
	}
	buf_add(out, buf_text(&field));
}

static uint32_t step_class_add_name(struct step_classes *step_classes, const struct combination *c)
{
	SCOPED_BUF step = {0}, type = {0};
	if (c->place == ANY_INDEX)
		buf_add(&step, "[*]");
	else if (c->place)
		step_add_place(analysis_heap(step_classes->analysis), (uint32_t)(c->place - 1), &step);
	else if (c->told_from) {
		buf_add(&step, " > ");
		step_class_add_type(step_classes, c, &step);
	}
	if (c->from && c->offset != UINT64_MAX)
		step_class_add_field(step_classes, c, &step);
	step_class_add_type(step_classes, c, &type);
	return step_class_intern(step_classes, buf_text(&step), buf_text(&type));
}

static uint32_t step_class_told(const struct heap *heap, uint32_t object)
{
	uint32_t type = heap_type(heap, object);
	return type < heap->told_type_count ? type + 1 : 0;
}

/* Returns the place of a reference for struct combination. */
static uint64_t step_class_place(const struct heap *heap, uint32_t from, uint64_t place)
{
	struct reference reference;
	uint64_t index;
	if (!heap_has(heap, PART_NAMES) || !reference_numbered(heap, from, place, &reference)
	    || reference.place == PLACE_NONE)
		return 0;
	return reference_add_place(heap, reference.place, NULL, &index) ? reference.place + 1ULL
	                                                                : ANY_INDEX;
}

static const struct typing *step_classes_typing(struct step_classes *s)
{
	if (!s->typing)
		s->typing = analysis_typing(s->analysis);
	return s->typing;
}

static struct combination step_class_combine_told(const struct heap *heap, uint32_t from,
                                                  uint64_t place, uint32_t to)
{
	struct combination c = {.offset = UINT64_MAX, .told = step_class_told(heap, to)};
	c.told_from = from == OBJECT_NONE ? 0 : step_class_told(heap, from);
	c.place = c.told_from ? step_class_place(heap, from, place) : 0;
	return c;
}

/* Prepares for the steps from an object. */
static void step_class_begin(struct step_classes *s, uint32_t from)
{
	struct typed typed = typing_object(s->typing, from);
	s->from = from;
	s->from_typed = typed;
	s->from_size = typed.type && !typed.text ? gotype_get(typing_types(s->typing), typed.type)->size
	                                         : 0;
}

static struct combination combine(struct step_classes *s, uint32_t from, uint64_t offset,
                                  uint32_t to)
{
	if (s->told)
		return step_class_combine_told(s->heap, from, offset, to);
	const struct typing *typing = step_classes_typing(s);
	struct typed typed = typing ? typing_object(typing, to) : (struct typed){0};
	struct combination c = {.offset = UINT64_MAX};
	if (!s->labels)
		s->labels = analysis_labels(s->analysis);
	c.to = typed.type;
	c.to_many = typed.count > 1;
	c.to_guess = typed.type && typed.known == KNOWN_GUESS;
	c.text = typed.text;
	c.untyped = c.to || !s->labels ? 0 : labels_of(s->labels, to);
	if (!typing || from == OBJECT_NONE || offset == UINT64_MAX)
		return c;
	if (from != s->from)
		step_class_begin(s, from);
	if (!s->from_size || offset / s->from_size >= s->from_typed.count)
		return c;
	c.from = s->from_typed.type;
	c.from_many = s->from_typed.count > 1;
	c.offset = offset % s->from_size;
	c.boxed = !c.from_many && step_inner_is_box(&s->inner, from);
	c.outside = c.from_many && s->spans && outside_spans_has(s->spans, from, offset);
	return c;
}

void step_classes_add_field(struct step_classes *step_classes, uint32_t from, uint64_t offset,
                            struct buf *out)
{
	struct combination c = combine(step_classes, from, offset, from);
	if (c.from)
		step_class_add_field(step_classes, &c, out);
}

/* Adds a combination, whose hash is free. Returns its number. */
static uint32_t step_class_add(struct step_classes *s, uint64_t hash, struct combination c)
{
	c.label = step_class_add_name(s, &c);
	map_put(&s->by_key, hash, s->combinations);
	MEM_PUSH(s->combination, s->combinations, s->capacity, c);
	return (uint32_t)s->combinations - 1;
}

/* Returns the number of a combination. */
static uint32_t step_class_find(struct step_classes *s, const struct combination *c)
{
	uint64_t hash = step_combination_hash(c), found;
	for (; map_get(&s->by_key, hash, &found); hash++)
		if (step_combination_is_equal(&s->combination[found], c))
			return (uint32_t)found;
	return step_class_add(s, hash, *c);
}

/* Returns the combination of a step with its label; the next call may move it. */
static const struct combination *step_class_of(struct step_classes *s, uint32_t from,
                                               uint64_t offset, uint32_t to)
{
	struct combination c = combine(s, from, offset, to);
	uint64_t bits = c.from * UINT64_C(5) + c.to * UINT64_C(3) + c.untyped + (c.offset >> 2);
	uint32_t *recent = &s->recent[bits % RECENT];
	if (!*recent || !step_combination_is_equal(&s->combination[*recent - 1], &c))
		*recent = step_class_find(s, &c) + 1;
	return &s->combination[*recent - 1];
}

uint32_t step_classes_label(struct step_classes *step_classes, uint32_t from, uint64_t offset,
                            uint32_t to)
{
	return step_class_of(step_classes, from, offset, to)->label;
}

/* Steps from an element of a list or tree to the next stay in one place. */
static uint32_t label_step(void *self, uint32_t from, uint64_t offset, uint32_t to)
{
	struct step_classes *step_classes = self;
	const struct structures *structures = analysis_structures(step_classes->analysis);
	if ((structures && structures_is_inside(structures, from, to))
	    || step_inner_has(&step_classes->inner, from, to))
		return MERGE_PART;
	const struct combination *c = step_class_of(step_classes, from, offset, to);
	bool next = c->told ? c->told == c->told_from
	                    : c->from && c->from == c->to && !c->from_many && !c->to_many;
	return next ? MERGE_SAME : c->label;
}

/* Fields and elements have names only in objects with a type. */
static bool label_by_offset(const void *self, uint32_t from)
{
	const struct step_classes *step_classes = self;
	const struct typing *typing = step_classes->typing;
	return step_classes->told || (typing && typing_type(typing, from));
}

static void label_ahead(const void *self, uint32_t to)
{
	const struct step_classes *step_classes = self;
	if (step_classes->typing)
		typing_ahead(step_classes->typing, to);
}

uint32_t step_classes_of(struct step_classes *step_classes, const char *step, uint32_t to)
{
	struct combination c = combine(step_classes, OBJECT_NONE, UINT64_MAX, to);
	SCOPED_BUF type = {0};
	step_class_add_type(step_classes, &c, &type);
	return step_class_intern(step_classes, step, buf_text(&type));
}

static uint32_t label_root(void *self, uint32_t index, uint32_t to)
{
	struct step_classes *step_classes = self;
	SCOPED_BUF name = {.without = NAME_INDEX};
	step_root_add(step_classes->analysis, &step_classes->heap->roots[index], &name);
	return step_classes_of(step_classes, buf_text(&name), to);
}

/* ---- In an index: step and type of each, NUL-terminated */

bool step_classes_index(struct step_classes *step_classes, const struct index_io *io)
{
	SCOPED_BUF names = {0};
	for (size_t i = 0; io->writer && i < step_classes->names; i++) {
		const struct step_name *name = &step_classes->name[i];
		buf_add_bytes(&names, name->step, strlen(name->step) + 1);
		buf_add_bytes(&names, name->type, strlen(name->type) + 1);
	}
	bool done = index_io_buf(io, "steps", &names);
	for (const char *at = names.data; io->file && at && at < names.data + names.len;) {
		const char *type = at + strlen(at) + 1;
		step_class_intern(step_classes, at, type);
		at = type + strlen(type) + 1;
	}
	return done;
}

struct merge_labels step_classes_labels(struct step_classes *step_classes)
{
	step_classes_typing(step_classes); /* the callbacks expect it */
	return (struct merge_labels){step_classes, label_root, label_step, label_by_offset,
	                             label_ahead};
}
