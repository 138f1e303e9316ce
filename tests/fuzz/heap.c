/* All questions to a heap that was read from bytes that may be anything: see fuzz.h. */
#include "fuzz.h"

#include "analysis/breakdown.h"
#include "analysis/groups.h"
#include "analysis/paths.h"
#include "heap/heap.h"
#include "heap/pointer_walk.h"
#include "heap/reference.h"

#include <stdlib.h>

enum { OBJECTS = 50, PATHS = 5, ACCOUNTS = 4, CELLS = 1000 };

static void check_walk(const struct heap *heap, struct pointer_walk *walk)
{
	struct pointer pointer;
	while (pointer_walk_next(walk, &pointer))
		fuzz_check(pointer.target == OBJECT_NONE || pointer.target < heap_object_count(heap));
}

static void check_memory(const struct heap *heap)
{
	struct pointer_walk walk;
	for (uint32_t i = 0; i < heap->frame_count; i++) {
		pointer_walk_frame(&walk, heap, &heap->frames[i].record);
		check_walk(heap, &walk);
	}
	for (uint32_t i = 0; i < heap->segment_count; i++) {
		pointer_walk_segment(&walk, heap, &heap->segments[i]);
		check_walk(heap, &walk);
	}
}

static void check_warnings(const struct heap *heap)
{
	fuzz_check(heap->complete || heap->warning_count);
	for (uint32_t i = 0; i < heap->warning_count; i++) {
		const struct warning *w = &heap->warnings[i];
		fuzz_check(w->offset <= heap->input->size || w->offset == ERR_NO_OFFSET);
		fuzz_check_visible(w->text);
	}
}

static void check_roots(const struct heap *heap)
{
	for (uint32_t i = 0; i < heap->root_count; i++)
		fuzz_check(heap->roots[i].target < heap_object_count(heap));
}

static void check_objects(const struct heap *heap)
{
	uint32_t count = heap_object_count(heap);
	uint64_t references = 0, referrers = 0;
	for (uint32_t id = 0; id < count; id++) {
		references += heap_references(heap, id).count;
		referrers += heap_referrers(heap, id).count;
		fuzz_check(heap_find(heap, heap_address(heap, id)) == id);
		fuzz_check(id == 0 || heap_address(heap, id) > heap_address(heap, id - 1));
	}
	fuzz_check(references == heap->edge_count && referrers == heap->edge_count);
}

static void ask_for_paths(const struct heap *heap, const struct reach *reach)
{
	uint32_t count = heap_object_count(heap);
	struct object_record record;
	for (uint32_t id = 0; id < count && id < OBJECTS; id++) {
		struct paths *paths = paths_open(heap, reach, id);
		fuzz_check(heap_object(heap, id, &record));
		for (size_t k = 0; k < PATHS; k++) {
			const struct path *path = paths_get(paths, k, NULL);
			for (size_t step = 1; path && step < path->count && step < PATHS; step++)
				reference_offset(heap, path->step[step - 1], path->step[step], 0);
		}
		paths_close(paths);
	}
}

/* The parts of every cell add up to it, unless that is more than can be counted. */
static void check_breakdown(const struct breakdown *breakdown)
{
	for (uint32_t cell = 0; cell < breakdown->count && cell < CELLS; cell++)
		for (int axis = AXIS_STACK; axis <= AXIS_TYPE; axis++) {
			struct part *parts;
			uint64_t sum = 0, whole = breakdown->cell[cell].size;
			bool huge = whole > INT64_MAX;
			size_t count = breakdown_parts(breakdown, cell, (enum axis)axis, 0, &parts);
			for (size_t i = 0; i < count; huge = huge || parts[i].size > INT64_MAX, i++)
				sum += parts[i].negative ? -parts[i].size : parts[i].size;
			fuzz_check(!count || huge || sum == whole);
			free(parts);
		}
}

static void check_accounts(const struct heap_profiles *heap_profiles)
{
	for (size_t i = 0; i < heap_profiles->count && i < ACCOUNTS; i++)
		for (int bottom_up = 0; bottom_up < 2; bottom_up++) {
			struct breakdown *breakdown = breakdown_new(heap_profiles,
			                                            &heap_profiles->heap_profile[i],
			                                            &heap_profiles->heap_profile[0], bottom_up);
			check_breakdown(breakdown);
			breakdown_free(breakdown);
		}
}

void fuzz_heap(struct heap *heap)
{
	if (heap->heap_profiles)
		check_accounts(heap->heap_profiles);
	struct err err = {0};
	check_warnings(heap);
	if (!heap_link(heap, NULL, &err))
		return;
	struct reach *reach = reach_new(heap, NULL, NULL, NULL);
	struct groups *groups = groups_new(heap);
	heap_reverse(heap, NULL);
	check_memory(heap);
	check_roots(heap);
	check_objects(heap);
	ask_for_paths(heap, reach);
	groups_free(groups);
	reach_free(reach);
}
