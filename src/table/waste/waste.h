/* Sums of memory that is allocated but not used, from the tables pinned, slack and duplicates. */
#pragma once

#include "base/map.h"
#include "table/table.h"

struct path_tree;

struct waste_sum {
	uint64_t bytes;
	const struct path_tree *tree; /* of whose places there is a list; NULL: there is none */
	/* Objects of which bytes are not used, by the place that they stand at, in any order. */
	struct waste_place {
		uint32_t place, kind; /* a node of the tree; index in waste_kinds */
		uint64_t count, bytes;
	} * place;
	size_t count, capacity;
	struct map of; /* node -> index in `place` */
};

/* A table whose column wasted_bytes is added up, as far as the tables before it do not count the
   same bytes. */
enum { WASTE_DUPLICATES = 2, WASTE_KINDS };
struct waste_kind {
	const char *table;
	/* Adds what counts of a row. NULL: all of it, at the place of its object. */
	void (*add)(struct waste_sum *sum, const struct rows *rows, size_t row, uint64_t wasted);
};
extern const struct waste_kind waste_kinds[WASTE_KINDS];

/* Adds up the table; its stages must be finished. `progress` may be NULL. False: *err, or
   cancelled. The caller calls waste_sum_fini. */
bool waste_add_up(const struct analysis *analysis, const struct waste_kind *kind,
                  struct waste_sum *sum, struct progress *progress, struct err *err);
void waste_sum_fini(struct waste_sum *sum);
