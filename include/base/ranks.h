/* A set of numbers below a limit, and where each of them stands among them: what few have is kept
   one after the other, instead of in a column of all. */
#ifndef BASE_RANKS_H
#define BASE_RANKS_H

#include "base/bits.h"
#include "base/index_file.h"

struct ranks {
	uint64_t *bits;
	uint32_t *before; /* by word of bits: how many are before it */
	size_t limit, count;
};

void ranks_init(struct ranks *ranks, size_t limit);
void ranks_fini(struct ranks *ranks);
/* Once all have been set with word_bit_set(ranks->bits, number), and before ranks_at. */
void ranks_count(struct ranks *ranks);
uint64_t ranks_memory(const struct ranks *ranks);
/* Into an index and from there, under two names. False: it is not in the file. */
void ranks_save(const struct ranks *ranks, const char *bits, const char *before,
                struct index_writer *writer);
bool ranks_load(struct ranks *ranks, size_t limit, const char *bits, const char *before,
                struct index_file *file);

static inline bool ranks_has(const struct ranks *ranks, uint32_t number)
{
	return word_bit_is_set(ranks->bits, number);
}

/* Of a number that is in the set. */
static inline uint32_t ranks_at(const struct ranks *ranks, uint32_t number)
{
	uint64_t before = ranks->bits[number / 64] & ((UINT64_C(1) << number % 64) - 1);
	return ranks->before[number / 64] + count_bits(before);
}

/* A column of which most is 0. */
struct sparse {
	struct ranks ranks;
	uint32_t *value;
};

/* For those that are set in sparse->ranks, once they all are: room for what each has. */
void sparse_settle(struct sparse *sparse);
static inline void sparse_put(struct sparse *sparse, uint32_t number, uint32_t value)
{
	sparse->value[ranks_at(&sparse->ranks, number)] = value;
}
/* Takes over a column of so many, which goes away (mem_column_free). */
void sparse_take(struct sparse *sparse, uint32_t *column, size_t count, size_t size);
/* One of so many without any. */
void sparse_none(struct sparse *sparse, size_t count);
void sparse_fini(struct sparse *sparse);
/* Into an index, under a name of few letters. */
void sparse_save(const struct sparse *sparse, const char *name, struct index_writer *writer);
bool sparse_load(struct sparse *sparse, size_t count, const char *name, struct index_file *file);

static inline uint32_t sparse_get(const struct sparse *sparse, uint32_t number)
{
	return ranks_has(&sparse->ranks, number) ? sparse->value[ranks_at(&sparse->ranks, number)] : 0;
}

#endif
