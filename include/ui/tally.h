/* How many goroutines do what: counted by state and wait reason. */
#ifndef UI_TALLY_H
#define UI_TALLY_H

#include "analysis/groups.h"

struct tally_row {
	uint64_t status;
	struct text reason;
	uint64_t count;
};

/* Go has about forty wait reasons; what a damaged file has more is "others". */
enum { TALLY_ROWS = 64 };

struct tally {
	struct tally_row row[TALLY_ROWS]; /* most first */
	size_t count;
	uint64_t others; /* goroutines that found no row */
};

void tally_goroutines(struct tally *tally, const struct groups *groups, const struct heap *heap);

/* "chan receive", "running" ... */
void tally_name(const struct tally_row *row, struct buf *out);

#endif
