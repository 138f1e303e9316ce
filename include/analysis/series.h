/* A series: several dumps of one process. The Go collector moves nothing, so objects at the same
   address in two dumps may be the same; listed objects of one number are the same where numbers
   last (PART_IDS). */
#pragma once

#include "analysis/analysis.h"

struct series_cache;
struct series {
	struct analysis **older; /* the oldest first; owned; to be read: series_older */
	struct map *threads;     /* of each: number -> index in heap->threads */
	size_t count, capacity;
	struct series_cache *cache; /* src/analysis/series_cache.h */
	struct buf left_out;        /* sentences about dumps that could not be compared */
	atomic_bool failed;         /* none can be compared: publishes err */
	struct err err;
};

/* Adds an earlier dump of the same process to `newer`, which then owns it; after STAGE_READ of both
   and before any table is opened. GC logs do not record their process, so any two can be combined;
   snapshots with lasting numbers tell it by the types of objects with one number.
   False: it is no such dump, *err gives the evidence, and the caller still owns it. */
bool series_add(struct analysis *newer, struct analysis *older, struct err *err);
/* The relation of two dumps. */
enum series_relation {
	SERIES_PROCESS,      /* the same process: objects are compared by address or number */
	SERIES_PROGRAM,      /* only the same program: types and functions are compared by name */
	SERIES_OTHER_PROGRAM /* different programs: only shapes are compared */
};
/* Returns the relation; *err gives the evidence if it is not the same process. */
enum series_relation series_relation(const struct analysis *newer, const struct analysis *older,
                                     struct err *err);

/* Replaces `old` with `newer`, a later dump of the same process: `newer` takes over the earlier
   dumps of `old`, and with `keep` also `old` itself. No thread may read either, and all stages of
   `old` must be finished. False: *err, nothing has changed. */
bool series_follow(struct analysis *newer, struct analysis *old, bool keep, struct err *err);
/* Returns true if `a` is older than `b`: by the time of a snapshot, else by numbers that last, the
   process's total allocations, collections, threads and clock, as far as both dumps record them.
   False also if the order is unknown. */
bool series_is_older(const struct analysis *a, const struct analysis *b);
/* Returns true if two dumps seem to be of the same instant: allocations, collections and times
   agree. */
bool series_is_same(const struct analysis *a, const struct analysis *b);
/* Returns true if the program allocated nothing between two dumps; false also if that is unknown.
 */
bool series_is_idle(const struct analysis *a, const struct analysis *b);
/* Returns what only one of the two formats records: a sentence without full stop; NULL: nothing. */
const char *series_differs_in_kind(const struct analysis *a, const struct analysis *b);
/* Returns true if an earlier dump has roots, so that what was alive then is known. False: *err says
   so. */
bool series_knows_reach(const struct analysis *older, struct err *err);
/* Adds a sentence about a dump that was not added. */
void series_leave_out(struct analysis *newer, const char *why);
/* Returns all of these sentences, a line each; "": none. */
const char *series_left_out(const struct analysis *analysis);
/* Gives up comparing: from now on analysis_series returns NULL. Any thread may read meanwhile. */
void series_give_up(struct series *series, const struct err *err);
/* Returns why, a sentence without full stop; NULL: it was not given up. */
const char *series_failure(const struct analysis *analysis);
/* Returns NULL if there are no earlier dumps, or comparing was given up. */
const struct series *analysis_series(const struct analysis *analysis);
/* Returns the dump of a number below the series' count, the oldest first, asked in the same way as
   `newer`. */
const struct analysis *series_older(const struct analysis *newer, size_t i);
void series_free(struct series *series);

/* Returns the number (from 1) of the first dump since which an object's address holds what may be
   the same object: the same slot with pointers at the same words, reachable in that dump, and equal
   according to `alike`, which knows types. Returns the series' count + 1 if the object is new.
   After STAGE_REACHED of all dumps. */
typedef bool series_alike(const struct analysis *older, uint32_t before,
                          const struct analysis *newer, uint32_t object);
/* Returns true if the dumps of a series have object addresses, so that objects can be compared.
   Else only names are compared, and series_born must not be called. */
bool series_knows_objects(const struct analysis *newer);
size_t series_born(const struct analysis *newer, uint32_t object, series_alike *alike);

/* Precomputes what series_born would compute at its first call, for all objects. After
   STAGE_REACHED of all dumps. */
void series_prepare(const struct series *series, const struct analysis *newer);

/* Compares two objects of unknown type at one address: returns true if their paths begin at the
   same variable, or if they have the same contents that are not all zero. After STAGE_REACHED of
   both dumps. */
bool series_untyped_alike(const struct analysis *older, uint32_t before,
                          const struct analysis *newer, uint32_t object);

/* Stores the index of the thread with the same id in an earlier dump. False: there is none. */
bool series_thread(const struct series *series, size_t dump, const struct thread *thread,
                   uint32_t *before);

/* Returns true if a thread waited in an earlier dump, too, for the same object at the same
   place, and has apparently not run in between. */
bool series_thread_waits(const struct analysis *newer, size_t dump, uint32_t thread);
