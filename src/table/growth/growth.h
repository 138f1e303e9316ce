/* The places that existed in an earlier dump of the process and have grown since. Private to
   src/table. */
#pragma once

#include "analysis/series.h"
#include "table/growth/places.h"

struct root;

/* The numbers of a place in one of the dumps; all 0 if it did not exist. */
struct growth_then {
	uint64_t count, retained;
	uint64_t bytes, own_bytes; /* with and without the places below it */
};
struct growth_row {
	uint32_t place;              /* row of the table where, in the newest dump */
	uint32_t twin;               /* the other direction of a doubly linked list; UINT32_MAX: none */
	bool steady;                 /* it grew from each dump to the next */
	bool pool;                   /* a sync.Pool references it */
	bool of_runtime;             /* a variable of the runtime references it */
	struct growth_then was, now; /* in the oldest dump, in the newest */
};
struct growth {
	size_t dumps;          /* including the newest */
	struct places *places; /* of each dump, the oldest first */
	/* by dump except the newest, by place of the newest: the place in that dump */
	uint32_t **before;
	/* the runtime's and then the pools' places last, steady growth first, then most bytes first */
	struct growth_row *row;
	size_t count, capacity;
};

/* Computes the growth of an analysis with earlier dumps. NULL: *err. */
struct growth *growth_new(const struct analysis *analysis, struct progress *progress,
                          struct err *err);
void growth_free(struct growth *growth);
/* Returns the root that the path of a place begins with; NULL: none. */
const struct root *growth_root(const struct growth *growth, uint32_t place);
/* Returns true for a place below a variable of the runtime. It grows with the program's threads
   and timers, which have rows of their own. */
bool growth_is_of_runtime(const struct growth *growth, uint32_t place);
/* Returns the numbers of a row in dump 0 ... dumps - 1. */
struct growth_then growth_then(const struct growth *growth, const struct growth_row *row,
                               size_t dump);
/* Appends the path expression of a row's place; if several objects have the same steps, those
   steps. */
void growth_add_name(const struct growth *growth, const struct growth_row *row, struct buf *out);
