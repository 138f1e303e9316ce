/* A number for the field through which the parent row references an object. It separates objects
   of one type in different fields. */
#pragma once

#include "base/map.h"
#include "table/naming/step_class.h"
#include "table/owners/owner_tree.h"
#include "table/paths/path_steps.h"

struct owner_fields {
	const struct owner_tree *e;
	uint32_t above;
	struct step_classes *step_classes; /* NULL: no types are known, nor fields */
	uint64_t *fields; /* by object: field of its predecessor on the path; 0: not known yet */
	struct path_arrays arrays;
	uint64_t *nodes;   /* bits by node: those that are asked for */
	struct map walked; /* objects whose pointers have been scanned */
};

/* Initializes for nodes that the node `above` dominates; owner_fields_expect tells which, before
   the first owner_field. */
void owner_fields_init(struct owner_fields *fields, const struct owner_tree *e, uint32_t above);
void owner_fields_expect(struct owner_fields *fields, struct ids nodes);
void owner_fields_fini(struct owner_fields *fields);
/* Returns a number for the field of a node; elements and entries of one name are equal. 0: its path
   comes from elsewhere, or through other objects. */
uint64_t owner_field(struct owner_fields *fields, uint32_t node);
