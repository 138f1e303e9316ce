/* Allocators of C other than glibc's, recognized by the names of mapped libraries and by symbols.
   Their memory is not read. */
#pragma once

#include "core_file.h"
#include "go/exe/image.h"

/* musl is the whole C library: with it, glibc's malloc is not there. */
#define CORE_ALLOCATOR_MUSL "musl"

/* Returns the name of the allocator that the process has loaded or that its program is linked with,
   "jemalloc"; NULL: none that is known. */
const char *core_allocator_find(const struct core_file *file, const struct image *image);
