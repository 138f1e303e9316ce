/* Whether no goroutine of a program can ever run again. */
#pragma once

#include "base/map.h"
#include "go/analysis/lost.h"

/* What can wake a goroutine though all of them wait. */
struct lost_alarms {
	bool signals;             /* a goroutine passes on signals: the next two are their variable */
	uint64_t start, end;      /* addresses; roots between lead to what it can wake */
	const uint64_t *channels; /* of timers that are set; borrowed */
	size_t channel_count;
};

/* Says of a program what its runtime and its goroutines say. LOST_ASLEEP_FOUND and
   LOST_ASLEEP_DOUBTED are so only if none of the alarms leads to what a goroutine waits for, which
   the caller finds out. */
struct lost_asleep lost_asleep_find(const struct reach *reach, const struct gowaits *waits,
                                    struct lost_alarms *alarms);
