#include "main/hprof/classes.h"

#include "main/export/exporter.h"

#include "base/mem.h"
#include "heap/heap.h"
#include "heap/pointer_walk.h"
#include "table/naming/typed.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Maximum number of words of an object with fields, so that its values have less than 4 GB. */
enum { WORDS_MAX = 1 << 28 };

/* ---- Finding classes */

/* Returns the name of a group; the caller frees it. A name that begins with [ would be an array of
   Java. */
static char *hprof_group_name(const struct hprof_classes *c, size_t key)
{
	struct buf name = {0}, whole = {0};
	typed_add_key(c->analysis, key, &name);
	const char *text = name.len ? name.data : "(no name)";
	if (*text == '[')
		buf_add(&whole, text[1] == ']' ? "slice " : "array ");
	buf_add(&whole, text);
	buf_free(&name);
	return whole.data;
}

static uint32_t hprof_add_group(struct hprof_classes *c, char *name, struct typed typed)
{
	bool told = typed.type && !typed.text && typed.source != SOURCE_BLOCK;
	return (uint32_t)MEM_PUSH(
		c->group, c->groups, c->group_capacity,
		(struct hprof_group){.name = name, .type = told ? typed.type : 0, .many = typed.count > 1});
}

/* Returns the group of an object. Labels with equal names share a group, types with equal names do
   not, because their fields differ. */
static uint32_t hprof_group_of(struct hprof_classes *c, uint32_t object, uint64_t key)
{
	uint64_t group;
	if (map_get(&c->group_of_key, key, &group))
		return (uint32_t)group;
	const struct typing *typing = analysis_typing(c->analysis);
	struct typed typed = typing ? typing_object(typing, object) : (struct typed){0};
	char *name = hprof_group_name(c, (size_t)key);
	uint32_t text = hprof_text(c->h, name);
	if (typed.type || !map_get(&c->group_of_name, text, &group)) {
		group = hprof_add_group(c, name, typed);
		if (!typed.type)
			map_put(&c->group_of_name, text, group);
	} else {
		free(name);
	}
	map_put(&c->group_of_key, key, group);
	return (uint32_t)group;
}

static uint64_t hprof_find_class(struct hprof_classes *c, uint32_t group, uint64_t size)
{
	uint64_t number = c->number_of_size.count, found;
	if (!map_get(&c->number_of_size, size, &number))
		map_put(&c->number_of_size, size, number);
	uint64_t key = (uint64_t)group << 32 | number;
	if (map_get(&c->of_group_size, key, &found))
		return found;
	map_put(&c->of_group_size, key, c->count);
	c->group[group].sizes++;
	return MEM_PUSH(c->class, c->count, c->capacity,
	                (struct hprof_object_class){.group = group, .size = size});
}

struct hprof_object_class *hprof_classes_of(struct hprof_classes *c, uint32_t object, uint64_t size)
{
	uint64_t key = typed_key(c->analysis, object);
	if (!c->count || c->last.key != key || c->last.size != size) {
		uint64_t class = hprof_find_class(c, hprof_group_of(c, object, key), size);
		c->last.key = key;
		c->last.size = size;
		c->last.class = class;
	}
	return &c->class[c->last.class];
}

/* ---- Finding pointers */

uint64_t hprof_pointer_offset(const struct hprof *h, const struct pointer *pointer, uint64_t n)
{
	return place_is_offset(pointer->offset) ? pointer->offset : n * h->word;
}

void hprof_pointers(const struct hprof_classes *c, uint32_t object,
                    const struct object_record *record, struct pointer_walk *walk)
{
	const struct heap *heap = c->h->heap;
	*walk = (struct pointer_walk){.heap = heap};
	if (!heap->root_count || reach_has(analysis_reach(c->analysis), object))
		pointer_walk_object(walk, heap, record);
}

static void hprof_mark(struct hprof_object_class *class, size_t word)
{
	if (word / 64 >= class->words) {
		size_t words = word / 64 + 1;
		class->pointer = mem_resize(class->pointer, words * sizeof *class->pointer);
		memset(class->pointer + class->words, 0, (words - class->words) * sizeof *class->pointer);
		class->words = words;
	}
	class->pointer[word / 64] |= (uint64_t)1 << word % 64;
}

static void hprof_see(struct hprof_classes *c, uint32_t object, const struct object_record *record)
{
	struct pointer_walk walk;
	struct pointer pointer;
	struct hprof_object_class *class = hprof_classes_of(c, object, record->size);
	hprof_pointers(c, object, record, &walk);
	for (uint64_t n = 0; pointer_walk_next(&walk, &pointer); n++) {
		uint64_t word = hprof_pointer_offset(c->h, &pointer, n) / c->h->word;
		if (pointer.target != OBJECT_NONE && word < WORDS_MAX)
			hprof_mark(class, (size_t)word);
	}
	c->cut += record->size > HPROF_SIZE_MAX;
}

static bool hprof_see_run(struct hprof_classes *c, const struct objects_run_view *run,
                          struct err *err)
{
	struct object_record record;
	uint64_t at = run->offset;
	for (uint32_t id = run->first; id < run->first + run->count; id++) {
		if (!export_next_object(c->h->heap, run, id, &at, &record))
			return err_set(err, "The dump was changed while it was read");
		hprof_see(c, id, &record);
	}
	return true;
}

/* ---- Names */

/* Returns how many names equal this one so far. Readers replace / in Java names by ., so these
   count as equal. */
static uint64_t hprof_times_taken(struct hprof_classes *c, const char *name)
{
	char *dotted = mem_strdup(name);
	uint64_t times = 0;
	for (char *at = dotted; *at; at++)
		*at = *at == '/' ? '.' : *at;
	uint32_t text = hprof_text(c->h, dotted);
	map_get(&c->taken, text, &times);
	map_put(&c->taken, text, times + 1);
	free(dotted);
	return times;
}

uint32_t hprof_classes_name(struct hprof_classes *c, uint64_t id, const char *name)
{
	SCOPED_BUF unique = {0};
	buf_add(&unique, name);
	for (uint64_t times; (times = hprof_times_taken(c, buf_text(&unique))) > 0;) {
		buf_clear(&unique);
		buf_addf(&unique, "%s #%" PRIu64, name, times + 1);
	}
	uint32_t text = hprof_text(c->h, buf_text(&unique));
	return hprof_load_class(c->h, id, text);
}

static void hprof_name(struct hprof_classes *c, struct hprof_object_class *class)
{
	const struct hprof_group *group = &c->group[class->group];
	SCOPED_BUF name = {0};
	buf_add(&name, group->name);
	if (group->sizes > 1)
		buf_addf(&name, " (%" PRIu64 " bytes)", class->size);
	class->parts = class->fields ? (class->fields - 1) / HPROF_FIELDS_MAX + 1 : 1;
	class->id = mem_alloc(class->parts * sizeof *class->id);
	for (size_t i = 0; i < class->parts; i++) {
		class->id[i] = hprof_new_id(c->h);
		if (i)
			buf_add(&name, ", more fields");
		hprof_classes_name(c, class->id[i], buf_text(&name));
	}
}

bool hprof_classes_find(struct hprof_classes *c, struct err *err)
{
	const struct objects *objects = c->h->heap->objects;
	struct objects_run_view run;
	for (size_t r = 0; r < objects_run_count(objects) && c->h->ok; r++) {
		objects_run(objects, r, &run);
		if (!hprof_see_run(c, &run, err))
			return false;
	}
	for (size_t i = 0; i < c->groups; i++) {
		if (c->group[i].sizes < 2)
			continue;
		c->group[i].id = hprof_new_id(c->h);
		hprof_classes_name(c, c->group[i].id, c->group[i].name);
	}
	for (size_t i = 0; i < c->count; i++) {
		struct hprof_object_class *class = &c->class[i];
		hprof_class_find_fields(c, class);
		hprof_name(c, class);
	}
	return true;
}

/* ---- Writing */

static void hprof_write_part(const struct hprof_classes *c, const struct hprof_object_class *class,
                             size_t part, uint64_t super)
{
	size_t from = part * HPROF_FIELDS_MAX, count = class->fields - from;
	if (count > HPROF_FIELDS_MAX)
		count = HPROF_FIELDS_MAX;
	uint64_t size = class->size < HPROF_SIZE_MAX ? class->size : HPROF_SIZE_MAX;
	struct buf *out = hprof_class(c->h, class->id[part], super, size, count);
	hprof_number(out, 0, 2); /* static fields */
	hprof_number(out, count, 2);
	for (size_t i = from; i < from + count; i++) {
		hprof_id(c->h, out, class->field[i].name);
		hprof_number(out, class->field[i].type, 1);
	}
}

void hprof_classes_write(const struct hprof_classes *c, uint64_t super)
{
	for (size_t i = 0; i < c->groups; i++)
		if (c->group[i].id)
			hprof_number(hprof_class(c->h, c->group[i].id, super, 0, 0), 0, 4); /* no fields */
	for (size_t i = 0; i < c->count; i++) {
		const struct hprof_object_class *class = &c->class[i];
		uint64_t group = c->group[class->group].id;
		for (size_t k = class->parts; k-- > 0;)
			hprof_write_part(c, class, k,
			                 k + 1 < class->parts ? class->id[k + 1]
			                 : group              ? group
			                                      : super);
	}
}

void hprof_classes_free(struct hprof_classes *c)
{
	for (size_t i = 0; i < c->count; i++) {
		free(c->class[i].id);
		free(c->class[i].pointer);
		free(c->class[i].field);
	}
	for (size_t i = 0; i < c->groups; i++)
		free(c->group[i].name);
	free(c->class);
	free(c->group);
	map_free(&c->group_of_key);
	map_free(&c->group_of_name);
	map_free(&c->number_of_size);
	map_free(&c->of_group_size);
	map_free(&c->taken);
}
