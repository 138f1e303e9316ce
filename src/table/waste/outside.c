#include "table/waste/outside.h"
#include "table/paths/path_place.h"

#include "analysis/retained_of_class.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/text.h"
#include "heap/pointer_walk.h"
#include "table/contents/windows.h"
#include "table/naming/argument.h"
#include "table/naming/step.h"
#include "table/naming/step_class.h"
#include "table/naming/typed.h"
#include "table/paths/path_place.h"
#include "table/waste/slack.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SEARCHED_MOST = 4, POLL_EVERY = 256 };

/* Arrays of one type whose paths differ only in indices and keys. */
struct outside_arrays {
	struct outside_place sum;
	uint64_t most; /* bytes of the array that is the example */
	gotype_id type;
	uint32_t step, example;
	uint64_t count;
};

struct outside_search {
	const struct analysis *analysis;
	const struct heap *heap;
	struct collections found;
	struct slack_steps steps;
	struct merged_paths *paths;
	struct outside_item {
		uint32_t object;
		size_t item; /* in `found` */
	} * item;        /* sorted by object */
	size_t items, item_capacity;
	uint32_t *pointer[2]; /* targets of an array's pointers: within a window, outside of all */
	size_t pointers[2], pointer_capacity[2];
	uint64_t *met;         /* zeros: see retained_by_words */
	uint64_t left;         /* objects that may still be searched */
	struct value_set *set; /* not NULL: the elements are requested, not what they retain */
	struct map places;
	struct outside_arrays *arrays;
	size_t count, capacity;
};

static int outside_items_in_order(const void *a, const void *b)
{
	const struct outside_item *x = a, *y = b;
	return x->object < y->object ? -1 : x->object > y->object;
}

static bool outside_has(void *self, const struct collection *item)
{
	(void)self;
	return item->outside && item->object != OBJECT_NONE;
}

/* Collects the arrays with elements outside of their slices that dominate something. */
static void outside_collect(struct outside_search *s)
{
	const struct dominators *dominators = analysis_retained(s->analysis);
	for (size_t i = 0; i < s->found.count; i++) {
		const struct collection *item = &s->found.item[i];
		if (dominators_objects(dominators, item->object) > 1)
			MEM_PUSH(s->item, s->items, s->item_capacity, (struct outside_item){item->object, i});
	}
	if (s->items)
		qsort(s->item, s->items, sizeof *s->item, outside_items_in_order);
}

/* Sorts the pointers of an array by whether one of its windows, which are sorted, has them. Returns
   the number of elements with pointers outside. */
static uint64_t outside_split(struct outside_search *s, const struct collection *item,
                              const struct window *window, size_t count)
{
	uint64_t size = gotype_get(analysis_types(s->analysis), item->type)->size, end = 0;
	uint64_t elements = 0, last = UINT64_MAX;
	struct object_record record;
	struct pointer_walk walk;
	struct pointer pointer;
	size_t at = 0;
	s->pointers[0] = s->pointers[1] = 0;
	if (!size || !heap_object(s->heap, item->object, &record))
		return 0;
	pointer_walk_linked(&walk, s->heap, item->object, &record);
	while (pointer_walk_next(&walk, &pointer)) {
		for (; at < count && window[at].start <= pointer.offset; at++)
			end = window[at].end > end ? window[at].end : end;
		bool out = pointer.offset >= end;
		if (pointer.target == OBJECT_NONE)
			continue;
		MEM_PUSH(s->pointer[out], s->pointers[out], s->pointer_capacity[out], pointer.target);
		if (out && pointer.offset / size != last && ++elements && s->set)
			value_set_add(s->set, record.slot + record.header + pointer.offset / size * size,
			              item->type, 1, pointer.offset / size);
		last = out ? pointer.offset / size : last;
	}
	return elements;
}

static struct outside_arrays *outside_arrays_of(struct outside_search *s, size_t index)
{
	const struct collection *item = &s->found.item[index];
	uint32_t step = merged_paths_node(s->paths, item->object);
	uint64_t at = s->count;
	if (map_add(&s->places, (uint64_t)step << 32 | item->type, &at))
		MEM_PUSH(s->arrays, s->count, s->capacity,
		         ((struct outside_arrays){.type = item->type, .step = step}));
	return &s->arrays[at];
}

/* Adds an array with its windows to its place. */
static void outside_add(struct outside_search *s, const struct outside_item *item,
                        const struct window *window, size_t count)
{
	const struct dominators *dominators = analysis_retained(s->analysis);
	uint32_t objects = dominators_objects(dominators, item->object);
	uint64_t bytes = 0, elements = outside_split(s, &s->found.item[item->item], window, count);
	if (!elements || s->set)
		return;
	struct outside_arrays *arrays = outside_arrays_of(s, item->item);
	if (objects <= s->left) {
		s->left -= objects;
		bytes = retained_by_words(dominators, item->object,
		                          (struct retained_words){s->pointer[1], s->pointers[1]},
		                          (struct retained_words){s->pointer[0], s->pointers[0]}, s->met);
	} else
		arrays->sum.least = true;
	if (!arrays->count++ || bytes > arrays->most) {
		arrays->most = bytes;
		arrays->example = item->object;
	}
	arrays->sum.least |= arrays->count > 1;
	arrays->sum.count += elements;
	arrays->sum.bytes += bytes;
}

/* `object`: the objects of all items. */
static bool outside_add_all(struct outside_search *s, const uint32_t *object,
                            struct progress *progress)
{
	size_t windows, at = 0, i;
	SCOPED_FREE struct window *window = windows_of(s->analysis, object, s->items, &windows);
	progress_begin(progress, "adding up elements outside of slices", s->items);
	for (i = 0; i < s->items && (i % POLL_EVERY || progress_step(progress, i)); i++) {
		size_t first = at;
		for (; at < windows && window[at].object == object[i]; at++)
			;
		outside_add(s, &s->item[i], &window[first], at - first);
	}
	return i == s->items;
}

static int outside_in_order(const void *a, const void *b)
{
	const struct outside_arrays *x = a, *y = b;
	if (x->sum.bytes != y->sum.bytes)
		return x->sum.bytes < y->sum.bytes ? 1 : -1;
	return x->example < y->example ? -1 : x->example > y->example;
}

/* Writes "4,900 × main.event outside slices", "main.queue" and "object 0xc000012340". */
static void outside_describe(const struct outside_search *s, const struct outside_arrays *arrays,
                             struct buf text[OUTSIDE_TEXTS])
{
	const struct gotypes *types = analysis_types(s->analysis);
	const struct gotype *type = gotype_get(types, arrays->type);
	bool one = arrays->count == 1;
	uint32_t named;
	buf_addf(&text[0], "%s × ", text_count(arrays->sum.count).text);
	typed_add_mark_of(s->analysis, arrays->example, &text[0]);
	gotype_display(types, type->kind == GO_POINTER ? type->elem : arrays->type, &text[0]);
	buf_add(&text[0], " outside slices");
	if (one) {
		step_add_object(s->analysis, arrays->example, &text[1]);
		if (argument_object(s->analysis, buf_text(&text[1]), &named, NULL)
		    && named == arrays->example)
			buf_addf(&text[2], "values outside=%s", buf_text(&text[1]));
		else
			buf_addf(&text[2], "values outside=0x%" PRIx64, heap_address(s->heap, arrays->example));
	} else {
		slack_steps_add_name(&s->steps, arrays->step, &text[1]);
		buf_addf(&text[2], "values outside=%s", buf_text(&text[1]));
	}
}

/* Leaves only the array that a text names, else those at the places with that name. */
static bool outside_keep(struct outside_search *s, const char *place, struct progress *progress)
{
	uint32_t object = OBJECT_NONE, *all = mem_alloc((s->items + 1) * sizeof *all);
	bool one = !path_place_may_be(place) && argument_object(s->analysis, place, &object, NULL);
	SCOPED_BUF name = {0};
	size_t kept = 0;
	for (size_t i = 0; i < s->items; i++)
		all[i] = s->item[i].object;
	s->paths = one ? NULL : slack_steps_merge(&s->steps, s->analysis, all, s->items, progress);
	for (size_t i = 0; i < s->items && (one || s->paths); i++) {
		buf_clear(&name);
		if (!one)
			slack_steps_add_name(&s->steps, merged_paths_node(s->paths, all[i]), &name);
		if (one ? all[i] == object : strcmp(buf_text(&name), place) == 0)
			s->item[kept++] = s->item[i];
	}
	s->items = kept;
	free(all);
	return one || s->paths;
}

static void outside_fini(struct outside_search *s)
{
	if (s->paths)
		merged_paths_free(s->paths);
	slack_steps_fini(&s->steps);
	collections_fini(&s->found);
	map_free(&s->places);
	free(s->pointer[0]);
	free(s->pointer[1]);
	free(s->arrays);
	free(s->item);
}

static bool outside_search(struct outside_search *s, struct progress *progress)
{
	uint32_t *object = mem_alloc((s->items + 1) * sizeof *object);
	for (size_t i = 0; i < s->items; i++)
		object[i] = s->item[i].object;
	if (!s->paths && !s->set)
		s->paths = slack_steps_merge(&s->steps, s->analysis, object, s->items, progress);
	bool done = (s->paths || s->set) && outside_add_all(s, object, progress);
	free(object);
	if (s->count)
		qsort(s->arrays, s->count, sizeof *s->arrays, outside_in_order);
	return done;
}

/* Finds the arrays with elements outside. The caller calls outside_fini. */
static bool outside_begin(struct outside_search *s, const struct analysis *analysis,
                          struct progress *progress)
{
	SCOPED_BUF cause = {0};
	*s = (struct outside_search){.analysis = analysis, .heap = analysis_heap(analysis)};
	s->steps.step_classes = step_classes_new(analysis);
	if (!collections_find(&s->found, analysis, 1U << COLLECTION_SLICE, outside_has, NULL, progress))
		return false;
	outside_collect(s);
	if (damage_cause(s->heap, DAMAGE_ROOTS, &cause))
		s->items = 0; /* a slice that is missing may use them */
	return true;
}

bool outside_find(struct outside *outside, const struct analysis *analysis,
                  struct progress *progress)
{
	struct outside_search s;
	bool done = outside_begin(&s, analysis, progress);
	size_t objects = heap_object_count(s.heap), bits = objects / 8 + 8;
	s.met = mem_column(bits);
	s.left = (uint64_t)SEARCHED_MOST * objects;
	done = done && (!s.items || outside_search(&s, progress));
	for (size_t i = 0; done && i < OUTSIDE_MOST && i < s.count && s.arrays[i].sum.bytes; i++) {
		outside->place[i] = s.arrays[i].sum;
		outside_describe(&s, &s.arrays[i], &outside->text[i * OUTSIDE_TEXTS]);
	}
	mem_column_free(s.met, bits);
	outside_fini(&s);
	return done;
}

bool outside_elements(struct value_set *set, const struct analysis *analysis, const char *place,
                      struct progress *progress, struct err *err)
{
	struct outside_search s;
	bool done = outside_begin(&s, analysis, progress) && outside_keep(&s, place, progress);
	s.set = set;
	bool none = done && !s.items;
	done = done && outside_search(&s, progress);
	outside_fini(&s);
	if (none) {
		err_set(err,
		        "There are no elements outside of slices at this place, %.200s; the findings "
		        "name those that retain much",
		        place);
		return argument_absent(analysis_heap(analysis), DAMAGE_ROOTS, err);
	}
	return done || err_set(err, "The search for elements outside of slices was cancelled");
}
