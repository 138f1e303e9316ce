/* Who owns the memory: the dominator tree as people ask for it.

   An owner is a global variable, all goroutines with one stack and one go statement, or all
   finalizers (other records, pools). What hangs immediately on the root of the tree is an owner
   itself or held by several of them, and goes only when all of these go. A shared set is what the
   same owners hold and nobody else: each reachable object is part of exactly one. */
#ifndef ANALYSIS_OWNERS_H
#define ANALYSIS_OWNERS_H

#include "analysis/dominators.h"
#include "analysis/groups.h"
#include "analysis/owner_sets.h"

struct owner {
	uint32_t root_node, root_nodes; /* the first of those that it is made of, and how many they are
	                                 */
	uint32_t shared_set;            /* what it holds alone */
	uint32_t unused;                /* 0, as it is written to an index */
	uint64_t shared; /* bytes of the other shared sets that it is an owner of; those of more
	                    than OWNERS_MOST owners count for none */
};

struct shared_set {
	uint32_t set;          /* of its owners */
	uint32_t first, nodes; /* owners->top[first ...]: the nodes that it is made of */
	uint32_t objects;      /* what they retain */
	uint64_t bytes;
};

struct owners {
	const struct dominators *dominators;
	struct owner *owner;
	uint32_t count;
	uint32_t *of_root_node;        /* the owner that a root node below a root class is part of, or
	                                  UINT32_MAX */
	struct shared_set *shared_set; /* most bytes first, then by their owners; each owner has one */
	uint32_t shared_sets;
	uint32_t *top; /* nodes immediately below the root, or below a root class */
	uint32_t tops;
	struct owner_sets sets;
};

/* NULL: cancelled. Borrows all. */
struct owners *owners_new(const struct dominators *dominators, const struct groups *groups,
                          struct progress *progress);
void owners_free(struct owners *owners);

/* Who they are, ascending; none: more than OWNERS_MOST. */
struct ids owners_of_shared_set(const struct owners *owners, uint32_t shared_set);
/* The same for a topmost node of the dominators; none for others. */
struct ids owners_of_top(const struct owners *owners, uint32_t node);
/* What goes when all owners of a shared set go: it, and all that a part of them holds. Not for one
   with too many owners. */
struct owned {
	uint64_t bytes;
	uint32_t objects;
};
struct owned owners_together(const struct owners *owners, uint32_t shared_set);

/* The same for classes of owners: what goes when all owners of a class go, and what they hold
   jointly with others. class_of[owner] is one of 0 ... classes - 1, or UINT32_MAX. Adds to
   sums[class]. */
struct owner_sum {
	uint64_t bytes, shared;
	uint32_t objects;
};
void owners_sum(const struct owners *owners, const uint32_t *class_of, struct owner_sum *sums);

/* Those of each way of counting, as analysis_owners has them. */
extern const struct kept_kind owners_kept;

#endif
