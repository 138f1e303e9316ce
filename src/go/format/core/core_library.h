/* Build ids of mapped files, and Go libraries (-buildmode=c-shared) in programs of other languages:
   the library is then the executable to read, and the program has only loaded it. */
#pragma once

#include "core_file.h"
#include "go/exe/exe.h"

/* Returns the Go build id of an executable; empty: none. */
struct text core_build_id_of(const struct exe *exe);
/* Returns the Go build id of a mapped file; empty: it has none, or it is not in the core file. */
struct text core_build_id(const struct core_file *file, const char *path);

/* Returns the first mapping of the library that an executable is: by build id, or by name if the
   core file lacks the id. `in_core` is the program's own path, to be skipped. Returns NULL if there
   is none. */
const struct core_mapping *core_library_of(const struct core_file *file, const char *in_core,
                                           const struct exe *exe);
/* Returns true if the first page of a library is in the core file and has the build id that the
   linker of C has written into an executable: the two are the same. *differs: it has another. */
bool core_library_is(const struct core_file *file, const struct core_mapping *library,
                     const struct exe *exe, bool *differs);
/* Returns the first mapping of the next Go library after `last`, or of the first one if that is
   NULL. Returns NULL at the end. */
const struct core_mapping *core_library_next(const struct core_file *file, const char *in_core,
                                             const struct core_mapping *last);
/* Returns the link-time address at which the first mapping of a library begins. */
uint64_t core_library_start(const struct exe *exe);

enum { CORE_LIBRARY_PATHS = 3 };
/* Lists paths where a library may be: beside the core file, below the root of its process, at its
   original path. The caller frees each. */
void core_library_paths(const struct core_file *file, const char *core_path, const char *library,
                        char *paths[CORE_LIBRARY_PATHS]);
