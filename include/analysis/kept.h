/* Cached results: an expensive result is computed once for each analysis, at the first request, is
   read-only afterwards, and is saved in the index. Each kind registers itself (base/plugin.h);
   `goheapx index` computes all of them. */
#pragma once

#include "analysis/analysis.h"
#include "analysis/object_walk.h"
#include "base/index_io.h"

struct kept_kind {
	const char *name; /* of its sections in the index; NULL: never saved there */
	unsigned needs;   /* required stages */
	bool by_retain;   /* one result for each kind of dominator tree */
	/* describes maps and channels as a whole: there is no result while their parts are shown
	   (analysis_parts) */
	bool without_parts;
	/* Computes the result. NULL: cancelled, or this analysis has none. It depends on `retain` only,
	   not on how the dump is asked: `analysis` hides parts, and shows what `retain` says. */
	void *(*make)(const struct analysis *analysis, enum retain retain, struct progress *progress);
	/* Computes it in place of `make`, together with others that walk over the objects. */
	struct object_walker walker;
	void (*free)(void *made);
	/* Writes what was made to an index, or reads it: false if the file does not have it. */
	bool (*index)(void *made, const struct index_io *io);
	/* Returns a result with what is not in the index, to be read; NULL: `size` zeros. */
	void *(*empty)(const struct analysis *analysis, enum retain retain);
	size_t size;
};

/* Returns the result, computed or loaded from the index at the first request; waits for another
   thread that computes it. `retain` matters only for kinds with by_retain. NULL: cancelled, or
   there is none. */
const void *analysis_kept(const struct analysis *analysis, const struct kept_kind *kind,
                          enum retain retain, struct progress *progress);
/* Returns the result without waiting; NULL if nobody has requested it yet. */
const void *analysis_kept_made(const struct analysis *analysis, const struct kept_kind *kind,
                               enum retain retain);
/* Computes the results of all kinds with a walker in one walk, except those that another thread
   computes: for a caller that will request most of them. */
void analysis_walk_kept(const struct analysis *analysis, struct progress *progress);
/* Computes the results of every kind by two threads, for an index. */
void analysis_make_kept(const struct analysis *analysis);

struct kept;
/* Returns room for all cached results of one analysis; kept_free frees them with it. */
struct kept *kept_new(void);
void kept_free(struct kept *kept);
/* kept_save adds the results to an index. kept_cpu returns the CPU time in ns of results not saved
   yet. */
void kept_save(struct kept *kept, const struct index_io *io);
uint64_t kept_cpu(struct kept *kept);
