/* Descriptions of what goroutines wait for: "chan *main.Event 0xc000012340 len 0 cap 0, held by
   main.cluster.Watchers[7].C". */
#pragma once

#include "analysis/analysis.h"

/* Appends the description; nothing if the goroutine does not wait for another goroutine, or if this
   is unknown. Names the owner of a channel and the variable of a lock if STAGE_REACHED and types
   are ready. */
void waits_add(const struct analysis *analysis, uint32_t thread, struct buf *out);
/* Returns true if the goroutines wait for one and the same thing, or there is only one of them. */
bool waits_are_one(const struct analysis *analysis, struct ids threads);
/* Appends what several goroutines have in common in what they wait for. */
void waits_add_common(const struct analysis *analysis, struct ids threads, struct buf *out);
