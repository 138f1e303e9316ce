/* Allocation sites, as recorded by the runtime's memory profiler: profiles are stacks with counts,
   samples are the objects that it sampled. */
#pragma once

#include "base/cursor.h"
#include "format/record.h"
#include "heap/objects.h"

#define PROFILE_NONE UINT32_MAX

struct sample {
	struct sample_record record;
	uint32_t object, profile; /* OBJECT_NONE, PROFILE_NONE: not in the dump */
};

/* Origin of the sampling rate (runtime.MemProfileRate), the average number of bytes between two
   samples. */
enum profile_rate_from {
	PROFILE_RATE_DEFAULT,  /* Go's default; consistent with the samples */
	PROFILE_RATE_READ,     /* read from the process */
	PROFILE_RATE_ESTIMATED /* estimated from the share of sampled objects */
};

struct profiles {
	uint64_t rate; /* bytes; 0 and 1: everything is sampled */
	enum profile_rate_from rate_from;
	struct profile_record *profile;
	uint32_t count; /* in file order */
	struct sample *sample;
	uint32_t sample_count; /* in file order */
	/* Indices into `sample`, sorted by object and by profile; those without one come last. */
	uint32_t *by_object, *by_profile;
	/* samples of profile p: by_profile[first[p]] ... by_profile[first[p + 1] - 1] */
	uint32_t *first;
};

/* Frees the results of profiles_build(); the records belong to the heap. */
void profiles_fini(struct profiles *profiles);

/* Resolves objects and profiles of the samples. Call it after the objects are built. */
void profiles_build(struct profiles *profiles, const struct objects *objects);

/* Sets the rate. Call it after profiles_build(). `complete`: no samples are missing. */
void profiles_find_rate(struct profiles *profiles, const struct params_record *params,
                        const struct objects *objects, bool complete);

struct profile_amount {
	uint64_t count, bytes;
};
/* Returns an estimate of all allocations that `count` sampled ones represent, scaled as in
   runtime/pprof. */
struct profile_amount profile_scaled(const struct profiles *profiles,
                                     const struct profile_record *record, uint64_t count);
/* Returns the part of this that stands for `count` sampled allocations after the first `before`:
   the parts of adjacent ones add up to the estimate of all. */
struct profile_amount profile_part(const struct profiles *profiles,
                                   const struct profile_record *record, uint64_t before,
                                   uint64_t count);
/* Returns the estimate of what a sample in the dump stands for; nothing if its profile is missing.
   The estimates of all samples of a profile add up to that of their number. */
struct profile_amount profiles_of_sample(const struct profiles *profiles,
                                         const struct sample *sample);
/* Returns the number of sampled allocations not freed yet. */
uint64_t profile_live(const struct profile_record *record);
/* Appends a note such as "scaled by MemProfileRate 524,288 (Go's default)". */
void profile_rate_add(const struct profiles *profiles, struct buf *out);

/* Returns the sample of an object, or NULL. */
const struct sample *profiles_of_object(const struct profiles *profiles, uint32_t object);
/* Returns the profile with an id, or PROFILE_NONE. */
uint32_t profiles_find(const struct profiles *profiles, uint64_t id);

/* Iterator over a stack, innermost call first. `struct stack_walk w = stack_walk(record)`. */
struct stack_frame {
	struct text function, file;
	uint64_t line;
};
struct stack_walk {
	struct cursor c;
	uint64_t left;
};
struct stack_walk stack_walk(const struct profile_record *record);
bool stack_walk_next(struct stack_walk *walk, struct stack_frame *frame);

/* Like stack_walk, but skips the innermost calls in the runtime, as pprof does; a stack with
   runtime calls only is not shortened. */
struct stack_walk stack_walk_outside(const struct profile_record *record);

/* Returns true for functions of package runtime, of internal/runtime, or of the runtime's C
   code. */
bool stack_frame_is_runtime(const struct stack_frame *frame);

/* Appends a text such as "main.f a.go:12", escaped, without the folders of the file. */
void stack_frame_add(const struct stack_frame *frame, struct buf *out);

/* Finds the allocation site: the innermost call outside the runtime, otherwise the innermost.
   Returns false if the stack is empty. */
bool profile_site(const struct profile_record *record, struct stack_frame *frame);
