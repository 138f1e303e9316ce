/* An explanation why an object is alive, in sentences. */
#pragma once

#include "analysis/path_dominators.h"
#include "table/cell.h"

/* Similar holders folded into one: threads with the same stack, objects of one type. */
struct why_holder {
	uint32_t node;                     /* the first of the holders */
	const struct root_node *root_node; /* its root node; NULL: an object */
	unsigned rank;                     /* 0: an object; then by class of root */
	size_t count;
	uint64_t bytes; /* the sum of what each of them retains */
};

/* Nodes that retain something together: the segment between two dominators of the path. */
struct why_co_holders {
	size_t path_dominator; /* index of the dominator at the end of the segment */
	/* objects, then by class of root; within each, those that retain most first */
	struct why_holder *holder;
	size_t holders, count; /* number of kinds; number of nodes */
	bool directly;         /* the first dominator also references the second */
	struct freed freed;    /* together with all of them */
};

enum { WHY_CO_HOLDERS = 2 };

struct why {
	const struct analysis *analysis;
	uint32_t object;
	char *many; /* a sentence about the objects that it stands for; empty: for itself */
	struct paths *paths;
	const struct path *path; /* the first path; NULL: unreachable */
	struct path_dominators path_dominators;
	/* The path_dominators between the root of the tree and the end, without objects that are parts
	   of others (unless parts are shown). */
	struct path_dominator *gate;
	size_t gates;
	/* The segments with alternatives: the one from the roots first, then the one next to the
	   object. */
	struct why_co_holders co_holders[WHY_CO_HOLDERS];
	size_t co_holders_count;
	/* Among the paths from the strongest class of roots; OBJECT_NONE: none. The class, the
	   variable, thread ... on all of them, and the nearest dominator, like a gate. */
	uint32_t class, owner;
	struct path_dominator nearest;
};

/* Computes the explanation, after STAGE_OWNED, of a dump with roots. `many` stays as it is; it is
   NULL or allocated, and freed by why_fini. False: cancelled. Call why_fini in either case. */
bool why_init(struct why *why, const struct analysis *analysis, uint32_t object,
              struct progress *progress);
void why_fini(struct why *why);
/* Returns how many root nodes (variables, threads, finalizers ...) lead to an object that no single
   one keeps alive; 0: unknown, or one does. */
size_t why_roots(const struct why *why);

/* Appends the sentences as paragraphs, with a newline after each. */
void why_add_text(const struct why *why, struct buf *out);
/* Appends the name of a gate, or of `nearest`: of an object, its place on the shortest path where
   steps have names. */
void why_add_gate(const struct why *why, const struct path_dominator *gate, struct buf *out);
/* Appends how many owners there are of a kind, and the name of one: "3,000 ... such as ...". */
void why_add_holder(const struct why *why, const struct why_holder *holder, struct buf *out);
