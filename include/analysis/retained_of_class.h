/* What the objects of a class retain together, no byte twice: only those count that no other object
   of their class dominates. */
#ifndef ANALYSIS_RETAINED_OF_CLASS_H
#define ANALYSIS_RETAINED_OF_CLASS_H

#include "analysis/dominators.h"
#include "base/index_file.h"

struct retained_of_class {
	size_t count;     /* of classes */
	uint64_t bytes[]; /* by class */
};

/* class_of[object] is one of 0 ... classes - 1, or UINT32_MAX. NULL: cancelled; free() it. */
struct retained_of_class *retained_of_class_new(const struct dominators *dominators,
                                                const uint32_t *class_of, uint32_t classes,
                                                struct progress *progress);
/* In an index: borrowed until that is written. NULL: it is not there. */
void retained_of_class_save(const struct retained_of_class *retained, const char *section,
                            struct index_writer *writer);
struct retained_of_class *retained_of_class_load(struct index_file *file, const char *section);

#endif
