/* The plugins and shared libraries of Go that a program has loaded, besides its executable. Private
   to src/go/types. */
#pragma once

#include "go/types/names.h"

struct format_executable;

/* Adds those that were read with the executable, whose names are opened. */
void names_modules_open(struct exe *exe, const struct format_executable *read);
/* Opens the library with Go's runtime that a program is linked with: where its runpath says, or
   beside the program or the dump, whose it must be. Returns NULL if it is not there. */
struct exe *names_modules_runtime(const struct exe *program, const struct heap *heap);
/* Heap dumps do not say which there are: adds those of `program`, if it is linked with the runtime
   as a library (or NULL), and of the files *.so beside the dump and the executable that have the
   functions and types which the executable lacks. Completes names->fit. */
void names_modules_find(struct names *names, const struct heap *heap, const char *program);
/* Appends what has no name, and why, as the end of a sentence; nothing if there is none. */
void names_modules_explain(const struct names *names, struct buf *out);
