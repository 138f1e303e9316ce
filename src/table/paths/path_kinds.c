#include "table/paths/path_kinds.h"

#include "base/hash.h"
#include "base/mem.h"
#include "heap/heap.h"
#include "heap/root.h"
#include "table/naming/argument.h"
#include "table/naming/step.h"
#include "table/naming/step_class.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	PATHS = 8192, /* that are looked at */
	STEPS = 4096, /* of each path, at its start */
};

struct path_kind {
	uint64_t hash;
	size_t first, paths; /* number of the first path; how many there are */
};

struct path_kinds {
	const struct analysis *analysis;
	struct paths *paths;
	struct step_classes *step_classes;
	struct path_kind *kind;
	size_t count, capacity, met;
	bool ended;
};

struct path_kinds *path_kinds_open(const struct analysis *analysis, uint32_t object)
{
	struct path_kinds *kinds = mem_alloc(sizeof *kinds);
	kinds->analysis = analysis;
	kinds->paths = paths_open(analysis_heap(analysis), analysis_reach(analysis), object);
	return kinds;
}

void path_kinds_close(struct path_kinds *kinds)
{
	if (!kinds)
		return;
	step_classes_free(kinds->step_classes);
	paths_close(kinds->paths);
	free(kinds->kind);
	free(kinds);
}

/* Returns a hash of the root. All slots of a function count as one, because many are known by
   offset only, and several may hold the same pointer. */
static uint64_t path_kinds_root(const struct path_kinds *kinds, const struct merge_labels *labels,
                                const struct path *path)
{
	const struct heap *heap = analysis_heap(kinds->analysis);
	const struct root *root = &heap->roots[path->root];
	if (root->kind != ROOT_FRAME)
		return labels->root(labels->self, path->root, *path->step);
	const struct frame_record *frame = &heap->frames[root->holder].record;
	uint64_t hash = typing_type(analysis_typing(kinds->analysis), *path->step);
	return hash_bytes(hash, frame->function.data, frame->function.len);
}

/* Two paths with the same hash are of one kind. */
static uint64_t path_kinds_hash(struct path_kinds *kinds, const struct path *path)
{
	if (!kinds->step_classes)
		kinds->step_classes = step_classes_new(kinds->analysis);
	struct merge_labels labels = step_classes_labels(kinds->step_classes);
	uint64_t hash = path_kinds_root(kinds, &labels, path);
	for (size_t at = 1; at < path->count && at < STEPS; at++) {
		uint64_t offset = path_step_offset(analysis_heap(kinds->analysis), path, at);
		uint32_t label = labels.step(labels.self, path->step[at - 1], offset, path->step[at]);
		if (label != MERGE_PART && label != MERGE_SAME)
			hash = hash_mix(hash, label, hash_multiplier());
	}
	return hash;
}

static void path_kinds_meet(struct path_kinds *kinds, const struct path *path)
{
	bool apart = analysis_parts(kinds->analysis) || !analysis_typing(kinds->analysis);
	uint64_t hash = apart ? kinds->met : path_kinds_hash(kinds, path);
	size_t number = kinds->met++, k = apart ? kinds->count : 0;
	while (k < kinds->count && kinds->kind[k].hash != hash)
		k++;
	if (k == kinds->count) {
		MEM_PUSH(kinds->kind, kinds->count, kinds->capacity,
		         (struct path_kind){.hash = hash, .first = number});
	}
	kinds->kind[k].paths++;
}

const struct path *path_kinds_get(struct path_kinds *kinds, size_t k, struct progress *progress)
{
	while (kinds->count <= k && !kinds->ended && kinds->met < PATHS) {
		const struct path *path = paths_get(kinds->paths, kinds->met, progress);
		if (path)
			path_kinds_meet(kinds, path);
		else if (progress && atomic_load(&progress->cancel))
			return NULL;
		kinds->ended |= !path;
	}
	return k < kinds->count ? paths_get(kinds->paths, kinds->kind[k].first, NULL) : NULL;
}

size_t path_kinds_alike(const struct path_kinds *kinds, size_t k)
{
	return kinds->kind[k].paths;
}

bool path_kinds_exhausted(const struct path_kinds *kinds)
{
	return kinds->ended && paths_exhausted(kinds->paths);
}

bool path_kinds_absent(const struct path_kinds *kinds, uint64_t number, struct err *err)
{
	if (path_kinds_exhausted(kinds))
		err_set(err, "There is no path number %" PRIu64 " that differs from those before it",
		        number);
	else
		err_set(err,
		        "No path number %" PRIu64
		        " was found; the search is limited to %d paths, so whether "
		        "there is one cannot be told",
		        number, (int)PATHS);
	return argument_absent(analysis_heap(kinds->analysis), DAMAGE_ROOTS, err);
}
