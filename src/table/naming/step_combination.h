/* What determines the name of a step: steps alike in all of it share their name. */
#pragma once

#include "go/exe/gotypes.h"

#define ANY_INDEX UINT64_MAX /* the place of elements, whatever their index */

/* The inputs that determine the name of a step. */
struct combination {
	gotype_id from, to;
	bool from_many, to_many, to_guess, text, boxed;
	bool outside;             /* the element is in no slice of its array */
	uint64_t offset;          /* within an element */
	uint32_t untyped;         /* label of an object without a type (go/types/label.h) */
	uint32_t told_from, told; /* of a log with types: 1 + type number; 0: none */
	uint64_t place; /* PART_NAMES: the place of the reference + 1, or ANY_INDEX; 0: none */
	uint32_t label;
};

/* Returns true if two steps have one name; `label` does not count. */
bool step_combination_is_equal(const struct combination *a, const struct combination *b);
/* Returns a hash of all that is compared. */
uint64_t step_combination_hash(const struct combination *c);
