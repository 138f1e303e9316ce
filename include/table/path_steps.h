/* The steps of a path that a program names: not those within a map or a channel, nor the array of a
   slice or string that nothing else holds, unless parts are shown (analysis_parts). */
#ifndef TABLE_PATH_STEPS_H
#define TABLE_PATH_STEPS_H

#include "analysis/analysis.h"
#include "base/map.h"

/* Is an object only the array of a slice or string in what holds it, which is nothing but that
   slice or string? After STAGE_REVERSED. */
bool path_is_array(const struct analysis *analysis, uint32_t object);

/* The same of many, for each of which what holds it need not be gone through from its start again,
   as long as that is the same. `struct path_arrays arrays = {.analysis = analysis}`. */
struct path_arrays {
	const struct analysis *analysis;
	uint32_t holder;   /* whose pointers are known, where any are */
	struct map target; /* what they lead to -> is the first of them that of a slice or string? */
};
bool path_arrays_has(struct path_arrays *arrays, uint32_t object);
void path_arrays_fini(struct path_arrays *arrays);

struct path_steps {
	size_t *at; /* by their number: which of path->step it is, ascending, the last one included */
	size_t count;
};

void path_steps_init(struct path_steps *steps, const struct analysis *analysis,
                     const struct path *path);
void path_steps_fini(struct path_steps *steps);
/* The first of path->step that leads to one of these: behind the one before it. */
size_t path_steps_first(const struct path_steps *steps, size_t number);

/* How many steps there are. */
size_t path_steps_count(const struct analysis *analysis, const struct path *path);

#endif
