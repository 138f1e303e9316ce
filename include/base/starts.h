/* Compressed CSR offsets: for each node, where its elements begin in one array. A node takes one
   byte, the distance from the first offset of its block of 16; larger distances are in a sparse
   column. */
#pragma once

#include "base/ranks.h"

enum { STARTS_BLOCK = 16 };

struct starts {
	uint32_t *base; /* per block; NULL: not built yet */
	uint8_t *delta; /* UINT8_MAX: the offset is in `far` */
	struct sparse far;
	size_t count;
};

/* Builds the offsets in ascending order: starts_begin for `count` nodes, one starts_put per node,
   starts_end. */
struct starts_maker {
	struct starts starts;
	uint32_t next, base;
	uint32_t *far; /* values of the far offsets */
	size_t far_count, far_capacity;
};
void starts_begin(struct starts_maker *maker, size_t count);
/* Part of starts_put: the offset does not fit into a byte. */
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
enum { STARTS_APART = 64 };
/* Starts a second maker for the nodes from `from` on, a multiple of STARTS_APART, with offsets
   relative to 0. It may run in another thread. */
void starts_begin_part(struct starts_maker *part, const struct starts_maker *maker, uint32_t from);
/* Appends a part after all nodes before it have been put; `before` is the number of elements of
   these nodes. */
void starts_take_part(struct starts_maker *maker, const struct starts_maker *part, uint32_t before);
void starts_end_part(struct starts_maker *part); /* frees the part, appended or not */
/* Returns the finished offsets. Nodes that were not put have undefined offsets. */
struct starts starts_end(struct starts_maker *maker);
void starts_fini(struct starts *starts);
/* Writes the offsets to an index, or reads those of `count` nodes. If that fails they are 0. */
bool starts_index(struct starts *starts, size_t count, const struct index_io *io);

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
