/* What takes long to come to is made once for an analysis, by whoever asks for it first, is only
   read after that, and is kept in the index. Each kind lists itself (base/plugin.h):
   `goheapx index` makes all of them. */
#ifndef ANALYSIS_KEPT_H
#define ANALYSIS_KEPT_H

#include "analysis/analysis.h"
#include "base/index_parts.h"

struct kept_kind {
	unsigned needs;     /* stages */
	bool by_retain;     /* there is one for each way of counting */
	bool without_parts; /* it is of what is shown while parts are not (analysis_parts): while these
	                       are there is none */
	/* NULL: cancelled, or this analysis has none. Made again if what is shown was changed meanwhile
	   (analysis_set_parts, analysis_set_retain). */
	void *(*make)(const struct analysis *analysis, enum retain retain, struct progress *progress);
	void (*free)(void *made);
	/* NULL: the index never has it. */
	void (*save)(const void *made, enum retain retain, struct index_writer *writer);
	/* NULL: it is not there. */
	void *(*load)(const struct analysis *analysis, enum retain retain, struct index_file *file);
};

/* Made, or taken from the index, if it has to be; another thread that makes it is waited for.
   `retain` only counts where there is one for each. NULL: cancelled, or there is none. */
const void *analysis_kept(const struct analysis *analysis, const struct kept_kind *kind,
                          enum retain retain, struct progress *progress);
/* Without waiting: NULL as long as nobody has asked for it. */
const void *analysis_kept_made(const struct analysis *analysis, const struct kept_kind *kind,
                               enum retain retain);
/* Makes what there is of every kind, for an index. */
void analysis_make_kept(const struct analysis *analysis);

/* All of an analysis, for itself. */
struct kept;
struct kept *kept_new(void);
void kept_free(struct kept *kept);
/* Puts those that are made into an index. What making those has cost that have not been saved yet:
   CPU ns. */
void kept_save(struct kept *kept, struct index_writer *writer);
uint64_t kept_cpu(struct kept *kept);

#endif
