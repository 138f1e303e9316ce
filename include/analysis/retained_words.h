/* The retained size of some pointers of a node: the bytes that would be freed if these were nil.
   Where two of them lead to the same objects, as the two maps of a sync.Map do, no object below
   dominates these, and the node itself may retain more. analysis/what_if.h finds the same by a
   search of the whole heap. */
#ifndef ANALYSIS_RETAINED_WORDS_H
#define ANALYSIS_RETAINED_WORDS_H

#include "analysis/dominators.h"

/* Objects that pointers of a node point to, in any order; an object may stand there twice. */
struct retained_words {
	const uint32_t *target;
	size_t count;
};

/* `node` is an object or the root node of a variable, `words` the pointers in question, `others`
   all its other pointers. Returns bytes, without those of the node. Takes time in proportion to
   what the node dominates, and one bit of memory for each object of the heap. */
uint64_t retained_by_words(const struct dominators *dominators, uint32_t node,
                           struct retained_words words, struct retained_words others);

#endif
