/* Where objects were allocated, as the runtime's memory profiler has recorded it: profiles are
   stacks with their counts, samples are the objects that it happened to look at. */
#ifndef HEAP_PROFILE_H
#define HEAP_PROFILE_H

#include "base/cursor.h"
#include "format/record.h"
#include "heap/objects.h"

#define PROFILE_NONE UINT32_MAX

struct sample {
	struct sample_record record;
	uint32_t object, profile; /* OBJECT_NONE, PROFILE_NONE: not in the dump */
};

/* How much was allocated between two samples on average: runtime.MemProfileRate. */
enum profile_rate_from {
	PROFILE_RATE_DEFAULT,  /* Go's; what was sampled does not speak against it */
	PROFILE_RATE_READ,     /* from the process */
	PROFILE_RATE_ESTIMATED /* from how many of the objects are samples */
};

struct profiles {
	uint64_t rate; /* 0 and 1: everything was sampled */
	enum profile_rate_from rate_from;
	struct profile_record *profile;
	uint32_t count; /* in the order of the file */
	struct sample *sample;
	uint32_t sample_count; /* likewise */
	/* Indices in `sample`, by object and by profile; those of none come last. */
	uint32_t *by_object, *by_profile;
	uint32_t *first; /* of profile p: by_profile[first[p]] ... by_profile[first[p + 1] - 1] */
};

/* Frees what profiles_build() has made; the records are the heap's. */
void profiles_fini(struct profiles *profiles);

/* Looks everything up, once the objects are built. */
void profiles_build(struct profiles *profiles, const struct objects *objects);

/* Sets the rate, after profiles_build(). `complete`: no samples are missing. */
void profiles_find_rate(struct profiles *profiles, const struct params_record *params,
                        const struct objects *objects, bool complete);

struct profile_amount {
	uint64_t count, bytes;
};
/* What `count` sampled allocations of a profile stand for, as runtime/pprof scales them. */
struct profile_amount profile_scaled(const struct profiles *profiles,
                                     const struct profile_record *record, uint64_t count);
/* How many sampled allocations are not freed. */
uint64_t profile_live(const struct profile_record *record);
/* Appends "scaled by MemProfileRate 524,288 (Go's default)". */
void profile_rate_add(const struct profiles *profiles, struct buf *out);

/* The sample of an object, NULL when there is none. */
const struct sample *profiles_of_object(const struct profiles *profiles, uint32_t object);
/* The profile with an id; PROFILE_NONE. */
uint32_t profiles_find(const struct profiles *profiles, uint64_t id);

/* A stack, innermost call first. `struct stack_walk w = stack_walk(record)`. */
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

/* The same without the innermost calls that are the runtime's, as pprof shows it; a stack of these
   alone is whole. */
struct stack_walk stack_walk_outside(const struct profile_record *record);

/* Is it of package runtime, of one in internal/runtime, or of the part of it that was C? */
bool stack_frame_is_runtime(const struct stack_frame *frame);

/* Appends "main.f a.go:12", made visible, the file without its folders. */
void stack_frame_add(const struct stack_frame *frame, struct buf *out);

/* The call that allocates: the innermost one outside of package runtime, else the innermost. False:
   the stack is empty. */
bool profile_site(const struct profile_record *record, struct stack_frame *frame);

#endif
