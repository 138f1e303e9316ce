/* Other Go runtimes in the same process: each library of Go (-buildmode=c-shared, c-archive) in a
   program has one of its own, with its own heap, and so has the program itself if it is written in
   Go. */
#pragma once

#include "core_runtime.h"

/* Returns a sentence that names the file of the runtime that is read and of those that are not;
   NULL: there is no other. The caller frees it. */
char *core_others(const struct core_runtime *rt);
