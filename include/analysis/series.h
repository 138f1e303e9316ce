/* Several dumps of one process: the collector moves nothing, so that what is at the same address in
   two of them may be the same. */
#ifndef ANALYSIS_SERIES_H
#define ANALYSIS_SERIES_H

#include "analysis/analysis.h"

struct series_roots;
struct series_places;
struct series {
	struct analysis **older; /* the oldest first; owned */
	struct map *goroutines;  /* of each: number -> index in heap->goroutines */
	size_t count, capacity;
	struct series_roots *roots;   /* which root each object's path begins at, made when asked for */
	struct series_places *places; /* what is where it was, likewise */
	struct buf left_out;          /* sentences: what could not be compared */
};

/* Puts an earlier dump of the same process behind one, which owns it from then on; a GC log behind
   a GC log, which do not say of which process they are; after STAGE_READ of both and before any
   table is opened. False: it is none, *err says by what that is known, and the caller keeps it. */
bool series_add(struct analysis *newer, struct analysis *older, struct err *err);
/* What two dumps have in common. */
enum series_relation {
	SERIES_PROCESS,      /* the same process: objects are compared by place */
	SERIES_PROGRAM,      /* only the same program: types and functions are, by name */
	SERIES_OTHER_PROGRAM /* neither: only shapes are */
};
/* *err says by what it is known, where it is not the same process. */
enum series_relation series_relation(const struct analysis *newer, const struct analysis *older,
                                     struct err *err);

/* Another dump of the same process follows: takes over the earlier ones of one that it is put in
   the place of; with `keep` that one becomes an earlier one, too. Nothing may read either
   meanwhile, and all stages of the old one must be there. False: *err, nothing has changed. */
bool series_follow(struct analysis *newer, struct analysis *old, bool keep, struct err *err);
/* By the time of a snapshot, else by what the process has allocated so far, its collections,
   goroutines and clock, as far as both tell these. False also where that cannot be known. */
bool series_is_older(const struct analysis *a, const struct analysis *b);
/* Are two dumps the same, or of the same instant? */
bool series_is_same(const struct analysis *a, const struct analysis *b);
/* What is told by one of the two only, as they are of different formats: a sentence without full
   stop; NULL: nothing. */
const char *series_differs_in_kind(const struct analysis *a, const struct analysis *b);
/* One more sentence about a dump that was not added. */
void series_leave_out(struct analysis *newer, const char *why);
/* All of these, a line each; "": none. */
const char *series_left_out(const struct analysis *analysis);
/* Runs stages of all earlier ones, which have STAGE_READ. False: one has failed or was cancelled,
 *err. */
bool series_run(struct series *series, unsigned stages, struct progress *progress, struct err *err);
/* NULL: there are no earlier dumps. */
const struct series *analysis_series(const struct analysis *analysis);
void series_free(struct series *series);

/* The first dump of the series, from 1, since which the place of an object has been taken by what
   may be the same: the same slot with pointers at the same words, no garbage by then, and `alike`
   says so, which knows types. The series' own count + 1: it is new. After STAGE_REACHED of all. */
typedef bool series_alike(const struct analysis *older, uint32_t before,
                          const struct analysis *newer, uint32_t object);
/* Are objects of the dumps of a series the same by their addresses? Else only names are compared,
   and series_born must not be asked. */
bool series_knows_objects(const struct analysis *newer);
size_t series_born(const struct analysis *newer, uint32_t object, series_alike *alike);

/* Works out for all objects beforehand what series_born would when first asked for one. After
   STAGE_REACHED of all. */
void series_prepare(const struct series *series, const struct analysis *newer);

/* Where no type tells two things at one place apart: do their paths begin at the same variable, or
   have they the same contents, which are not all zero? After STAGE_REACHED of both. */
bool series_untyped_alike(const struct analysis *older, uint32_t before,
                          const struct analysis *newer, uint32_t object);

/* The goroutine of an earlier dump with the same number: its index there. False: there is none. */
bool series_goroutine(const struct series *series, size_t dump, const struct goroutine *goroutine,
                      uint32_t *before);

/* Did a goroutine wait in an earlier dump, too, for the same at the same place, as far as can be
   told without having run in between? */
bool series_goroutine_waits(const struct analysis *newer, size_t dump, uint32_t goroutine);

#endif
