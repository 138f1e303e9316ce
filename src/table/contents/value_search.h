/* The search for all values of a type, whose parts look in objects, in variables, and for arrays.
   Private to table/contents/value_*.c. */
#pragma once

#include "go/runtime/gostructure.h"
#include "table/contents/collections.h"
#include "table/contents/value_set.h"

struct value_search {
	const struct analysis *analysis;
	struct value_set *set;
	const struct gotypes *types;
	const struct goruntime *rt;
	bool *wanted;   /* by type */
	bool guess;     /* only in objects whose type is a guess */
	uint8_t *holds; /* by type: whether its values contain such values, if that is known yet */
	struct object_reader reader;
	struct collections found;
	struct map arrays; /* object -> its first window */
	/* Arrays that no slice of such elements covers, but one of arrays of them may. */
	uint32_t *loose;
	size_t loose_count, loose_capacity;
	struct progress *progress;
};

/* Returns true if a value of the type is or contains one that is searched for. */
bool value_type_holds(struct value_search *search, gotype_id id, int depth);
/* Adds the values of the requested types in `count` values at an address, of which `room` bytes are
   there. `index` is that of the first, UINT64_MAX: none. Types nest no deeper than their sizes
   allow. */
void value_visit_type(struct value_search *search, uint64_t address, gotype_id id, uint64_t count,
                      uint64_t room, uint64_t index, int depth);
/* Returns true for the type of an object, or of a value in a block, that is a guess where only
   guesses are searched for. */
bool value_is_asked(const struct value_search *search, enum type_known known);
enum gostructure_role value_role(const struct value_search *search, gotype_id type);
/* Reads the header of a map or channel. False: it is damaged. */
bool value_visit_header(struct value_search *search, const struct datum *header,
                        enum gostructure_role role, bool visit);

/* Adds those in global variables, and in the static values that these point to. */
void value_visit_variables(struct value_search *search);
/* Adds all values of an array that is an object. */
void value_visit_elements(struct value_search *search, uint32_t object);
/* Adds arrays that are objects, or parts of objects of more elements: those of which a pointer or a
   slice has the type; and those in loose arrays. After STAGE_REVERSED. */
void value_visit_arrays(struct value_search *search);
