/* What is removed; private to what_if.c and what_if_sets.c. */
#pragma once

#include "analysis/what_if.h"

struct what_if_ids {
	uint32_t *id;
	size_t count, capacity;
};
struct what_if {
	const struct heap *heap;
	struct what_if_ids objects, roots, closed, stacks; /* closed: only their references go */
	struct what_if_ids from, to;                       /* references, side by side */
};
