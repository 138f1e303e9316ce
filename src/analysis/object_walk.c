#include "analysis/object_walk.h"

#include "go/types/type_marks.h"

enum { STEP = 1 << 12 };

struct object_walk {
	const struct object_walker *const *walker;
	void **self; /* the states of the walkers */
	size_t count;
};

/* Returns the set of walkers that want objects of a type. */
static uint8_t object_walk_wants(void *self, gotype_id type)
{
	const struct object_walk *walk = self;
	uint8_t set = 0;
	for (size_t i = 0; i < walk->count; i++)
		set |= (uint8_t)(walk->walker[i]->wants(walk->self[i], type) << i);
	return set;
}

static void object_walk_see(const struct object_walk *walk, unsigned set,
                            struct walk_object *object)
{
	for (; set; set &= set - 1) {
		int i = __builtin_ctz(set);
		walk->walker[i]->see(walk->self[i], object);
	}
}

/* Returns false if cancelled. */
static bool object_walk_all(struct object_walk *walk, const struct analysis *analysis,
                            struct progress *progress)
{
	const struct reach *reach = analysis_reach(analysis);
	const struct typing *typing = analysis_typing(analysis);
	struct object_reader reader = {.heap = reach->heap};
	struct type_marks marks = {.mark = object_walk_wants, .self = walk};
	struct walk_object object = {.reader = &reader};
	uint32_t id, count = typing ? heap_object_count(reach->heap) : 0;
	progress_begin(progress, "looking at the contents of objects", count);
	for (id = 0; id < count && (id % STEP || progress_step(progress, id)); id++) {
		unsigned set = reach_has(reach, id) ? type_marks_of(&marks, typing_type(typing, id)) : 0;
		if (!set)
			continue;
		object.id = id;
		object.typed = typing_object(typing, id);
		object.tried = false;
		object_walk_see(walk, set, &object);
	}
	type_marks_fini(&marks);
	return id == count;
}

void object_walk(const struct analysis *analysis, const struct object_walker *const *walker,
                 size_t count, void **made, struct progress *progress)
{
	struct object_walk walk = {walker, made, 0};
	bool seen = true;
	while (seen && walk.count < count) {
		made[walk.count] = walker[walk.count]->begin(analysis, progress);
		seen = made[walk.count];
		walk.count += seen;
	}
	seen = seen && object_walk_all(&walk, analysis, progress);
	for (size_t i = 0; i < walk.count; i++)
		made[i] = walker[i]->end(made[i], seen, progress);
	for (size_t i = walk.count; i < count; i++)
		made[i] = NULL;
}
