/* Owners of the memory, computed from the dominator tree.

   An owner is a global variable, all threads with the same stack and go statement, or all
   finalizers (other records, pools). A node immediately below the root of the tree is an owner, or
   several owners share it and it goes only when all of them go. A shared set is what exactly the
   same owners reach: each reachable object belongs to exactly one. */
#pragma once

#include "analysis/dominators.h"
#include "analysis/groups.h"
#include "analysis/owner_sets.h"

struct owner {
	uint32_t root_node, root_nodes; /* the first of its root nodes, and their number */
	uint32_t shared_set;            /* the set that it owns alone */
	uint32_t unused;                /* 0, because it is written to an index */
	/* bytes of the other shared sets that it is an owner of; those of more than OWNERS_MOST
	   owners count for none */
	uint64_t shared;
};

struct shared_set {
	uint32_t set;          /* the number of the set of its owners */
	uint32_t first, nodes; /* owners->top[first ...]: its topmost nodes */
	uint32_t objects;      /* objects that these retain */
	uint64_t bytes;
};

struct owners {
	const struct dominators *dominators;
	struct owner *owner;
	uint32_t count;
	uint32_t *of_root_node;        /* by root node below a root class: its owner, or UINT32_MAX */
	struct shared_set *shared_set; /* most bytes first, then by owners; each owner has one */
	uint32_t shared_sets;
	uint32_t *top; /* nodes immediately below the root or a root class */
	uint32_t tops;
	struct owner_sets sets;
};

/* Computes the owners. NULL: cancelled. Borrows its arguments. */
struct owners *owners_new(const struct dominators *dominators, const struct groups *groups,
                          struct progress *progress);
void owners_free(struct owners *owners);

/* Returns the owners of a shared set, ascending; empty: more than OWNERS_MOST. */
struct ids owners_of_shared_set(const struct owners *owners, uint32_t shared_set);
/* Returns the owners of a topmost node of the dominator tree; empty for other nodes. */
struct ids owners_of_top(const struct owners *owners, uint32_t node);
/* Computes what becomes unreachable when all owners of a shared set go: the set itself, and all
   sets whose owners are a subset. Not for a set with too many owners. */
struct owned {
	uint64_t bytes;
	uint32_t objects;
};
struct owned owners_together(const struct owners *owners, uint32_t shared_set);

/* Adds to sums[class], for classes of owners, what becomes unreachable when all owners of a class
   go, and the bytes that they share with others. class_of[owner] is the class, 0 ... classes - 1,
   or UINT32_MAX. */
struct owner_sum {
	uint64_t bytes, shared;
	uint32_t objects;
};
void owners_sum(const struct owners *owners, const uint32_t *class_of, struct owner_sum *sums);

/* The cached owners, one for each kind of dominator tree (analysis_owners). */
extern const struct kept_kind owners_kept;
