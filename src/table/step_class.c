/* Names are made once for each combination of holder's type, place and type, of which there are
   few, and kept once each. */
#include "table/step_class.h"

#include "base/mem.h"
#include "base/text.h"
#include "table/root.h"
#include "table/typed.h"
#include "types/scalar_fields.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_LIMIT = 200 };

/* What the name of a step depends on. */
struct combination {
	gotype_id from, to;
	bool from_many, to_many, text;
	uint64_t offset, size; /* within an element; of what has no type */
	uint32_t label;
};

struct step_classes {
	const struct analysis *analysis;
	char **name;
	size_t names, name_capacity;
	struct map by_name; /* hash -> name */
	struct combination *combination;
	size_t combinations, capacity;
	struct map by_key; /* hash -> combination */
};

struct step_classes *step_classes_new(const struct analysis *analysis)
{
	struct step_classes *step_classes = mem_alloc(sizeof *step_classes);
	step_classes->analysis = analysis;
	return step_classes;
}

void step_classes_free(struct step_classes *step_classes)
{
	if (!step_classes)
		return;
	for (size_t i = 0; i < step_classes->names; i++)
		free(step_classes->name[i]);
	free(step_classes->name);
	free(step_classes->combination);
	map_free(&step_classes->by_name);
	map_free(&step_classes->by_key);
	free(step_classes);
}

const char *step_classes_name(const struct step_classes *step_classes, uint32_t label)
{
	return step_classes->name[label];
}

static uint64_t step_class_mix(uint64_t hash, uint64_t value)
{
	return (hash ^ value) * 0x9e3779b97f4a7c15 + (hash >> 29);
}

/* The number of a name. */
static uint32_t step_class_intern(struct step_classes *step_classes, const char *name)
{
	uint64_t hash = 0, found;
	for (const char *c = name; *c; c++)
		hash = step_class_mix(hash, (unsigned char)*c);
	for (; map_get(&step_classes->by_name, hash, &found); hash++)
		if (strcmp(step_classes->name[found], name) == 0)
			return (uint32_t)found;
	step_classes->name = mem_grow(step_classes->name, step_classes->names,
	                              &step_classes->name_capacity, sizeof *step_classes->name);
	step_classes->name[step_classes->names] = mem_strdup(name);
	map_put(&step_classes->by_name, hash, step_classes->names);
	return (uint32_t)step_classes->names++;
}

/* Appends a text without what is in its brackets: "[12].slots[3]" becomes "[].slots[]". */
static void add_without_indices(const char *text, struct buf *out)
{
	for (; *text; text++) {
		buf_add_char(out, *text);
		if (*text == '[')
			text += strspn(text + 1, "0123456789");
	}
}

/* "map[string]*main.Session (group)" is a part of a map: *len becomes the length of the map's own
   name, which begins at what is returned. NULL: it is none. */
static const char *map_of(const char *type, size_t *len)
{
	size_t length = strlen(type);
	const char *start = type + strspn(type, "*");
	const char *end = strstr(start, " (");
	if (strncmp(start, "map[", 4) != 0 || !end || type[length - 1] != ')')
		return NULL;
	*len = (size_t)(end - start);
	return start;
}

/* "main.Session", "[]main.Session", "map[string]int"; what has no type is called by its size. */
static void step_class_add_type(const struct step_classes *step_classes,
                                const struct combination *c, gotype_id type, bool many,
                                struct buf *out)
{
	struct buf name = {0};
	size_t len;
	if (type)
		gotype_display(analysis_types(step_classes->analysis), type, &name);
	const char *map = map_of(buf_text(&name), &len);
	if (map)
		buf_add_bytes(out, map, len);
	else if (c->text && type == c->to)
		buf_add(out, "string data");
	else if (type)
		buf_addf(out, "%s%s", many ? "[]" : "", buf_text(&name));
	else
		text_add_size(out, c->size);
	buf_free(&name);
}

/* Are both parts of the same map? */
static bool is_inside(const struct step_classes *step_classes, const struct combination *c)
{
	struct buf from = {0}, to = {0};
	size_t from_len = 0, to_len = 0;
	if (c->from && c->to) {
		gotype_display(analysis_types(step_classes->analysis), c->from, &from);
		gotype_display(analysis_types(step_classes->analysis), c->to, &to);
	}
	const char *a = map_of(buf_text(&from), &from_len), *b = map_of(buf_text(&to), &to_len);
	bool same = a && b && from_len == to_len && memcmp(a, b, to_len) == 0;
	buf_free(&from);
	buf_free(&to);
	return same;
}

static void step_class_add_field(const struct step_classes *step_classes,
                                 const struct combination *c, struct buf *out)
{
	struct buf field = {0}, type = {0};
	size_t len;
	gotype_display(analysis_types(step_classes->analysis), c->from, &type);
	if (map_of(buf_text(&type), &len))
		buf_add(out, "[]");
	else if (c->from_many)
		buf_add(out, "[]");
	scalar_at(analysis_types(step_classes->analysis), c->from, c->offset, &field);
	if (!map_of(buf_text(&type), &len))
		add_without_indices(buf_text(&field), out);
	buf_free(&field);
	buf_free(&type);
}

static uint32_t step_class_add_name(struct step_classes *step_classes, const struct combination *c)
{
	struct buf name = {0};
	if (is_inside(step_classes, c))
		return MERGE_SAME;
	if (c->from && c->offset != UINT64_MAX)
		step_class_add_field(step_classes, c, &name);
	if (name.len)
		buf_add(&name, "  ");
	step_class_add_type(step_classes, c, c->to, c->to_many, &name);
	uint32_t label = step_class_intern(step_classes, buf_text(&name));
	buf_free(&name);
	return label;
}

static struct combination combine(const struct step_classes *step_classes, uint32_t from,
                                  uint64_t offset, uint32_t to)
{
	const struct typing *typing = analysis_typing(step_classes->analysis);
	struct combination c = {.offset = UINT64_MAX};
	struct typed typed = typing ? typing_object(typing, to) : (struct typed){0};
	c.to = typed.type;
	c.to_many = typed.count > 1;
	c.text = typed.text;
	c.size = c.to ? 0 : heap_size(analysis_heap(step_classes->analysis), to);
	if (!typing || from == OBJECT_NONE)
		return c;
	typed = typing_object(typing, from);
	uint64_t size =
		typed.type ? gotype_get(analysis_types(step_classes->analysis), typed.type)->size : 0;
	if (size == 0 || typed.text || offset / size >= typed.count)
		return c;
	c.from = typed.type;
	c.from_many = typed.count > 1;
	c.offset = offset % size;
	return c;
}

static bool step_class_is_equal(const struct combination *a, const struct combination *b)
{
	return a->from == b->from && a->to == b->to && a->from_many == b->from_many
	       && a->to_many == b->to_many && a->text == b->text && a->offset == b->offset
	       && a->size == b->size;
}

static uint32_t label_step(void *self, uint32_t from, uint64_t offset, uint32_t to)
{
	struct step_classes *step_classes = self;
	struct combination c = combine(step_classes, from, offset, to);
	uint64_t flags = (uint64_t)c.from_many | (uint64_t)c.to_many << 1 | (uint64_t)c.text << 2;
	uint64_t hash = step_class_mix(
				 step_class_mix(step_class_mix(step_class_mix(flags, c.from), c.to), c.offset),
				 c.size),
			 found;
	for (; map_get(&step_classes->by_key, hash, &found); hash++)
		if (step_class_is_equal(&step_classes->combination[found], &c))
			return step_classes->combination[found].label;
	c.label = step_class_add_name(step_classes, &c);
	step_classes->combination = mem_grow(step_classes->combination, step_classes->combinations,
	                                     &step_classes->capacity,
	                                     sizeof *step_classes->combination);
	step_classes->combination[step_classes->combinations] = c;
	map_put(&step_classes->by_key, hash, step_classes->combinations++);
	return c.label;
}

/* A variable of a function, whichever goroutine runs it. */
static void add_local(const struct analysis *analysis, const struct root *root, struct buf *out)
{
	const struct frame_record *frame = &analysis_heap(analysis)->frames[root->holder].record;
	struct buf local = {0};
	text_add_escaped(out, frame->function.data, frame->function.len, NAME_LIMIT);
	if (typed_add_local(analysis, frame, root->address, NULL, &local))
		buf_addf(out, " %s", buf_text(&local));
	else
		buf_addf(out, " +0x%" PRIx64, root->address - frame->sp);
	buf_free(&local);
}

static uint32_t label_root(void *self, uint32_t index)
{
	struct step_classes *step_classes = self;
	const struct analysis *analysis = step_classes->analysis;
	const struct root *root = &analysis_heap(analysis)->roots[index];
	struct buf name = {0}, all = {0};
	if (root->kind == ROOT_FRAME)
		add_local(analysis, root, &all);
	else if (root->kind == ROOT_DATA || root->kind == ROOT_BSS)
		entity_add_name(analysis, entity_of_root(analysis_heap(analysis), root), &all);
	else
		buf_add(&all, root_kind_names[root->kind]);
	add_without_indices(buf_text(&all), &name);
	uint32_t label = step_class_intern(step_classes, buf_text(&name));
	buf_free(&name);
	buf_free(&all);
	return label;
}

struct merge_labels step_classes_labels(struct step_classes *step_classes)
{
	return (struct merge_labels){step_classes, label_root, label_step};
}
