/* Objects by the names of their types: part of table/typed.h. */
#include "table/typed.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Before names are made, objects are counted by keys: a type, alone or several in a row, each has
   one, then each label. */
enum { KEY_UNKNOWN = TYPED_KEY_UNKNOWN, KEY_TEXT, KEY_FIRST };
enum { SHARED = 16 };

static size_t label_keys(const struct typing *typing)
{
	return typing ? KEY_FIRST + 2 * (gotypes_count(typing_types(typing)) + (size_t)1) : KEY_FIRST;
}

static size_t key_count(const struct analysis *analysis)
{
	const struct labels *labels = analysis_labels(analysis);
	if (heap_has(analysis_heap(analysis), HAS_TYPES))
		return KEY_FIRST + (size_t)analysis_heap(analysis)->told_type_count;
	return label_keys(analysis_typing(analysis)) + (labels ? labels_count(labels) + (size_t)1 : 0);
}

size_t typed_key(const struct analysis *analysis, uint32_t id)
{
	const struct typing *typing = analysis_typing(analysis);
	const struct labels *labels = analysis_labels(analysis);
	if (heap_has(analysis_heap(analysis), HAS_TYPES))
		return KEY_FIRST + (size_t)heap_type(analysis_heap(analysis), id);
	uint32_t label = labels ? labels_of(labels, id) : 0;
	if (label)
		return label_keys(typing) + label;
	struct typed typed = typing ? typing_object(typing, id) : (struct typed){0};
	if (!typed.type)
		return KEY_UNKNOWN;
	return typed.text ? KEY_TEXT : KEY_FIRST + 2 * (size_t)typed.type + (typed.count > 1);
}

void typed_add_key(const struct analysis *analysis, size_t key, struct buf *out)
{
	const struct typing *typing = analysis_typing(analysis);
	if (key < KEY_FIRST) {
		buf_add(out, key == KEY_TEXT ? "string data" : "(not known)");
		return;
	}
	if (heap_has(analysis_heap(analysis), HAS_TYPES)) {
		typed_add_log(&analysis_heap(analysis)->told_types[key - KEY_FIRST], out);
		return;
	}
	if (key >= label_keys(typing)) {
		labels_add(analysis_labels(analysis), (uint32_t)(key - label_keys(typing)), out);
		return;
	}
	if (key % 2)
		buf_add(out, "[n]");
	gotype_display(typing_types(analysis_typing(analysis)), (gotype_id)((key - KEY_FIRST) / 2),
	               out);
}

/* What the allocator's size classes have rounded up. Values of up to 16 bytes may share a slot. */
static uint64_t waste_of(const struct typing *typing, const struct objects_run_view *run,
                         uint32_t id)
{
	struct typed typed = typing ? typing_object(typing, id) : (struct typed){0};
	if (!typed.type || run->size <= SHARED)
		return 0;
	uint64_t used = gotype_get(typing_types(typing), typed.type)->size * typed.count + run->header;
	return used < run->size ? run->size - used : 0;
}

static void count_objects(const struct analysis *analysis, struct type_group *by_key)
{
	struct objects_run_view run;
	for (size_t r = 0; r < objects_run_count(analysis_heap(analysis)->objects); r++) {
		objects_run(analysis_heap(analysis)->objects, r, &run);
		for (uint32_t id = run.first; id < run.first + run.count; id++) {
			struct type_group *group = &by_key[typed_key(analysis, id)];
			group->count++;
			group->bytes += run.size;
			group->waste += waste_of(analysis_typing(analysis), &run, id);
			if (run.size > group->largest)
				group->largest = run.size;
		}
	}
}

static int type_group_by_name(const void *a, const void *b)
{
	const struct type_group *x = a, *y = b;
	return strcmp(x->name, y->name);
}

/* Different types may have one name: those of other functions, or of both sources. */
static size_t type_group_merge_equal(struct type_group *group, size_t count)
{
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		if (kept && strcmp(group[kept - 1].name, group[i].name) == 0) {
			struct type_group *same = &group[kept - 1];
			same->count += group[i].count;
			same->bytes += group[i].bytes;
			same->waste += group[i].waste;
			same->largest = same->largest > group[i].largest ? same->largest : group[i].largest;
			free(group[i].name);
		} else {
			group[kept++] = group[i];
		}
	}
	return kept;
}

void type_groups_init(struct type_groups *groups, const struct analysis *analysis)
{
	size_t keys = key_count(analysis), count = 0;
	struct type_group *group = mem_alloc(keys * sizeof *group);
	struct buf name = {0};
	count_objects(analysis, group);
	for (size_t key = 0; key < keys; key++) {
		if (!group[key].count)
			continue;
		buf_clear(&name);
		typed_add_key(analysis, key, &name);
		group[count] = group[key];
		group[count].label = !heap_has(analysis_heap(analysis), HAS_TYPES)
		                     && key >= label_keys(analysis_typing(analysis));
		group[count++].name = mem_strdup(buf_text(&name));
	}
	buf_free(&name);
	qsort(group, count, sizeof *group, type_group_by_name);
	groups->group = group;
	groups->count = type_group_merge_equal(group, count);
}

void type_groups_fini(struct type_groups *groups)
{
	for (size_t i = 0; i < groups->count; i++)
		free(groups->group[i].name);
	free(groups->group);
}

/* Which keys have this name. */
static bool *wanted_keys(const struct analysis *analysis, const char *name)
{
	size_t keys = key_count(analysis);
	bool *wanted = mem_alloc(keys * sizeof *wanted);
	struct buf text = {0};
	for (size_t key = 0; key < keys; key++) {
		buf_clear(&text);
		typed_add_key(analysis, key, &text);
		wanted[key] = strcmp(buf_text(&text), name) == 0;
	}
	buf_free(&text);
	return wanted;
}

uint32_t *typed_select(const struct analysis *analysis, const char *name, size_t *count)
{
	bool *wanted = wanted_keys(analysis, name);
	uint32_t *ids = mem_alloc(sizeof *ids);
	size_t capacity = 1;
	*count = 0;
	for (uint32_t id = 0; id < heap_object_count(analysis_heap(analysis)); id++) {
		if (!wanted[typed_key(analysis, id)])
			continue;
		ids = mem_grow(ids, *count, &capacity, sizeof *ids);
		ids[(*count)++] = id;
	}
	free(wanted);
	return ids;
}

void type_group_add_package(const struct type_group *group, struct buf *out)
{
	static const char ends[] = " []()*,;{}";
	const char *name = group->name;
	if (group->label || *name == '(') {
		buf_add(out, "(no type)");
		return;
	}
	for (const char *word = name + strspn(name, ends); *word; word += strspn(word, ends)) {
		size_t length = strcspn(word, ends), slash = length;
		while (slash > 0 && word[slash - 1] != '/')
			slash--;
		size_t dot = slash + strcspn(word + slash, ".");
		if (dot > slash && dot < length) {
			buf_add_bytes(out, word, dot);
			return;
		}
		word += length;
	}
	buf_add(out, "(built in)");
}

/* "[n]main.Session" is many of a type that is called as the rest says; "[]byte" is a type. */
static const char *after_count(const char *name)
{
	size_t digits = *name == '[' ? strspn(name + 1, "n0123456789") : 0;
	return digits && name[1 + digits] == ']' ? name + digits + 2 : name;
}

gotype_id typed_named(const struct analysis *analysis, const char *name)
{
	const struct gotypes *types = typing_types(analysis_typing(analysis));
	const char *const names[] = {name, after_count(name)};
	gotype_id found = 0;
	struct buf text = {0};
	for (size_t i = 0; i < 2 && !found; i++)
		for (gotype_id id = 1; id <= gotypes_count(types) && !found; id++) {
			buf_clear(&text);
			gotype_display(types, id, &text);
			if (strcmp(buf_text(&text), names[i]) == 0)
				found = id;
		}
	buf_free(&text);
	return found;
}
