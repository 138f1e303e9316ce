/* The index of a dump: a file with the results of its analysis, for the next opening. Off by
   default; processes and logs have none. */
#pragma once

#include "base/index_file.h"

struct analysis;
struct buf;
struct err;

/* Returns true if the index lacks results that took long to compute. */
bool analysis_has_to_keep(struct analysis *analysis);
/* Writes the index if it lacks results that took long to compute. No stage may be running.
   analysis_free does the same for an analysis without a task. */
void analysis_keep(struct analysis *analysis);
/* Like analysis_keep, in a background task, for an analysis whose task has ended. Called during
   idle time, so that the user does not wait at exit. */
void analysis_keep_beside(struct analysis *analysis);

/* Returns true if the index could not be read or written as requested, and fills *err. For the
   cache, only INDEX_ALWAYS reports this. */
bool analysis_index_failed(const struct analysis *analysis, struct err *err);
/* Returns the size of the index in bytes when it was opened or written; 0: there is none. */
uint64_t analysis_index_bytes(const struct analysis *analysis);

/* Appends the printable path of the dump of an index; "" if the index cannot be read. */
void index_about(const char *path, struct index_key key, struct buf *dump);
