/* The roots that an object is reached from: variables, threads, finalizers ... */
#pragma once

#include "analysis/reach.h"
#include "analysis/root_nodes.h"

enum { ROOTS_ABOVE_NAMED = 2 };

/* Counts the root nodes below root classes from which any path leads to a reachable object; weak
   roots do not count. Stores those with the lowest numbers in named[ROOTS_ABOVE_NAMED]. Requires
   STAGE_REVERSED. Returns 0 if more than `most` objects would have to be visited. */
size_t roots_above_count(const struct root_nodes *root_nodes, const struct reach *reach,
                         uint32_t object, size_t most, uint32_t *named);
