/* A column of numbers of which many equal the one before: only where a number begins is stored, and
   the number. */
#pragma once

#include "base/ranks.h"

struct runs {
	struct ranks first; /* where runs begin */
	uint32_t *value;    /* by run */
};

/* Converts a column of `count` numbers, and frees its `size` bytes (mem_column_free). */
void runs_take(struct runs *runs, uint32_t *column, size_t count, size_t size);
/* Returns the whole column; the caller frees it (mem_column_free). */
uint32_t *runs_column(const struct runs *runs);
void runs_fini(struct runs *runs);
/* Writes the runs to an index, or reads those of `count` numbers. */
bool runs_index(struct runs *runs, size_t count, const char *name, const struct index_io *io);

static inline uint32_t runs_at(const struct runs *runs, uint32_t n)
{
	uint64_t up_to = runs->first.bits[n / 64] & UINT64_MAX >> (63 - n % 64);
	return runs->value[runs->first.before[n / 64] + count_bits(up_to) - 1];
}
