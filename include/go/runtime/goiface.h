/* Interfaces: two words, an itab (with methods) or a type descriptor (without), and the value or a
   pointer to it (runtime/runtime2.go). */
#pragma once

#include "go/runtime/goruntime.h"

/* Returns the dynamic type of an interface by its first word; 0: nil or not known. Call it after
   goruntime_settle. */
gotype_id goiface_dynamic(const struct goruntime *rt, uint64_t word, bool has_methods);
/* Like goiface_dynamic, before goruntime_settle; may read new types. */
gotype_id goiface_find(const struct goruntime *rt, uint64_t word, bool has_methods);
/* Returns true if an interface stores a value of this type in its data word. */
bool goiface_is_direct(const struct gotypes *types, gotype_id type);
/* Returns true for a struct of the two words, in which sync.Pool stores an interface. */
bool goiface_is_taken_apart(const struct gotype *type);
