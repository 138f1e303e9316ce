/* A bit vector with rank: a set of numbers below a limit, and the position of each member among the
   members. A sparse column stores values only for the members. */
#pragma once

#include "base/bits.h"
#include "base/index_io.h"

struct ranks {
	uint64_t *bits;
	uint32_t *before; /* per word of `bits`: the number of members in earlier words */
	size_t limit, count;
};

/* Fills the caller's struct with an empty set of numbers below `limit`. */
void ranks_init(struct ranks *ranks, size_t limit);
void ranks_fini(struct ranks *ranks);
/* Fills the rank table. Call it once after all bits are set with word_bit_set(ranks->bits, number),
   and before ranks_at. */
void ranks_count(struct ranks *ranks);
/* Writes the ranks to an index, or reads those of a limit: false if the file lacks them. */
bool ranks_index(struct ranks *ranks, size_t limit, const struct index_io *io);

static inline bool ranks_has(const struct ranks *ranks, uint32_t number)
{
	return word_bit_is_set(ranks->bits, number);
}

/* Returns the rank of a member: the number of smaller members. */
static inline uint32_t ranks_at(const struct ranks *ranks, uint32_t number)
{
	uint64_t before = ranks->bits[number / 64] & ((UINT64_C(1) << number % 64) - 1);
	return ranks->before[number / 64] + count_bits(before);
}

/* A column that is mostly 0. */
struct sparse {
	struct ranks ranks;
	uint32_t *value;
};

/* Allocates the values, once all members are set in sparse->ranks. */
void sparse_settle(struct sparse *sparse);
static inline void sparse_put(struct sparse *sparse, uint32_t number, uint32_t value)
{
	sparse->value[ranks_at(&sparse->ranks, number)] = value;
}
/* Converts a column of `count` values, and frees its `size` bytes (mem_column_free). */
void sparse_take(struct sparse *sparse, uint32_t *column, size_t count, size_t size);
/* Makes a column of `count` zeros. */
void sparse_none(struct sparse *sparse, size_t count);
void sparse_fini(struct sparse *sparse);
/* Writes the column to an index, or reads one of `count` values. */
bool sparse_index(struct sparse *sparse, size_t count, const struct index_io *io);

static inline uint32_t sparse_get(const struct sparse *sparse, uint32_t number)
{
	return ranks_has(&sparse->ranks, number) ? sparse->value[ranks_at(&sparse->ranks, number)] : 0;
}
