/* The retained size of classes of objects, without counting a byte twice: only objects that no
   other object of their class dominates count. */
#pragma once

#include "analysis/analysis.h"
#include "analysis/dominators.h"
#include "base/index_io.h"

struct kept_kind;

struct retained_of_class {
	size_t count;    /* the number of classes */
	uint64_t *bytes; /* by class */
};

/* Computes the sums. `children` are those of the dominators; NULL: cancelled while these were
   found. class_of[object] is the class, 0 ... classes - 1, or UINT32_MAX. NULL: cancelled. */
struct retained_of_class *retained_of_class_new(const struct dominators *dominators,
                                                const struct dominator_children *children,
                                                const uint32_t *class_of, uint32_t classes,
                                                struct progress *progress);
void retained_of_class_free(void *retained);

/* Classes of all objects, that `of_objects` writes to an array by object. */
struct object_classes {
	size_t count;
	const void *self;
	void (*of_objects)(const void *self, const struct analysis *analysis, uint32_t *class_of);
};
/* Computes the sums of classes for a kind of dominator tree. NULL: cancelled, or there are no
   roots. */
struct retained_of_class *retained_of_classes(const struct object_classes *classes,
                                              const struct analysis *analysis, enum retain retain,
                                              struct progress *progress);
/* Stores the sums for the current kind of dominator tree (analysis_retained) in records: that of
   class i at (char *)first + i * size. `kept`: where they are computed once (analysis/kept.h);
   NULL: nowhere. False: cancelled, or there are no roots. */
bool retained_of_classes_store(const struct object_classes *classes,
                               const struct analysis *analysis, const struct kept_kind *kept,
                               struct progress *progress, uint64_t *first, size_t size);
/* Writes the sums to an index, until whose end they are borrowed, or reads them (analysis/kept.h).
 */
bool retained_of_class_index(void *retained, const struct index_io *io);

/* ---- The retained size of some pointers of a node: the bytes that would be freed if they were
   nil. If two of them reach the same objects, as the two maps of a sync.Map do, then no single
   object below dominates these. analysis/what_if.h computes the same with a search of the whole
   heap. */

/* Targets of pointers of a node, in any order; an object may occur twice. */
struct retained_words {
	const uint32_t *target;
	size_t count;
};

/* Returns the bytes that the pointers `words` of `node` retain, without the node itself. `node` is
   an object or the root node of a variable; `others` are all its other pointers. `met` has a bit
   for each object, all 0 before and after the call. Costs time in proportion to what the node
   dominates. */
uint64_t retained_by_words(const struct dominators *dominators, uint32_t node,
                           struct retained_words words, struct retained_words others,
                           uint64_t *met);
