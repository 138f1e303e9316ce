/* Why an object is alive, in sentences. */
#ifndef REPORT_WHY_H
#define REPORT_WHY_H

#include "analysis/co_holders.h"
#include "table/cell.h"

/* Holders that are alike, as one: goroutines with the same stack, objects of one type. */
struct why_holder {
	uint32_t node;                     /* the first of them */
	const struct root_node *root_node; /* that it is, or NULL */
	size_t count;
	uint64_t bytes; /* that each of them retains, added up */
};

/* What several hold together: the dominator that they begin at, and the one that they lead to. */
struct why_co_holders {
	size_t path_dominator;     /* number of the latter */
	struct why_holder *holder; /* objects, variables, goroutines, others; of each those that retain
	                              most first */
	size_t holders, count;     /* kinds, all of them */
	bool directly;             /* the first dominator points at the second, too */
	struct freed freed;        /* with all of them */
};

enum { WHY_CO_HOLDERS = 2 };

struct why {
	const struct analysis *analysis;
	uint32_t object;
	struct paths *paths;
	const struct path *path; /* the first; NULL: no root leads to the object */
	struct path_dominators path_dominators;
	/* Of these the nodes between what holds everything and the end, but for objects that are parts
	   of others, unless parts are shown; the first so many are root nodes. */
	uint32_t *gate;
	size_t gates, root_gates;
	/* The segments that several ways lead through: the one from the roots first, then the one
	   next to the object. */
	struct why_co_holders co_holders[WHY_CO_HOLDERS];
	size_t co_holders_count;
	uint32_t owner; /* the variable, goroutine ... that alone leads to it from the firmest roots
	                   that there are; OBJECT_NONE: there is none */
};

/* After STAGE_OWNED, where reachability is known. False: cancelled; why_fini in any case. */
bool why_init(struct why *why, const struct analysis *analysis, uint32_t object,
              struct progress *progress);
void why_fini(struct why *why);

/* The sentences, as paragraphs with a newline after each. */
void why_add_text(const struct why *why, struct buf *out);
/* "3,000 goroutines such as goroutine 17 main.watch" */
void why_add_holder(const struct why *why, const struct why_holder *holder, struct buf *out);

#endif
