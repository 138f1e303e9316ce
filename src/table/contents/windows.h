/* Arrays of which only a part is used, according to the lengths of the strings, slices and typed
   pointers that reference them. */
#pragma once

#include "analysis/analysis.h"

struct window_array {
	uint32_t object;
	uint32_t holders;      /* values that reference it, each with a known extent */
	uint64_t used, wasted; /* bytes of its slot: in some window, in none */
};

struct windows {
	struct window_array *array;
	size_t count, capacity;
	uint64_t wasted; /* total of all arrays */
};

/* Returns the reachable objects, by address, that slices or strings reference and whose used part
   would fit into a smaller slot: a cached result. Excludes objects with a pointer of unknown
   extent, since it may use the rest. Costs time in proportion to the pointers of the heap, and
   meanwhile 24 bytes for each that references less than a whole object. After STAGE_TYPED and
   STAGE_REACHED; without types the result is empty. NULL: cancelled. */
const struct windows *analysis_windows(const struct analysis *analysis, struct progress *progress);

/* Bytes of an object that a value references, relative to its address. */
struct window {
	uint64_t start, end;
	uint32_t object;
	uint32_t type : 31; /* of the value that a pointer stands for, or of the elements; 0: unknown */
	uint32_t array : 1; /* a slice or a string references it: there are consecutive elements */
};

/* Returns the windows of certain reachable objects, by object, then by start; they may overlap. A
   pointer of unknown extent has a window to the end of its object. Costs time in proportion to the
   roots and to the sizes of the referrers. After STAGE_TYPED and STAGE_REACHED, with types. The
   caller frees the result. */
struct window *windows_of(const struct analysis *analysis, const uint32_t *object, size_t count,
                          size_t *windows);
