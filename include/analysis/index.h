/* The index of a dump: what its analysis has come to, in a file, for the next opening. Off until it
   is turned on; processes and logs have none. */
#ifndef ANALYSIS_INDEX_H
#define ANALYSIS_INDEX_H

#include "analysis/analysis.h"
#include "base/index_file.h"

enum index_use {
	INDEX_OFF,
	INDEX_CACHE, /* what has taken more than a second, in the cache (base/cache.h) */
	INDEX_FILE,  /* all of it, in a file that the user has named */
	INDEX_ALWAYS /* all of it, in the cache */
};
/* For all that is opened from now on; `file` is borrowed, and only for INDEX_FILE. */
void index_use(enum index_use use, const char *file);

/* Is there something that has taken its time and is not in the index? */
bool analysis_has_to_keep(struct analysis *analysis);
/* Writes what there is if that has taken its time and is not in the index. Nothing may be running.
   Those that nobody has started in a task do it at their end, too. */
void analysis_keep(struct analysis *analysis);
/* The same in a task, for whom one was started that has ended: now and then, while nothing else is
   to be done, so that whoever leaves need not wait for it. */
void analysis_keep_beside(struct analysis *analysis);

/* Why the index could not be used or written, though it should have been: *err. In the cache only
   INDEX_ALWAYS tells. */
bool analysis_index_failed(const struct analysis *analysis, struct err *err);
/* Bytes of it when it was opened or written; 0: there is none. */
uint64_t analysis_index_bytes(const struct analysis *analysis);

/* Appends the dump that an index is of, as it was named, made visible; "" where it cannot be read.
 */
void index_about(const char *path, struct index_key key, struct buf *dump);

#endif
