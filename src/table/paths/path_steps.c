#include "table/paths/path_steps.h"

#include "analysis/path_dominators.h"
#include "analysis/structures.h"
#include "base/bits.h"
#include "base/mem.h"
#include "format/format.h"
#include "heap/pointer_walk.h"
#include "heap/root.h"
#include "table/contents/datum.h"
#include "table/naming/root.h"
#include "table/naming/step.h"
#include "table/naming/typed.h"

#include <stdlib.h>

static bool is_slice(const struct analysis *analysis, gotype_id type)
{
	if (!type)
		return false;
	unsigned kind = gotype_get(analysis_types(analysis), type)->kind;
	return kind == GO_SLICE || kind == GO_STRING;
}

/* Returns the type of the value that contains the only pointer to an object. */
static gotype_id path_type_of_holder(const struct analysis *analysis, uint32_t object,
                                     struct ids roots, struct ids referrers)
{
	const struct heap *heap = analysis_heap(analysis);
	if (roots.count)
		return root_value(analysis, heap_root(heap, *roots.id)).type;
	struct govalue in = datum_memory(analysis);
	struct datum holder = datum_of_object(&in, *referrers.id);
	uint64_t offset = reference_offset(heap, *referrers.id, object, 0);
	return offset == UINT64_MAX ? 0 : datum_scalar(&in, &holder, offset, NULL).type;
}

bool path_is_array(const struct analysis *analysis, uint32_t object)
{
	const struct heap *heap = analysis_heap(analysis);
	if (!analysis_typing(analysis))
		return false;
	struct ids roots = reach_roots_of(analysis_reach(analysis), object);
	struct ids referrers = heap_referrers(heap, object);
	return roots.count + referrers.count == 1
	       && is_slice(analysis, path_type_of_holder(analysis, object, roots, referrers));
}

enum { FEW_POINTERS = 64, FEW_ASKED = 4 };

/* Only an object with a single referrer is asked for, so that each bit has one meaning. */
static void path_arrays_walk(struct path_arrays *arrays, uint32_t holder)
{
	const struct heap *heap = analysis_heap(arrays->analysis);
	struct govalue in = datum_memory(arrays->analysis);
	struct datum datum = datum_of_object(&in, holder);
	struct object_record record;
	struct pointer_walk walk;
	struct pointer pointer;
	if (!heap_object(heap, holder, &record))
		return;
	pointer_walk_linked(&walk, heap, holder, &record);
	while (pointer_walk_next(&walk, &pointer)) {
		if (pointer.target == OBJECT_NONE || !word_bit_add(arrays->known, pointer.target))
			continue;
		if (is_slice(arrays->analysis, datum_scalar(&in, &datum, pointer.offset, NULL).type))
			word_bit_set(arrays->array, pointer.target);
	}
}

/* Returns true if an object is an array of pointers, none of which belongs to a slice. */
static bool path_arrays_points(const struct path_arrays *arrays, uint32_t holder)
{
	const struct typing *typing = analysis_typing(arrays->analysis);
	struct typed typed = typing_object(typing, holder);
	return typed.type && !typed.text && typed.count
	       && gotype_get(typing_types(typing), typed.type)->kind == GO_POINTER;
}

static size_t path_arrays_size(const struct path_arrays *arrays)
{
	return heap_object_count(analysis_heap(arrays->analysis)) / 8 + 8ULL;
}

bool path_arrays_has(struct path_arrays *arrays, uint32_t object)
{
	const struct heap *heap = analysis_heap(arrays->analysis);
	struct ids referrers = heap_referrers(heap, object);
	if (referrers.count != 1 || arrays->asked++ < FEW_ASKED
	    || heap_references(heap, *referrers.id).count <= FEW_POINTERS)
		return path_is_array(arrays->analysis, object);
	if (!analysis_typing(arrays->analysis)
	    || reach_roots_of(analysis_reach(arrays->analysis), object).count)
		return false;
	if (!arrays->known) {
		arrays->known = mem_column(path_arrays_size(arrays));
		arrays->array = mem_column(path_arrays_size(arrays));
	}
	if (!word_bit_is_set(arrays->known, object) && !path_arrays_points(arrays, *referrers.id))
		path_arrays_walk(arrays, *referrers.id);
	word_bit_set(arrays->known, object);
	return word_bit_is_set(arrays->array, object);
}

void path_arrays_fini(struct path_arrays *arrays)
{
	if (!arrays->known)
		return;
	mem_column_free(arrays->known, path_arrays_size(arrays));
	mem_column_free(arrays->array, path_arrays_size(arrays));
}

void path_steps_init(struct path_steps *steps, const struct analysis *analysis,
                     const struct path *path)
{
	const struct structures *structures = analysis_structures(analysis);
	size_t capacity = 0;
	*steps = (struct path_steps){0};
	for (size_t at = 0; at < path->count; at++) {
		bool inside = at && structures_is_inside(structures, path->step[at - 1], path->step[at]);
		bool shown = at + 1 == path->count || analysis_parts(analysis);
		if (!shown && (inside || path_is_array(analysis, path->step[at])))
			continue; /* a part that leads to the next step */
		MEM_PUSH(steps->at, steps->count, capacity, at);
	}
}

/* ---- Equal consecutive steps */

/* What is equal along a list. */
struct path_link {
	uint64_t from, to; /* typed_code of both objects */
	uint64_t offset;
	bool dominator;
};

/* Returns what the step of a row is; from 0: it leads through a part, or its objects have no
   type. */
static struct path_link path_link_of(const struct path_steps *steps, size_t row,
                                     const struct analysis *analysis, const struct path *path,
                                     const struct path_dominators *dominators)
{
	size_t at = steps->at[row];
	if (row == 0 || steps->at[row - 1] + 1 != at || typed_is_label(analysis, path->step[at])
	    || typed_is_label(analysis, path->step[at - 1]))
		return (struct path_link){0};
	return (struct path_link){typed_code(analysis, path->step[at - 1]),
	                          typed_code(analysis, path->step[at]),
	                          path_step_offset(analysis_heap(analysis), path, at),
	                          path_dominators_at(dominators, at) != NULL};
}

static bool path_link_is_equal(const struct path_link *a, const struct path_link *b)
{
	return a->from && a->from == b->from && a->to == b->to && a->offset == b->offset
	       && a->dominator == b->dominator;
}

void path_steps_fold(struct path_steps *steps, const struct analysis *analysis,
                     const struct path *path, const struct path_dominators *dominators)
{
	size_t rows = 0;
	bool named = analysis_typing(analysis) && !heap_has(analysis_heap(analysis), PART_TYPES);
	if (!named || analysis_parts(analysis) || !steps->count)
		return;
	steps->number = mem_alloc(steps->count * sizeof *steps->number);
	struct path_link next = path_link_of(steps, 0, analysis, path, dominators);
	for (size_t first = 0, end = 0; first < steps->count; first = end) {
		struct path_link link = next;
		while (++end < steps->count) {
			next = path_link_of(steps, end, analysis, path, dominators);
			if (!path_link_is_equal(&link, &next))
				break;
		}
		for (size_t step = end - first < STEPS_FOLDED ? first : end - 1; step < end; step++) {
			steps->at[rows] = steps->at[step];
			steps->number[rows++] = step + 1;
		}
	}
	steps->count = rows;
}

size_t path_steps_number(const struct path_steps *steps, size_t row)
{
	return row && steps->number ? steps->number[row - 1] : row;
}

size_t path_steps_times(const struct path_steps *steps, size_t row)
{
	return row ? path_steps_number(steps, row) - path_steps_number(steps, row - 1) : 1;
}

void path_steps_fini(struct path_steps *steps)
{
	free(steps->at);
	free(steps->number);
	*steps = (struct path_steps){0};
}

size_t path_steps_first(const struct path_steps *steps, size_t number)
{
	return number ? steps->at[number - 1] + 1 : 0;
}

size_t path_steps_count(const struct analysis *analysis, const struct path *path)
{
	struct path_steps steps;
	path_steps_init(&steps, analysis, path);
	size_t count = steps.count;
	path_steps_fini(&steps);
	return count;
}
