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

struct profiles {
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

/* Is it of package runtime, or of the part of it that was C? */
bool stack_frame_is_runtime(const struct stack_frame *frame);

/* Appends "main.f a.go:12", made visible, the file without its folders. */
void stack_frame_add(const struct stack_frame *frame, struct buf *out);

/* The call that allocates: the innermost one outside of package runtime, else the innermost. False:
   the stack is empty. */
bool profile_site(const struct profile_record *record, struct stack_frame *frame);

#endif
