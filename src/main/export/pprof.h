/* A writer of profile.proto, the format of go tool pprof: streams messages, with the string table
   last. Every name is one function and one location; a file and line belong to the name. */
#pragma once

#include "base/string_set.h"
#include "main/export/gzip.h"

struct analysis;

struct pprof {
	struct gzip gzip;
	struct buf message, inner; /* messages in progress */
	struct string_set texts;   /* 0 is the empty string */
	struct string_set places;  /* location n + 1 */
	size_t values;             /* per sample */
	struct buf location;       /* of the stack, packed */
	struct buf label;          /* of the next sample, as fields */
	struct map owners;         /* shared set -> text */
	bool ok;                   /* the output has not failed */
};

struct pprof_type {
	const char *name, *unit;
};

/* Begins a profile. `types` describe the values of each sample; `first` is the type shown first.
   `time` is in ns since 1970. */
void pprof_begin(struct pprof *pprof, struct buf *out, const struct pprof_type *types, size_t count,
                 size_t first, uint64_t time);
/* Returns the number of a location; `file` may be empty, `line` 0. All texts must be printable. */
uint64_t pprof_location(struct pprof *pprof, const char *function, const char *file, uint64_t line);
/* Begins the stack of the next samples; each of them has the whole stack. */
void pprof_stack(struct pprof *pprof);
/* Appends a location to the stack, innermost first. */
void pprof_push(struct pprof *pprof, uint64_t location);
/* Labels the next sample with the owner that a shared set has (table/owners/object_owner.h);
   UINT32_MAX: none. */
void pprof_owner(struct pprof *pprof, const struct analysis *analysis, uint32_t set);
void pprof_sample(struct pprof *pprof, const uint64_t *values);
/* Sets the average distance between two samples. */
void pprof_period(struct pprof *pprof, struct pprof_type type, uint64_t period);
/* Writes the rest. False: the output has failed. */
bool pprof_end(struct pprof *pprof, const char *comment);
