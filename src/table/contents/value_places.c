/* Values of a type elsewhere than by the types of objects: in variables, and whole arrays, which an
   object of as many elements looks like. Part of table/contents/value_set.h. */
#include "value_search.h"

#include "analysis/structures.h"
#include "base/mem.h"
#include "heap/heap.h"
#include "table/contents/windows.h"

#include <stdlib.h>

/* ---- Variables */

/* Adds those in consecutive values outside of the heap. */
static void value_visit_outside(struct value_search *search, uint64_t address, gotype_id type,
                                uint64_t count)
{
	enum gostructure_role role = value_role(search, type);
	bool header = role == GOSTRUCTURE_MAP || role == GOSTRUCTURE_CHAN;
	if (!header && !value_type_holds(search, type, 0))
		return;
	struct datum value = datum_at(&search->set->in, address, type, count);
	if (value.data && header)
		value_visit_header(search, &value, role, true);
	else if (value.data)
		value_visit_type(search, address, type, count, value.room, count > 1 ? 0 : UINT64_MAX, 0);
	search->set->absent += !value.data;
}

/* Adds those in a static value that a variable points to: of an array, what the slice covers. */
static void value_visit_static(struct value_search *search, const struct static_value *value)
{
	const struct heap *heap = search->set->in.heap;
	uint64_t count = value->count;
	if (value->in_slice) {
		uint64_t word = value->word + heap->params.layout.pointer_size;
		uint64_t length = gomemory_word_in_dump(heap, word);
		count = length < count ? length : count;
	}
	if (count)
		value_visit_outside(search, value->address, value->type, count);
}

void value_visit_variables(struct value_search *search)
{
	size_t globals, values;
	const struct static_value *value = statics_all(analysis_statics(search->analysis), &values);
	const struct exe_global *global = gotypes_globals(analysis_types(search->analysis), &globals);
	uint64_t bias = search->set->in.names->fit.data_bias, end = 0;
	for (size_t i = 0; i < globals && !search->set->cut; i++) {
		if (global[i].address < end) /* another name of it */
			continue;
		value_visit_outside(search, global[i].address + bias, global[i].type, 1);
		end = global[i].address + gotype_get(search->types, global[i].type)->size;
	}
	for (size_t i = 0, at = 0; i < values && !search->set->cut; i++) {
		if (value[i].address < at) /* a part of the value before */
			continue;
		value_visit_static(search, &value[i]);
		at = value[i].address + value[i].size * value[i].count;
	}
}

/* ---- Arrays */

/* Returns the type of an array's elements that are no arrays themselves: that of an object which is
   such an array. */
static gotype_id value_elements(const struct value_search *search, gotype_id type)
{
	while (type && gotype_get(search->types, type)->kind == GO_ARRAY)
		type = gotype_get(search->types, type)->elem;
	return type;
}

/* Stores by type of elements the size of the smallest array that is searched for. */
static void value_array_sizes(const struct value_search *search, uint64_t *least)
{
	for (gotype_id id = 1; id <= gotypes_count(search->types); id++) {
		const struct gotype *type = gotype_get(search->types, id);
		gotype_id elem = value_elements(search, id);
		if (search->wanted[id] && type->kind == GO_ARRAY && type->size && elem
		    && (!least[elem] || type->size < least[elem]))
			least[elem] = type->size;
	}
}

/* Adds the reachable objects of as many elements as such an array has, or more, to `loose`. */
static void value_find_arrays(struct value_search *search)
{
	const struct heap *heap = search->set->in.heap;
	const struct reach *reach = analysis_reach(search->analysis);
	SCOPED_FREE uint64_t *least =
		mem_alloc((gotypes_count(search->types) + (size_t)1) * sizeof *least);
	value_array_sizes(search, least);
	for (uint32_t id = 0; id < heap_object_count(heap); id++) {
		struct typed typed = typing_object(search->set->in.typing, id);
		uint64_t size = typed.type && !typed.text ? least[typed.type] : 0;
		if (size && value_is_asked(search, typed.known) && heap_size(heap, id) >= size
		    && reach_has(reach, id)
		    && structures_of(analysis_structures(search->analysis), id) == id)
			MEM_PUSH(search->loose, search->loose_count, search->loose_capacity, id);
	}
}

/* Adds those in the window of an object from `from` on. */
static void value_visit_window(struct value_search *search, const struct datum *whole,
                               const struct window *window, uint64_t from)
{
	uint64_t start = window->start, size = gotype_get(search->types, window->type)->size;
	if (start < from) /* overlapping windows have the same elements */
		start += (from - start + size - 1) / size * size;
	if (start < window->end && window->end <= whole->room)
		value_visit_type(search, whole->address + start, window->type, (window->end - start) / size,
		                 whole->room - start, window->array ? start / size : UINT64_MAX, 0);
}

/* Adds those in one object, to which these windows lead. Arrays are known by them; other values are
   all there if no window tells which elements are in use. */
static void value_visit_windows(struct value_search *search, const struct window *window,
                                size_t count)
{
	const struct gotypes *types = search->types;
	struct datum whole = datum_of_object(&search->set->in, window->object);
	bool known = true, several = false, elements = value_type_holds(search, whole.type, 0);
	uint64_t end = 0;
	for (size_t i = 0; i < count; i++) {
		known &= window[i].type != 0;
		several |= value_type_holds(search, window[i].type, 0)
		           && (window[i].array || gotype_get(types, window[i].type)->kind == GO_ARRAY);
	}
	for (size_t i = 0; i < count && several && whole.data; i++)
		if (value_type_holds(search, window[i].type, 0)) {
			value_visit_window(search, &whole, &window[i], end);
			end = window[i].end > end ? window[i].end : end;
		}
	if (elements && !several)
		value_visit_elements(search, window->object);
	search->set->doubtful += !elements && !known && !several;
}

static int value_objects_in_order(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;
	return *x < *y ? -1 : *x > *y;
}

void value_visit_arrays(struct value_search *search)
{
	size_t windows, elements = search->loose_count;
	value_find_arrays(search);
	if (!search->loose_count)
		return;
	if (!analysis_has(search->analysis, STAGE_REVERSED)) {
		for (size_t i = 0; i < elements; i++)
			value_visit_elements(search, search->loose[i]);
		search->set->doubtful += search->loose_count - elements;
		return;
	}
	qsort(search->loose, search->loose_count, sizeof *search->loose, value_objects_in_order);
	struct window *window =
		windows_of(search->analysis, search->loose, search->loose_count, &windows);
	for (size_t first = 0, at = 0, i = 0; i < search->loose_count; i++, first = at) {
		struct window none = {.object = search->loose[i]};
		while (at < windows && window[at].object == search->loose[i])
			at++;
		if (!search->set->cut)
			value_visit_windows(search, at > first ? &window[first] : &none,
			                    at > first ? at - first : 1);
	}
	free(window);
}
