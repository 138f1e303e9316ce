/* Interfaces: two words, the first of which is an itab where the interface has methods and a type
   descriptor where it has none, the second the value or a pointer to it (runtime/runtime2.go). */
#ifndef GORUNTIME_GOIFACE_H
#define GORUNTIME_GOIFACE_H

#include "goruntime/goruntime.h"

/* The dynamic type of an interface by its first word; 0: nil or not known. Once settled. */
gotype_id goiface_dynamic(const struct goruntime *rt, uint64_t word, bool has_methods);
/* The same before, which may read new types. */
gotype_id goiface_find(const struct goruntime *rt, uint64_t word, bool has_methods);
/* Is a value of this type, put into an interface, the data word itself? */
bool goiface_is_direct(const struct gotypes *types, gotype_id type);
/* Is it a struct of the two words, as sync.Pool keeps what is put into it? */
bool goiface_is_taken_apart(const struct gotype *type);

#endif
