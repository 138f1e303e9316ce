/* Goroutines counted by state and wait reason. */
#pragma once

#include "analysis/groups.h"
#include "base/text.h"

#include <stddef.h>

struct buf;

struct goroutine_states_row {
	uint64_t status;
	struct text reason;
	uint64_t count;
};

/* Go has about forty wait reasons; a damaged file may have more, which count as `others`. */
enum { GOROUTINE_STATES_ROWS = 64 };

struct goroutine_states {
	struct goroutine_states_row row[GOROUTINE_STATES_ROWS]; /* most first */
	size_t count;
	uint64_t others; /* goroutines without a row */
};

void goroutine_states_goroutines(struct goroutine_states *states, const struct groups *groups,
                                 const struct heap *heap);

/* Appends the name of a row: "chan receive", "running" ... */
void goroutine_states_name(const struct goroutine_states_row *row, struct buf *out);
