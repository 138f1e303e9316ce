/* The steps of a path that a program names. Without the steps inside a map or a channel, and
   without the array of a slice or string that has no other referrer, unless parts are shown
   (analysis_parts). */
#pragma once

#include "analysis/analysis.h"

struct path_dominators;

/* Returns true if the object is only the array of a slice or string, and its referrer is nothing
   but that slice or string. After STAGE_REVERSED. */
bool path_is_array(const struct analysis *analysis, uint32_t object);

/* A cache for path_is_array over many objects: it scans each referrer once. Initialize with
   `struct path_arrays arrays = {.analysis = analysis}`. */
struct path_arrays {
	const struct analysis *analysis;
	/* bits by object: a pointer to it was seen; the first one belongs to a slice or string. NULL:
	   nothing was scanned yet */
	uint64_t *known, *array;
	size_t asked; /* how often; the first few are not worth a scan */
};
bool path_arrays_has(struct path_arrays *arrays, uint32_t object);
void path_arrays_fini(struct path_arrays *arrays);

struct path_steps {
	size_t *at; /* index in path->step by row, ascending, the last step included */
	size_t count;
	size_t *number; /* of the step, from 1, by row; NULL: each step has a row */
};

void path_steps_init(struct path_steps *steps, const struct analysis *analysis,
                     const struct path *path);
void path_steps_fini(struct path_steps *steps);
/* Folds consecutive steps through the same field between objects of the same type, as along a list,
   to one row, that of the last of them; not while parts are shown. Either all or none of them are
   dominators of the end: `dominators` are those of the path, as far as they are known. */
void path_steps_fold(struct path_steps *steps, const struct analysis *analysis,
                     const struct path *path, const struct path_dominators *dominators);
/* Returns the number of the step on a row of the table `path`; row 0 is the root. */
size_t path_steps_number(const struct path_steps *steps, size_t row);
/* Returns how many steps are folded to that row; 1: only its own. */
size_t path_steps_times(const struct path_steps *steps, size_t row);
/* Returns the first index in path->step that belongs to a step: the one after the previous step. */
size_t path_steps_first(const struct path_steps *steps, size_t number);

/* Returns the number of steps. */
size_t path_steps_count(const struct analysis *analysis, const struct path *path);
