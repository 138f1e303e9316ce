#include "go/types/labelling.h"
#include "go/types/propagate.h"

#include "base/mem.h"
#include "base/progress.h"

#include <stdlib.h>
#include <string.h>

const char *const label_class_names[LABEL_CLASSES] = {
	"type", "name", "kind", "identity", "row", "site", "shape",
};
static const char *const label_class_reasons[LABEL_CLASSES] = {
	[LABEL_NONE] = "it has a type",
	[LABEL_NAME] = "a record of the dump, or an interface that holds it, names it",
	[LABEL_KIND] = "its pointers and contents look like that",
	[LABEL_IDENTITY] = "the dump has the address of its type but not the name",
	[LABEL_ROW] = "it reads like that, or a pointer with a fitting length leads to it",
	[LABEL_SITE] = "the profiler has seen where it was allocated",
	[LABEL_SHAPE] = "no more is known than its size, where its pointers are and what holds it",
};

uint32_t label_intern(struct labels *l, struct map *map, uint64_t value, struct label label)
{
	uint64_t number = l->count;
	if (map_add(map, value, &number))
		MEM_PUSH(l->label, l->count, l->capacity, label);
	return (uint32_t)number;
}

void label_set(struct labels *l, uint32_t object, uint32_t label)
{
	if (label_wanted(l, object, l->label[label].class))
		label_put(l, object, label);
}

/* An allocation header has the element type of an array: combines it with the kind. */
void label_set_kind(struct labels *l, uint32_t object, enum kind kind, uint64_t value)
{
	enum label_class class = kind >= KIND_BYTES ? LABEL_ROW : LABEL_KIND;
	const struct label *old = &l->label[labels_of(l, object)];
	bool header = old->class == LABEL_IDENTITY && old->kind;
	if (header && class == LABEL_ROW)
		class = LABEL_KIND;
	if (!label_wanted(l, object, class))
		return;
	if (header && !value)
		value = l->descriptors[old->value].address;
	enum type_known known = kind == KIND_ARENA_CHUNK ? KNOWN_EXACT : KNOWN_NONE;
	struct label label = {
		.class = (uint8_t) class, .known = (uint8_t)known, .kind = (uint8_t)kind, .value = value};
	label_set(l, object, label_intern(l, &l->by_kind[kind], value, label));
}

static bool label_all(struct labels *l, struct progress *progress)
{
	static void (*const steps[])(struct labels *) = {
		label_chunks, label_records, label_kinds,  label_pointees,
		label_texts,  label_sites,   label_shapes, label_join,
	};
	size_t count = sizeof steps / sizeof *steps;
	progress_begin(progress, "looking at the shapes of objects", count);
	label_walks_init(l);
	for (size_t i = 0; i < count; i++) {
		steps[i](l);
		if (!progress_step(progress, i))
			return false;
	}
	return true;
}

/* Frees maps that are needed only while labels are found. */
static void free_indices(struct labels *l)
{
	struct map *const maps[] = {&l->by_descriptor, &l->by_name,   &l->by_shape,
	                            &l->by_held,       &l->by_holder, &l->by_place};
	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
		map_free(maps[i]);
	for (size_t i = 0; i < KIND_COUNT; i++)
		map_free(&l->by_kind[i]);
}

static uint64_t largest_object(const struct heap *heap)
{
	struct objects_run_view run;
	uint64_t largest = 0;
	for (size_t i = 0; i < objects_run_count(heap_objects(heap)); i++) {
		objects_run(heap_objects(heap), i, &run);
		largest = run.size > largest ? run.size : largest;
	}
	return largest;
}

struct labels *labels_new(const struct heap *heap, const struct typing *typing,
                          struct progress *progress)
{
	struct labels *l = mem_alloc(sizeof *l);
	struct regions own;
	const struct regions *regions = typing ? &typing->regions : &own;
	l->heap = heap;
	l->typing = typing;
	l->of_size = (heap_object_count(heap) + 1UL) * sizeof *l->of;
	l->of = typing ? NULL : mem_column(l->of_size);
	MEM_PUSH(l->label, l->count, l->capacity, (struct label){0});
	MEM_PUSH(l->holders, l->holder_count, l->holder_capacity, (struct holder){0});
	l->regions = regions;
	l->pair_low = UINT64_MAX;
	l->largest = largest_object(heap);
	bool done = (typing || regions_init(&own, heap, progress)) && label_all(l, progress);
	label_walks_fini(l);
	if (!typing)
		regions_fini(&own);
	free_indices(l);
	l->regions = NULL;
	if (!done) {
		labels_free(l);
		return NULL;
	}
	return l;
}

void labels_free(struct labels *l)
{
	if (!l)
		return;
	mem_column_free(l->of, l->of_size);
	map_free(&l->functions);
	free(l->label);
	free(l->descriptors);
	free(l->names);
	free(l->holders);
	free(l);
}

uint32_t labels_of(const struct labels *l, uint32_t object)
{
	uint32_t label = label_at(l, object);
	return label == LABEL_TYPED ? 0 : label;
}

enum label_is labels_is(const struct labels *l, uint32_t label)
{
	static const enum label_is is[KIND_COUNT] = {
		[KIND_MAP] = LABEL_IS_MAP,
		[KIND_BUCKETS] = LABEL_IS_PART,
		[KIND_GROUPS] = LABEL_IS_GROUPS,
		[KIND_TABLE] = LABEL_IS_GROUPS,
		[KIND_DIRECTORY] = LABEL_IS_GROUPS,
		[KIND_CHANNEL] = LABEL_IS_CHANNEL,
		[KIND_CHANNEL_BUFFER] = LABEL_IS_PART,
		[KIND_BYTES] = LABEL_IS_SLICE,
		[KIND_SLICE] = LABEL_IS_SLICE,
	};
	const struct label *at = &l->label[label];
	return label && (at->class == LABEL_KIND || at->class == LABEL_ROW) ? is[at->kind]
	                                                                    : LABEL_IS_OTHER;
}

const char *labels_reason(const struct labels *l, uint32_t label)
{
	const struct label *at = &l->label[label];
	return at->class == LABEL_KIND && at->kind == KIND_ARENA_CHUNK
	           ? "only chunks of package arena have this size; they hold values of any types"
	           : label_class_reasons[at->class];
}

uint32_t labels_count(const struct labels *l)
{
	return (uint32_t)(l->count - 1);
}

enum label_class labels_class(const struct labels *l, uint32_t label)
{
	return l->label[label].class;
}

enum type_known labels_known(const struct labels *l, uint32_t label)
{
	return l->label[label].known;
}
