/* Groups objects by the names of their types: part of table/naming/typed.h. */
#include "table/naming/typed.h"

#include "analysis/structures.h"
#include "base/mem.h"
#include "format/format.h"
#include "heap/heap.h"

#include <stdlib.h>
#include <string.h>

/* Objects are counted by key before names are computed: each type has a key for single values and
   one for several, followed by a key for each label. */
enum { KEY_UNKNOWN = TYPED_KEY_UNKNOWN, KEY_FIRST = TYPING_FIRST };
enum { SHARED = 16 };

static size_t label_keys(const struct typing *typing)
{
	size_t types = typing ? gotypes_count(typing_types(typing)) + (size_t)1 : 0;
	return KEY_FIRST + TYPING_KEYS * types;
}

static size_t key_count(const struct analysis *analysis)
{
	const struct labels *labels = analysis_labels(analysis);
	if (heap_has(analysis_heap(analysis), PART_TYPES))
		return KEY_FIRST + (size_t)analysis_heap(analysis)->told_type_count;
	return label_keys(analysis_typing(analysis)) + (labels ? labels_count(labels) + (size_t)1 : 0);
}

/* What the key of an object depends on, asked for once. */
struct type_keys {
	const struct heap *told; /* a heap with PART_TYPES, or NULL */
	const struct typing *typing;
	const struct labels *labels;
};

static struct type_keys type_keys_of(const struct analysis *analysis)
{
	const struct heap *heap = analysis_heap(analysis);
	return (struct type_keys){heap_has(heap, PART_TYPES) ? heap : NULL, analysis_typing(analysis),
	                          analysis_labels(analysis)};
}

static size_t part_key(const struct type_keys *k, uint32_t id)
{
	if (k->told)
		return KEY_FIRST + (size_t)heap_type(k->told, id);
	size_t key = k->typing ? typing_name_key(k->typing, id) : KEY_UNKNOWN;
	uint32_t label = key == KEY_UNKNOWN && k->labels ? labels_of(k->labels, id) : 0;
	return label ? label_keys(k->typing) + label : key;
}

static const struct structures *structures_shown(const struct analysis *analysis, bool parts)
{
	return parts ? NULL : analysis_structures(analysis);
}

size_t typed_key(const struct analysis *analysis, uint32_t id)
{
	const struct structures *structures = structures_shown(analysis, analysis_parts(analysis));
	struct type_keys keys = type_keys_of(analysis);
	return part_key(&keys, structures_of(structures, id));
}

void type_groups_of_objects(const void *self, const struct analysis *analysis, uint32_t *group_of)
{
	const struct type_groups *groups = self;
	const struct structures *structures = structures_shown(analysis, groups->parts);
	struct type_keys keys = type_keys_of(analysis);
	for (uint32_t id = 0; id < heap_object_count(analysis_heap(analysis)); id++)
		group_of[id] = groups->of_key[part_key(&keys, structures_of(structures, id))];
}

static void typed_name_key(const struct analysis *analysis, size_t key, bool parts, struct buf *out)
{
	const struct typing *typing = analysis_typing(analysis);
	if (key < KEY_FIRST) {
		buf_add(out, key == TYPING_TEXT ? "string data" : "(not known)");
		return;
	}
	if (heap_has(analysis_heap(analysis), PART_TYPES)) {
		typed_add_log(&analysis_heap(analysis)->told_types[key - KEY_FIRST], out);
		return;
	}
	if (key >= label_keys(typing)) {
		(parts ? labels_add : labels_add_whole)(analysis_labels(analysis),
		                                        (uint32_t)(key - label_keys(typing)), out);
		return;
	}
	gotype_id type = (gotype_id)((key - KEY_FIRST) / TYPING_KEYS);
	bool several = (key - KEY_FIRST) % TYPING_KEYS;
	if (!parts)
		typed_add_thing(analysis, type, several, out);
	else {
		buf_add(out, several ? "[n]" : "");
		gotype_display(typing_types(typing), type, out);
	}
}

void typed_add_key(const struct analysis *analysis, size_t key, struct buf *out)
{
	typed_name_key(analysis, key, analysis_parts(analysis), out);
}

/* Returns the bytes lost to size class rounding. 0 for slots that several small values may
   share. */
static uint64_t waste_of(const struct typing *typing, const struct objects_run_view *run,
                         uint32_t id)
{
	if (!typing || run->size <= SHARED)
		return 0;
	struct typed typed = typing_object(typing, id);
	if (!typed.type)
		return 0;
	uint64_t used = gotype_get(typing_types(typing), typed.type)->size * typed.count + run->header;
	return used < run->size ? run->size - used : 0;
}

/* Counts a map or channel once, with the bytes of all its parts. */
static void count_thing(const struct structures *structures, uint32_t id, uint64_t size,
                        struct type_group *group)
{
	uint64_t entries;
	bool whole = structures && structures_has_role(structures, id);
	uint64_t bytes = whole ? structures_bytes(structures, id) : size;
	group->count++;
	if (bytes > group->largest)
		group->largest = bytes;
	if (!whole || !structures_entries(structures, id, &entries))
		return;
	group->holds = true;
	group->entries += entries;
}

/* Counts objects by key; `among` NULL: all. */
static void count_objects(const struct analysis *analysis, const struct structures *structures,
                          const struct reach *among, struct type_group *by_key)
{
	const struct objects *objects = analysis_heap(analysis)->objects;
	struct type_keys keys = type_keys_of(analysis);
	struct objects_run_view run;
	for (size_t r = 0; r < objects_run_count(objects); r++) {
		objects_run(objects, r, &run);
		for (uint32_t id = run.first; id < run.first + run.count; id++) {
			if (among && !reach_has(among, id))
				continue;
			uint32_t head = structures_of(structures, id);
			struct type_group *group = &by_key[part_key(&keys, head)];
			if (head == id) {
				count_thing(structures, id, run.size, group);
				group->guessed += keys.typing
				                  && typing_object(keys.typing, id).known == KNOWN_GUESS;
			}
			group->bytes += run.size;
			group->waste += waste_of(keys.typing, &run, id);
		}
	}
}

/* A group with its key, before groups with the same name are merged. */
struct keyed_group {
	struct type_group group;
	size_t key;
};

static int type_group_by_name(const void *a, const void *b)
{
	const struct keyed_group *x = a, *y = b;
	return strcmp(x->group.name, y->group.name);
}

static void type_group_add(struct type_group *same, const struct type_group *group)
{
	same->count += group->count;
	same->guessed += group->guessed;
	same->bytes += group->bytes;
	same->waste += group->waste;
	same->entries += group->entries;
	same->holds |= group->holds;
	same->largest = same->largest > group->largest ? same->largest : group->largest;
}

/* Merges groups with the same name: different types may share one, if they are local to functions,
   or come from both type sources. */
static void type_groups_merge_equal(struct type_groups *groups, const struct keyed_group *keyed,
                                    size_t count)
{
	groups->group = mem_alloc((count + 1) * sizeof *groups->group);
	for (size_t i = 0; i < count; i++) {
		struct type_group *last = groups->count ? &groups->group[groups->count - 1] : NULL;
		if (last && strcmp(last->name, keyed[i].group.name) == 0) {
			type_group_add(last, &keyed[i].group);
			free(keyed[i].group.name);
		} else {
			groups->group[groups->count] = keyed[i].group;
			groups->group[groups->count].number = (uint32_t)groups->count;
			groups->count++;
		}
		groups->of_key[keyed[i].key] = (uint32_t)groups->count - 1;
	}
}

void type_groups_count(struct type_groups *groups, const struct analysis *analysis, bool parts,
                       const struct reach *among)
{
	const struct structures *structures = structures_shown(analysis, parts);
	size_t keys = key_count(analysis), count = 0;
	SCOPED_FREE struct type_group *by_key = mem_alloc(keys * sizeof *by_key);
	SCOPED_FREE struct keyed_group *keyed = mem_alloc(keys * sizeof *keyed);
	SCOPED_BUF name = {0};
	count_objects(analysis, structures, among, by_key);
	for (size_t key = 0; key < keys; key++) {
		if (!by_key[key].count && !by_key[key].bytes)
			continue;
		buf_clear(&name);
		typed_name_key(analysis, key, parts, &name);
		by_key[key].label = !heap_has(analysis_heap(analysis), PART_TYPES)
		                    && key >= label_keys(analysis_typing(analysis));
		by_key[key].name = mem_strdup(buf_text(&name));
		keyed[count++] = (struct keyed_group){by_key[key], key};
	}
	qsort(keyed, count, sizeof *keyed, type_group_by_name);
	*groups = (struct type_groups){
		.parts = parts, .keys = keys, .of_key = mem_alloc(keys * sizeof *groups->of_key)};
	type_groups_merge_equal(groups, keyed, count);
}

void type_groups_fini(struct type_groups *groups)
{
	for (size_t i = 0; i < groups->count; i++)
		free(groups->group[i].name);
	free(groups->group);
	free(groups->of_key);
}

/* Returns by key whether the objects that have it have this name; anything for a key without
   objects. NULL: no object has. The caller frees the result. */
static bool *wanted_keys(const struct analysis *analysis, const char *name, bool parts)
{
	const struct type_groups *groups = type_groups_all(analysis, parts);
	const struct type_group *group = type_groups_find(groups, name);
	if (!group)
		return NULL;
	bool *wanted = mem_alloc(groups->keys * sizeof *wanted);
	for (size_t key = 0; key < groups->keys; key++)
		wanted[key] = groups->of_key[key] == group->number;
	return wanted;
}

static uint32_t *typed_select_keys(const struct analysis *analysis, const bool *part,
                                   const bool *thing, bool guess, size_t *count)
{
	const struct structures *structures = structures_shown(analysis, analysis_parts(analysis));
	struct type_keys keys = type_keys_of(analysis);
	uint32_t *ids = mem_alloc(sizeof *ids);
	size_t capacity = 1;
	*count = 0;
	uint32_t objects = part || thing ? heap_object_count(analysis_heap(analysis)) : 0;
	for (uint32_t id = 0; id < objects; id++) {
		size_t key = part_key(&keys, id);
		if (!(part && part[key]) && !(thing && thing[key] && structures_of(structures, id) == id))
			continue;
		if (!guess || typing_object(keys.typing, id).known == KNOWN_GUESS)
			MEM_PUSH(ids, *count, capacity, id);
	}
	return ids;
}

static uint32_t *typed_select_named(const struct analysis *analysis, const char *name,
                                    size_t *count)
{
	SCOPED_FREE bool *part = wanted_keys(analysis, name, true);
	SCOPED_FREE bool *thing = wanted_keys(analysis, name, analysis_parts(analysis));
	/* labels have names that begin with the mark of a guess, too */
	if (!analysis_typing(analysis) || *name != TYPE_MARK || part || thing)
		return typed_select_keys(analysis, part, thing, false, count);
	const char *type = type_unmarked(name);
	SCOPED_FREE bool *guessed_part = wanted_keys(analysis, type, true);
	SCOPED_FREE bool *guessed_thing = wanted_keys(analysis, type, analysis_parts(analysis));
	return typed_select_keys(analysis, guessed_part, guessed_thing, true, count);
}

bool typed_add_any_length(const char *name, struct buf *out)
{
	const char *element = typed_without_count(name), *type = type_unmarked(name);
	if (element == type || type[1] == 'n')
		return false;
	buf_addf(out, "[]%s", strcmp(element, "uint8") == 0 ? "byte" : element);
	return true;
}

uint32_t *typed_select(const struct analysis *analysis, const char *name, size_t *count)
{
	uint32_t *ids = typed_select_named(analysis, name, count);
	SCOPED_BUF rows = {0}, part = {0};
	if (*count || !typed_add_any_length(name, &rows))
		return ids;
	free(ids);
	ids = typed_select_named(analysis, buf_text(&rows), count);
	size_t kept = 0;
	for (size_t i = 0; i < *count; i++) {
		buf_clear(&part);
		typed_add_part(analysis, ids[i], &part);
		if (strcmp(type_unmarked(buf_text(&part)), type_unmarked(name)) == 0)
			ids[kept++] = ids[i];
	}
	*count = kept;
	return ids;
}

bool typed_key_is_label(const struct analysis *analysis, size_t key)
{
	return !heap_has(analysis_heap(analysis), PART_TYPES)
	       && key >= label_keys(analysis_typing(analysis));
}

bool typed_key_is_bytes(const struct analysis *analysis, size_t key)
{
	const struct typing *typing = analysis_typing(analysis);
	bool typed = typing && key >= KEY_FIRST && key < label_keys(typing);
	bool several = typed && (key - KEY_FIRST) % TYPING_KEYS;
	gotype_id type = typed ? (gotype_id)((key - KEY_FIRST) / TYPING_KEYS) : 0;
	return key == TYPING_TEXT
	       || (several && strcmp(gotype_get(typing_types(typing), type)->name, "uint8") == 0);
}

void type_group_add_package(const struct type_group *group, struct buf *out)
{
	typed_add_package(group->name, group->label, out);
}

void typed_add_package(const char *name, bool label, struct buf *out)
{
	static const char ends[] = " []()*,;{}";
	if (label || *name == '(') {
		buf_add(out, "(no type)");
		return;
	}
	name = type_unmarked(name);
	static const char shape[] = "go.shape."; /* no package: before what a type consists of */
	name += strncmp(name, shape, sizeof shape - 1) == 0 ? sizeof shape - 1 : 0;
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

/* "[n]main.Session" means several values of the type after the bracket; "[]byte" is a type. */
const char *typed_without_count(const char *name)
{
	name = type_unmarked(name);
	size_t digits = *name == '[' ? strspn(name + 1, "n0123456789") : 0;
	return digits && name[1 + digits] == ']' ? name + digits + 2 : name;
}
