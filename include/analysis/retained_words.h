/* The retained size of some pointers of a node: the bytes that would be freed if they were nil. If
   two of them reach the same objects, as the two maps of a sync.Map do, then no single object below
   dominates these. analysis/what_if.h computes the same with a search of the whole heap. */
#ifndef ANALYSIS_RETAINED_WORDS_H
#define ANALYSIS_RETAINED_WORDS_H

#include "analysis/dominators.h"

/* Targets of pointers of a node, in any order; an object may occur twice. */
struct retained_words {
	const uint32_t *target;
	size_t count;
};

/* Returns the bytes that the pointers `words` of `node` retain, without the node itself. `node` is
   an object or the root node of a variable; `others` are all its other pointers. Costs time in
   proportion to what the node dominates, and one bit for each object of the heap. */
uint64_t retained_by_words(const struct dominators *dominators, uint32_t node,
                           struct retained_words words, struct retained_words others);

#endif
