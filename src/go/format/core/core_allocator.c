#include "core_allocator.h"

#include <string.h>

/* The names of libraries begin with a text, the paths of those of musl contain it. */
static const struct core_allocator {
	const char *name, *library, *path;
	const char *symbols[4]; /* of a program that is linked with it */
} core_allocators[] = {
	{"jemalloc", "libjemalloc", "", {"mallctl", "je_mallctl", "_rjem_mallctl"}},
	{"tcmalloc", "libtcmalloc", "", {"tc_malloc", "TCMallocInternalMalloc"}},
	{"mimalloc", "libmimalloc", "", {"mi_malloc"}},
	{CORE_ALLOCATOR_MUSL, "libc", "musl", {"__libc_malloc_impl", "__expand_heap"}},
	{CORE_ALLOCATOR_MUSL, "ld-musl-", "", {NULL}},
};
enum { CORE_ALLOCATORS = sizeof core_allocators / sizeof *core_allocators };

static bool core_allocator_is_library(const struct core_allocator *allocator, const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	return strncmp(base, allocator->library, strlen(allocator->library)) == 0 && strstr(base, ".so")
	       && strstr(path, allocator->path);
}

static bool core_allocator_is_linked(const struct core_allocator *allocator,
                                     const struct image *image)
{
	uint64_t address;
	for (size_t i = 0; i < 4 && allocator->symbols[i]; i++)
		if (image_symbol_named(image, allocator->symbols[i], &address))
			return true;
	return false;
}

const char *core_allocator_find(const struct core_file *file, const struct image *image)
{
	for (size_t i = 0; i < CORE_ALLOCATORS; i++) {
		const struct core_allocator *allocator = &core_allocators[i];
		for (size_t k = 0; k < file->mappings; k++)
			if (core_allocator_is_library(allocator, file->mapping[k].path))
				return allocator->name;
		if (core_allocator_is_linked(allocator, image))
			return allocator->name;
	}
	return NULL;
}
