/* One walk over the reachable objects for several results (a shared scan): each object's type is
   looked up once, and its record is decoded once, if a result needs it. */
#pragma once

#include "analysis/analysis.h"

struct walk_object {
	uint32_t id;
	struct typed typed;
	struct object_reader *reader;
	struct object_record record; /* see walk_object_read */
	bool tried, whole;
};

/* Decodes the record unless another result has done so. False: the file lacks a part of it. */
static inline bool walk_object_read(struct walk_object *object)
{
	if (!object->tried)
		object->whole = object_reader_read(object->reader, object->id, &object->record)
		                && object->record.stored >= object->record.header;
	object->tried = true;
	return object->whole;
}

/* A result that is made of what objects contain. */
struct object_walker {
	/* Returns the state of a search. NULL: cancelled. */
	void *(*begin)(const struct analysis *analysis, struct progress *progress);
	/* Returns true if objects of a type are to be seen, 0: those without one. */
	bool (*wants)(void *self, gotype_id type);
	/* Looks at such an object; they come in ascending order. */
	void (*see)(void *self, struct walk_object *object);
	/* Frees the state and returns the result; NULL: cancelled, which `seen` says already if it is
	   false. */
	void *(*end)(void *self, bool seen, struct progress *progress);
};

/* Stores the results of the walkers, at most WALKERS. Without types no object is seen. After
   STAGE_TYPED and STAGE_REACHED. `progress` may be NULL. */
enum { WALKERS = 7 };
void object_walk(const struct analysis *analysis, const struct object_walker *const *walker,
                 size_t count, void **made, struct progress *progress);
