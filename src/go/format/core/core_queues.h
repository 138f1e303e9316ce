/* The queues of finalizers and cleanups (runtime/mfinal.go: finBlock, mcleanup.go: cleanupBlock) of
   a program without symbols. Both are lists of blocks outside of the heap. */
#pragma once

#include "core_runtime.h"

enum {
	FINBLOCK_COUNT = 16, /* offsets in a finBlock; the link of the list of all comes first */
	FINBLOCK_FIRST = 24, /* the finalizers */
	FINALIZER_ARG = 8,   /* offsets in a finalizer; the function comes first */
	FINALIZER_NRET = 16,
	FINALIZER_FINT = 24,
	FINALIZER_OT = 32,
	FINALIZER_SIZEOF = 40,
	FINBLOCK_MOST = 101, /* number of finalizers in a block */

	CLEANUPBLOCK_WORDS = 60, /* words of all cleanups of a block */
	MOST_BLOCKS = 1 << 20
};

/* Returns the words of a cleanup: a closure up to Go 1.25, then runtime.cleanupFn (call, function,
   argument). */
unsigned core_cleanup_words(const struct core_runtime *rt);

/* Return the first block of the list of all by the content of the blocks; 0: not found. No cleanup
   block is found while nothing is queued. */
uint64_t core_search_finalizers(struct core_runtime *rt);
uint64_t core_search_cleanups(struct core_runtime *rt);
