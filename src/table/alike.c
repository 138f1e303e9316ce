/* Names are made once for each combination of holder's type, place and type, of which there are
   few, and kept once each. */
#include "table/alike.h"

#include "base/mem.h"
#include "base/text.h"
#include "table/root.h"
#include "table/typed.h"
#include "types/leaves.h"

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

struct alike {
	const struct analysis *analysis;
	char **name;
	size_t names, name_capacity;
	struct map by_name; /* hash -> name */
	struct combination *combination;
	size_t combinations, capacity;
	struct map by_key; /* hash -> combination */
};

struct alike *alike_new(const struct analysis *analysis)
{
	struct alike *alike = mem_alloc(sizeof *alike);
	alike->analysis = analysis;
	return alike;
}

void alike_free(struct alike *alike)
{
	if (!alike)
		return;
	for (size_t i = 0; i < alike->names; i++)
		free(alike->name[i]);
	free(alike->name);
	free(alike->combination);
	map_free(&alike->by_name);
	map_free(&alike->by_key);
	free(alike);
}

const char *alike_name(const struct alike *alike, uint32_t label)
{
	return alike->name[label];
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	return (hash ^ value) * 0x9e3779b97f4a7c15 + (hash >> 29);
}

/* The number of a name. */
static uint32_t intern(struct alike *alike, const char *name)
{
	uint64_t hash = 0, found;
	for (const char *c = name; *c; c++)
		hash = mix(hash, (unsigned char)*c);
	for (; map_get(&alike->by_name, hash, &found); hash++)
		if (strcmp(alike->name[found], name) == 0)
			return (uint32_t)found;
	alike->name = mem_grow(alike->name, alike->names, &alike->name_capacity, sizeof *alike->name);
	alike->name[alike->names] = mem_strdup(name);
	map_put(&alike->by_name, hash, alike->names);
	return (uint32_t)alike->names++;
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
static void add_type(const struct alike *alike, const struct combination *c, gotype_id type,
                     bool many, struct buf *out)
{
	struct buf name = {0};
	size_t len;
	if (type)
		gotype_display(alike->analysis->types, type, &name);
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
static bool is_inside(const struct alike *alike, const struct combination *c)
{
	struct buf from = {0}, to = {0};
	size_t from_len = 0, to_len = 0;
	if (c->from && c->to) {
		gotype_display(alike->analysis->types, c->from, &from);
		gotype_display(alike->analysis->types, c->to, &to);
	}
	const char *a = map_of(buf_text(&from), &from_len), *b = map_of(buf_text(&to), &to_len);
	bool same = a && b && from_len == to_len && memcmp(a, b, to_len) == 0;
	buf_free(&from);
	buf_free(&to);
	return same;
}

static void add_field(const struct alike *alike, const struct combination *c, struct buf *out)
{
	struct buf field = {0}, type = {0};
	size_t len;
	gotype_display(alike->analysis->types, c->from, &type);
	if (map_of(buf_text(&type), &len))
		buf_add(out, "[]");
	else if (c->from_many)
		buf_add(out, "[]");
	leaf_at(alike->analysis->types, c->from, c->offset, &field);
	if (!map_of(buf_text(&type), &len))
		add_without_indices(buf_text(&field), out);
	buf_free(&field);
	buf_free(&type);
}

static uint32_t name_step(struct alike *alike, const struct combination *c)
{
	struct buf name = {0};
	if (is_inside(alike, c))
		return MERGE_SAME;
	if (c->from && c->offset != UINT64_MAX)
		add_field(alike, c, &name);
	if (name.len)
		buf_add(&name, "  ");
	add_type(alike, c, c->to, c->to_many, &name);
	uint32_t label = intern(alike, buf_text(&name));
	buf_free(&name);
	return label;
}

static struct combination combine(const struct alike *alike, uint32_t from, uint64_t offset,
                                  uint32_t to)
{
	const struct typing *typing = analysis_typing(alike->analysis);
	struct combination c = {.offset = UINT64_MAX};
	struct typed typed = typing ? typing_object(typing, to) : (struct typed){0};
	c.to = typed.type;
	c.to_many = typed.count > 1;
	c.text = typed.text;
	c.size = c.to ? 0 : heap_size(alike->analysis->heap, to);
	if (!typing || from == OBJECT_NONE)
		return c;
	typed = typing_object(typing, from);
	uint64_t size = typed.type ? gotype_get(alike->analysis->types, typed.type)->size : 0;
	if (size == 0 || typed.text || offset / size >= typed.count)
		return c;
	c.from = typed.type;
	c.from_many = typed.count > 1;
	c.offset = offset % size;
	return c;
}

static bool is_equal(const struct combination *a, const struct combination *b)
{
	return a->from == b->from && a->to == b->to && a->from_many == b->from_many &&
	       a->to_many == b->to_many && a->text == b->text && a->offset == b->offset &&
	       a->size == b->size;
}

static uint32_t label_step(void *self, uint32_t from, uint64_t offset, uint32_t to)
{
	struct alike *alike = self;
	struct combination c = combine(alike, from, offset, to);
	uint64_t flags = (uint64_t)c.from_many | (uint64_t)c.to_many << 1 | (uint64_t)c.text << 2;
	uint64_t hash = mix(mix(mix(mix(flags, c.from), c.to), c.offset), c.size), found;
	for (; map_get(&alike->by_key, hash, &found); hash++)
		if (is_equal(&alike->combination[found], &c))
			return alike->combination[found].label;
	c.label = name_step(alike, &c);
	alike->combination = mem_grow(alike->combination, alike->combinations, &alike->capacity,
	                              sizeof *alike->combination);
	alike->combination[alike->combinations] = c;
	map_put(&alike->by_key, hash, alike->combinations++);
	return c.label;
}

/* A variable of a function, whichever goroutine runs it. */
static void add_local(const struct analysis *analysis, const struct root *root, struct buf *out)
{
	const struct frame_record *frame = &analysis->heap->frames[root->holder].record;
	struct buf local = {0};
	text_add_visible(out, frame->function.data, frame->function.len, NAME_LIMIT);
	if (typed_add_local(analysis, frame, root->address, NULL, &local))
		buf_addf(out, " %s", buf_text(&local));
	else
		buf_addf(out, " +0x%" PRIx64, root->address - frame->sp);
	buf_free(&local);
}

static uint32_t label_root(void *self, uint32_t index)
{
	struct alike *alike = self;
	const struct analysis *analysis = alike->analysis;
	const struct root *root = &analysis->heap->roots[index];
	struct buf name = {0}, all = {0};
	if (root->kind == ROOT_FRAME)
		add_local(analysis, root, &all);
	else if (root->kind == ROOT_DATA || root->kind == ROOT_BSS)
		root_add_name(analysis, root, &all);
	else
		buf_add(&all, root_kind_names[root->kind]);
	add_without_indices(buf_text(&all), &name);
	uint32_t label = intern(alike, buf_text(&name));
	buf_free(&name);
	buf_free(&all);
	return label;
}

struct merge_labels alike_labels(struct alike *alike)
{
	return (struct merge_labels){alike, label_root, label_step};
}
