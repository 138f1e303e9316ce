/* What steps of paths are called when those that are alike are one: without indices, keys and
   addresses. */
#ifndef TABLE_ALIKE_H
#define TABLE_ALIKE_H

#include "analysis/analysis.h"
#include "analysis/merge.h"

struct alike;

struct alike *alike_new(const struct analysis *analysis);
void alike_free(struct alike *alike);
/* The labels of merge_paths. */
struct merge_labels alike_labels(struct alike *alike);
/* "main.cache", "main.worker job", ".Next  main.Session", "[]  main.Session" */
const char *alike_name(const struct alike *alike, uint32_t label);

#endif
