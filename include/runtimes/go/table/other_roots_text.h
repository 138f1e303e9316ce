/* Texts about the kinds of other roots that reach an object. */
#ifndef RUNTIMES_GO_OTHER_ROOTS_TEXT_H
#define RUNTIMES_GO_OTHER_ROOTS_TEXT_H

#include "analysis/analysis.h"
#include "analysis/other_roots.h"

/* Without a root: that of the path that is shown. */
struct other_roots other_roots_without(const struct analysis *analysis,
                                       const struct other_roots *all, uint32_t root);
/* Appends "also reached through 3,024 goroutines, 1 timer", or "no other root leads to it". */
void other_roots_add(const struct analysis *analysis, const struct other_roots *others,
                     struct buf *out);

#endif
