/* The steps of a path that a program names. Without the steps inside a map or a channel, and
   without the array of a slice or string that has no other referrer, unless parts are shown
   (analysis_parts). */
#pragma once

#include "analysis/analysis.h"

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
	size_t *at; /* index in path->step by number, ascending, the last step included */
	size_t count;
};

void path_steps_init(struct path_steps *steps, const struct analysis *analysis,
                     const struct path *path);
void path_steps_fini(struct path_steps *steps);
/* Returns the first index in path->step that belongs to a step: the one after the previous step. */
size_t path_steps_first(const struct path_steps *steps, size_t number);

/* Returns the number of steps. */
size_t path_steps_count(const struct analysis *analysis, const struct path *path);
