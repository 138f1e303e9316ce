/* What variables of Go's runtime hold, in the words of who writes Go. */
#ifndef TABLE_RUNTIME_VARIABLES_H
#define TABLE_RUNTIME_VARIABLES_H

#include "base/buf.h"

/* Puts ": timers and caches" behind "runtime.allp" where that is what is there from `from` on, also
   with ", also held by ..." behind it. */
void runtime_variable_add(struct buf *out, size_t from);
/* Takes that away again: to go on with a step behind the name. */
void runtime_variable_leave(struct buf *out);

#endif
