/* What some words of a node retain: what would be freed if these were nil. Where two of them lead
   to the same objects, as the two maps of a sync.Map do, neither retains it, and the node retains
   more. */
#ifndef ANALYSIS_RETAINED_WORDS_H
#define ANALYSIS_RETAINED_WORDS_H

#include "analysis/dominators.h"

/* The objects that words of a node lead to, each as often as it likes. */
struct retained_words {
	const uint32_t *target;
	size_t count;
};

/* `words` are those in question, `others` all others that the node has; it is an object, a
   variable, or the root of all, whose words are all roots. Looks at what the node dominates, and at
   nothing else: takes time in proportion to that, and a bit an object. Bytes, without those of the
   node. */
uint64_t retained_by_words(const struct dominators *dominators, uint32_t node,
                           struct retained_words words, struct retained_words others);

#endif
