/* Objects allocated at one place with one size have one type: copies known types within a
   profile. */
#include "types/propagate.h"

/* Returns an object of the profile whose type and size all typed objects of it share, or
   OBJECT_NONE. */
static uint32_t model_of(const struct typing *t, uint32_t profile)
{
	const struct profiles *p = &t->heap->profiles;
	uint32_t model = OBJECT_NONE;
	for (uint32_t i = p->first[profile]; i < p->first[profile + 1]; i++) {
		uint32_t id = p->sample[p->by_profile[i]].object;
		if (id == OBJECT_NONE || !t->object[id].type
		    || told_source(t->object[id].told) == SOURCE_BLOCK)
			continue;
		if (model != OBJECT_NONE
		    && (t->object[id].type != t->object[model].type
		        || heap_size(t->heap, id) != heap_size(t->heap, model)))
			return OBJECT_NONE;
		model = id;
	}
	return model;
}

void close_profiles(struct typing *t)
{
	const struct profiles *p = &t->heap->profiles;
	for (uint32_t profile = 0; profile < p->count; profile++) {
		uint32_t model = model_of(t, profile);
		for (uint32_t i = p->first[profile]; model != OBJECT_NONE && i < p->first[profile + 1];
		     i++) {
			uint32_t id = p->sample[p->by_profile[i]].object;
			if (id == OBJECT_NONE || t->object[id].type
			    || heap_size(t->heap, id) != heap_size(t->heap, model))
				continue;
			propagate_add_as(
				t,
				(struct type_claim){heap_address(t->heap, id), t->object[model].type,
			                        t->object[model].count, SOURCE_PROFILE,
			                        t->object[model].told & TOLD_TEXT ? TYPE_CLAIM_TEXT : 0},
				t->object[model].told);
		}
	}
}
