/* Where the elements of each of many begin in one array, as a byte each: how far behind those of
   the first of its block, where that is near. */
#ifndef BASE_STARTS_H
#define BASE_STARTS_H

#include "base/ranks.h"

enum { STARTS_BLOCK = 16 };

struct starts {
	uint32_t *base; /* by block; NULL: there are none yet */
	uint8_t *delta; /* UINT8_MAX: it is far */
	struct sparse far;
	size_t count;
};

/* Made one after the other, ascending: begun for so many, each put, ended. */
struct starts_maker {
	struct starts starts;
	uint32_t next, base;
	uint32_t *far; /* of those that are, their values */
	size_t far_count, far_capacity;
};
void starts_begin(struct starts_maker *maker, size_t count);
void starts_put_far(struct starts_maker *maker, uint32_t value);
static inline void starts_put(struct starts_maker *maker, uint32_t value)
{
	uint32_t n = maker->next++;
	if (n % STARTS_BLOCK == 0)
		maker->starts.base[n / STARTS_BLOCK] = maker->base = value;
	if (value - maker->base < UINT8_MAX)
		maker->starts.delta[n] = (uint8_t)(value - maker->base);
	else
		starts_put_far(maker, value);
}
/* Another maker for those from `from` on, a multiple of STARTS_APART, which counts elements from 0
   anew; may be used in another thread. */
enum { STARTS_APART = 64 };
void starts_begin_part(struct starts_maker *part, const struct starts_maker *maker, uint32_t from);
/* Takes a part on, once all before it have been put: `before` elements are those of these. */
void starts_take_part(struct starts_maker *maker, const struct starts_maker *part, uint32_t before);
void starts_end_part(struct starts_maker *part); /* gives back what it has, taken on or not */
/* Those that have not been put are anything. */
struct starts starts_end(struct starts_maker *maker);
void starts_fini(struct starts *starts);
uint64_t starts_memory(const struct starts *starts);
/* Into an index, under a name of few letters, and from there. False: it is not in the file. */
void starts_save(const struct starts *starts, const char *name, struct index_writer *writer);
bool starts_load(struct starts *starts, size_t count, const char *name, struct index_file *file);

static inline uint32_t starts_at(const struct starts *starts, uint32_t n)
{
	uint8_t delta = starts->delta[n];
	return delta < UINT8_MAX ? starts->base[n / STARTS_BLOCK] + delta : sparse_get(&starts->far, n);
}

static inline void starts_prefetch(const struct starts *starts, uint32_t n)
{
	__builtin_prefetch(&starts->delta[n]);
	__builtin_prefetch(&starts->base[n / STARTS_BLOCK]);
}

#endif
