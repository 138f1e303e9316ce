/* Names for classes of similar steps of paths: without indices, keys and addresses. */
#pragma once

#include "analysis/analysis.h"
#include "analysis/merge.h"
#include "base/index_io.h"

struct outside_spans;
struct step_classes;

struct step_classes *step_classes_new(const struct analysis *analysis);
void step_classes_free(struct step_classes *step_classes);
/* Writes the names to an index, or reads them. */
bool step_classes_index(struct step_classes *step_classes, const struct index_io *io);
/* Gives steps to elements that are in no slice of their array a name of their own, "[*] outside";
   the spans are borrowed while steps are labeled. */
void step_classes_split(struct step_classes *step_classes, const struct outside_spans *spans);
/* Returns the callbacks that label nodes for merge_paths. */
struct merge_labels step_classes_labels(struct step_classes *step_classes);
/* Returns the label of the step to an object from the field of another one at an offset, even if
   both are elements of one list. */
uint32_t step_classes_label(struct step_classes *step_classes, uint32_t from, uint64_t offset,
                            uint32_t to);
/* The label of an object that is reached by such a step. */
uint32_t step_classes_of(struct step_classes *step_classes, const char *step, uint32_t to);
/* Appends the step from an object to the field at an offset from its address; nothing if
   unknown. */
void step_classes_add_field(struct step_classes *step_classes, uint32_t from, uint64_t offset,
                            struct buf *out);
/* Returns the step of a label: "main.cache", "main.worker job", ".Next", "[*]", "[*] key"; empty if
   unknown. */
const char *step_classes_step(const struct step_classes *step_classes, uint32_t label);
/* Returns the type of the objects with a label: "main.Session", "map[string]int"; for objects
   without a type, the label that describes their contents. */
const char *step_classes_type(const struct step_classes *step_classes, uint32_t label);
