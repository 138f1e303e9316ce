/* What steps of paths are called when those that are alike are one: without indices, keys and
   addresses. */
#ifndef TABLE_STEP_CLASS_H
#define TABLE_STEP_CLASS_H

#include "analysis/analysis.h"
#include "analysis/merge.h"
#include "base/index_file.h"

struct step_classes;

struct step_classes *step_classes_new(const struct analysis *analysis);
void step_classes_free(struct step_classes *step_classes);
/* The names in an index, as that section. NULL: it is not there. */
void step_classes_save(const struct step_classes *step_classes, const char *section,
                       struct index_writer *writer);
struct step_classes *step_classes_load(const struct analysis *analysis, const char *section,
                                       struct index_file *file);
/* The labels of merge_paths. */
struct merge_labels step_classes_labels(struct step_classes *step_classes);
/* The label of an object that is reached in a way that is called so. */
uint32_t step_classes_of(struct step_classes *step_classes, const char *step, uint32_t to);
/* Appends what a program writes behind an object to come to the field at an offset from its
   address; nothing where that is not known. */
void step_classes_add_field(const struct step_classes *step_classes, uint32_t from, uint64_t offset,
                            struct buf *out);
/* What a program writes to come there: "main.cache", "main.worker job", ".Next", "[*]", "[*] key";
   empty where it is not known. */
const char *step_classes_step(const struct step_classes *step_classes, uint32_t label);
/* The type of what is there: "main.Session", "map[string]int"; without one what it looks like. */
const char *step_classes_type(const struct step_classes *step_classes, uint32_t label);

#endif
