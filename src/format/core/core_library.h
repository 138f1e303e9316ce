/* Build ids of what is mapped, and Go libraries (-buildmode=c-shared) in programs of other
   languages: then the library is the executable that is read, and the program has only loaded it.
 */
#ifndef FORMAT_CORE_LIBRARY_H
#define FORMAT_CORE_LIBRARY_H

#include "core_file.h"
#include "exe/exe.h"

/* The Go linker's build id of an executable; empty: it has none. */
struct text core_build_id_of(const struct exe *exe);
/* The same of the mapped file of that path; empty: it has none, or it is not in the core file. */
struct text core_build_id(const struct core_file *file, const char *path);

/* The first mapping of the library that an executable is, by its build id, or by its name where the
   core file lacks the id. `in_core` is the program's path, which is no library. NULL: it is none.
 */
const struct core_mapping *core_library_of(const struct core_file *file, const char *in_core,
                                           const struct exe *exe);
/* The first mapping of the Go library that follows the one of `last`; NULL: the first, or none. */
const struct core_mapping *core_library_next(const struct core_file *file, const char *in_core,
                                             const struct core_mapping *last);
/* The address in a library that its first mapping has. */
uint64_t core_library_start(const struct exe *exe);

enum { CORE_LIBRARY_PATHS = 3 };
/* Where a library may be: beside the core file, below the root of its process, where it was. The
   caller frees each. */
void core_library_paths(const struct core_file *file, const char *core_path, const char *library,
                        char *paths[CORE_LIBRARY_PATHS]);

#endif
