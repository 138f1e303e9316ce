/* The holders that were there in an earlier dump of the process and hold more now. Private to
   src/table. */
#ifndef TABLE_GROWTH_H
#define TABLE_GROWTH_H

#include "analysis/series.h"
#include "table/places.h"

/* What a holder had in one of the dumps; nothing where it was not there. */
struct growth_then {
	uint64_t count, retained;
	uint64_t bytes, own_bytes; /* of the place with those below it, and without */
};
struct growth_row {
	uint32_t place;  /* row of the table where, of the newest dump */
	uint32_t twin;   /* the other half of a list; UINT32_MAX: there is none */
	bool steady;     /* it grew from each dump to the next */
	bool pool;       /* a sync.Pool holds it */
	bool of_runtime; /* a variable of the runtime's holds it */
};
struct growth {
	size_t dumps;           /* the newest included */
	struct places *places;  /* of each, the oldest first */
	uint32_t **before;      /* by dump but the newest, by place of the newest: its place there */
	struct growth_row *row; /* what the runtime holds and then what pools hold last, steady growth
	                           first, then most bytes first */
	size_t count, capacity;
};

/* Of an analysis with earlier dumps. NULL: *err. */
struct growth *growth_new(const struct analysis *analysis, struct progress *progress,
                          struct err *err);
void growth_free(struct growth *growth);
/* What a row of it had in dump 0 ... dumps - 1. */
struct growth_then growth_then(const struct growth *growth, const struct growth_row *row,
                               size_t dump);
/* Appends the path expression of a row's holder; of several alike, the steps that lead to them. */
void growth_add_name(const struct growth *growth, const struct growth_row *row, struct buf *out);

#endif
