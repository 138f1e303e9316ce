/* What goroutines do and wait for, as findings name them. */
#pragma once

#include "heap/edges.h"

struct analysis;
struct buf;
struct progress;

/* Appends "main.watchLoop, main.cluster.Nodes[*].FSM.Watchers[*].C": the function of the first, and
   the place of their channel or the one thing that all wait for. `progress` may be NULL. */
void group_place_add(const struct analysis *analysis, struct ids members, struct progress *progress,
                     struct buf *out);
