/* A search over the objects that a node dominates. The dominator of an object also dominates its
   referrers, so an object is in this set if its dominator is the node or was found before. */
#include "analysis/retained_words.h"

#include "base/bits.h"
#include "base/mem.h"

#include <stdlib.h>

struct retained_words_search {
	const struct dominators *dominators;
	const struct heap *heap;
	uint32_t node;
	uint64_t *met; /* bits by object */
	uint32_t *queue;
	size_t count, capacity;
};

static void retained_words_meet(struct retained_words_search *s, uint32_t object)
{
	uint32_t above = dominators_above(s->dominators, object);
	bool within = above == s->node
	              || (above < heap_object_count(s->heap) && word_bit_is_set(s->met, above));
	if (within && object != s->node && word_bit_add(s->met, object))
		MEM_PUSH(s->queue, s->count, s->capacity, object);
}

/* Finds all objects that the words reach. Returns the bytes of those not found before. */
static uint64_t retained_words_follow(struct retained_words_search *s, struct retained_words words)
{
	uint64_t bytes = 0;
	s->count = 0;
	for (size_t i = 0; i < words.count; i++)
		retained_words_meet(s, words.target[i]);
	for (size_t at = 0; at < s->count; at++) {
		struct ids to = heap_references(s->heap, s->queue[at]);
		bytes += heap_size(s->heap, s->queue[at]);
		for (size_t i = 0; i < to.count; i++)
			retained_words_meet(s, to.id[i]);
	}
	return bytes;
}

uint64_t retained_by_words(const struct dominators *dominators, uint32_t node,
                           struct retained_words words, struct retained_words others)
{
	const struct heap *heap = dominators->root_nodes->heap;
	size_t size = heap_object_count(heap) / 8 + 8ULL;
	struct retained_words_search s = {
		.dominators = dominators, .heap = heap, .node = node, .met = mem_column(size)};
	retained_words_follow(&s, others);
	uint64_t bytes = retained_words_follow(&s, words);
	mem_column_free(s.met, size);
	free(s.queue);
	return bytes;
}
