/* What steps of paths are called when those that are alike are one: without indices, keys and
   addresses. */
#ifndef TABLE_STEP_CLASS_H
#define TABLE_STEP_CLASS_H

#include "analysis/analysis.h"
#include "analysis/merge.h"

struct step_classes;

struct step_classes *step_classes_new(const struct analysis *analysis);
void step_classes_free(struct step_classes *step_classes);
/* The labels of merge_paths. */
struct merge_labels step_classes_labels(struct step_classes *step_classes);
/* "main.cache", "main.worker job", ".Next  main.Session", "[]  main.Session" */
const char *step_classes_name(const struct step_classes *step_classes, uint32_t label);

#endif
