/* What goroutines wait for, in words: "chan *main.Event 0xc000012340 len 0 cap 0, held by
   main.cluster.Watchers[7].C". */
#ifndef TABLE_WAITS_H
#define TABLE_WAITS_H

#include "table/table.h"

/* Nothing where it waits for none of what other goroutines do, or that is not known. Says what
   holds a channel, and which variable a lock is, once that can be known (STAGE_REACHED, types). */
void waits_add(const struct analysis *analysis, uint32_t goroutine, struct buf *out);
/* The same of several: what they wait for in common. */
void waits_add_common(const struct analysis *analysis, struct ids goroutines, struct buf *out);
#endif
