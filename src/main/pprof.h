/* profile.proto, as go tool pprof reads it: messages as they come, texts last. A location is a
   function is a name; where that is, its file and line belong to the name. */
#ifndef MAIN_PPROF_H
#define MAIN_PPROF_H

#include "main/gzip.h"
#include "main/string_set.h"

#include "heap/heap.h"

struct pprof {
	struct gzip gzip;
	struct buf message, inner; /* that are being made */
	struct string_set texts;   /* 0 is the empty one */
	struct string_set places;  /* location n + 1 */
	size_t values;             /* of a sample */
	struct buf location;       /* of the sample, packed */
	bool ok;                   /* the output has not failed */
};

struct pprof_type {
	const char *name, *unit;
};

/* `types` are those of the values of each sample, the one to show first is `first`. `time` is in
   ns since 1970. */
void pprof_begin(struct pprof *pprof, struct buf *out, const struct pprof_type *types, size_t count,
                 size_t first, uint64_t time);
/* The number of a location; `file` may be empty, `line` 0. All are visible. */
uint64_t pprof_location(struct pprof *pprof, const char *function, const char *file, uint64_t line);
/* Appends a location to the sample that is to come, innermost first. */
void pprof_push(struct pprof *pprof, uint64_t location);
void pprof_sample(struct pprof *pprof, const uint64_t *values);
/* What lies between two samples on average. */
void pprof_period(struct pprof *pprof, struct pprof_type type, uint64_t period);
/* False: the output has failed. */
bool pprof_end(struct pprof *pprof, const char *comment);

#endif
