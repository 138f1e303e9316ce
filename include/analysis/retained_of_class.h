/* The retained size of classes of objects, without counting a byte twice: only objects that no
   other object of their class dominates count. */
#ifndef ANALYSIS_RETAINED_OF_CLASS_H
#define ANALYSIS_RETAINED_OF_CLASS_H

#include "analysis/dominators.h"
#include "base/index_file.h"

struct retained_of_class {
	size_t count;     /* the number of classes */
	uint64_t bytes[]; /* by class */
};

/* Computes the sums. class_of[object] is the class, 0 ... classes - 1, or UINT32_MAX. NULL:
   cancelled. The caller frees the result. */
struct retained_of_class *retained_of_class_new(const struct dominators *dominators,
                                                const uint32_t *class_of, uint32_t classes,
                                                struct progress *progress);
/* Save to and load from an index; saved columns are borrowed until the index is written. NULL: the
   index does not have them. */
void retained_of_class_save(const struct retained_of_class *retained, const char *section,
                            struct index_writer *writer);
struct retained_of_class *retained_of_class_load(struct index_file *file, const char *section);

#endif
