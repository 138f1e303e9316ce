/* Arrays of which only windows are used: what strings, slices and typed pointers say of how much of
   an object they lead to. Private to src/table. */
#ifndef TABLE_WINDOWS_H
#define TABLE_WINDOWS_H

#include "analysis/analysis.h"

struct window_array {
	uint32_t object;
	uint32_t holders;      /* values that lead into it: of each it is known how far */
	uint64_t used, wasted; /* bytes of its slot: in some window, in none */
};

struct windows {
	struct window_array *array;
	size_t count, capacity;
	uint64_t wasted; /* of all together */
};

/* Reachable objects that slices or strings lead to, so that a copy of what is in use would take a
   smaller slot; by address. Where something else may use the rest, which is whatever points there
   and does not tell how far, an object is none of these. Takes time in proportion to the pointers
   of the heap, and 24 bytes for each that leads to less than a whole object. After STAGE_TYPED and
   STAGE_REACHED; without types there are none. NULL: cancelled. */
struct windows *windows_new(const struct analysis *analysis, struct progress *progress);
void windows_free(struct windows *windows);

#endif
