/* The owner of each object: the owners of the shared set (analysis/owners.h) that it belongs to.
   Four bytes an object, computed when it is first asked for. The column is in table/columns.h. */
#pragma once

#include "analysis/analysis.h"

/* Results of object_owner_sets for opened rows, NULL until a cell has asked: looked up once, not
   for each row. */
struct row_object_owners {
	const uint32_t *_Atomic sets[RETAIN_COUNT];
};

/* Returns the shared set of each object, UINT32_MAX for one without an owner. After STAGE_OWNED.
   NULL: the dump has no roots, or it was cancelled. */
const uint32_t *object_owner_sets(const struct analysis *analysis, struct progress *progress);
/* Appends the owners of a shared set: "main.cache", "main.cache and main.last", "main.a and 7
   more". */
void object_owner_add(const struct analysis *analysis, uint32_t set, struct buf *out);

/* Returns true if the name of an owner is that of a variable or of threads, or of a part of them:
   "main.cache", "main.cache.items[*]", "3,000 × goroutine main.serve"; not if it has another owner,
   too: "main.cache and main.last", "main.cache[*], shared with main.last". */
bool owner_name_is(const char *name, const char *wanted);
/* Adds the objects whose owner has a name to a set (bits). After STAGE_OWNED. False: cancelled, or
   there is no such owner: *err. */
bool object_owner_select(const struct analysis *analysis, const char *wanted,
                         struct progress *progress, uint64_t *set, struct err *err);
