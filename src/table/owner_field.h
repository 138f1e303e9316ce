/* In which field of what is above it an object hangs, as a number: to tell those of one type
   apart. */
#ifndef TABLE_OWNER_FIELD_H
#define TABLE_OWNER_FIELD_H

#include "base/map.h"
#include "table/owner_tree.h"
#include "table/path_steps.h"
#include "table/step_class.h"

struct owner_fields {
	const struct owner_tree *e;
	uint32_t above;
	struct step_classes *step_classes; /* NULL: no types are known, nor fields */
	struct map fields;                 /* object -> field that the one before it has it in */
	struct path_arrays arrays;
	struct map walked; /* objects whose pointers have been gone through */
};

/* Of those that `above`, a node, dominates. */
void owner_fields_init(struct owner_fields *fields, const struct owner_tree *e, uint32_t above);
void owner_fields_fini(struct owner_fields *fields);
/* Equal for fields of one name, elements and entries being such; 0: its path leads there from
   elsewhere, or by other objects. */
uint64_t owner_field(struct owner_fields *fields, uint32_t node);

#endif
