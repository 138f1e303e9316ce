/* Cleanups of runtime.AddCleanup (Go 1.24, runtime/mcleanup.go); only core files record them. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct heap;

/* One reference of a cleanup: until the cleanup has run it keeps `target` alive, not `object`. */
struct cleanup {
	uint32_t object, target;
	uint32_t first; /* index in heap->otherroots of the cleanup's first record */
};
struct cleanups {
	struct cleanup *item; /* sorted by object; the caller frees it */
	size_t count;
};

/* Returns the cleanups that are not queued yet and whose references point to objects. */
struct cleanups cleanups_find(const struct heap *heap);
/* Returns the n-th reference of the cleanups of an object; NULL: there are fewer. */
const struct cleanup *cleanups_of(const struct cleanups *cleanups, uint32_t object, size_t n);
