/* Retained size of a sync.Map. Its two maps share their entries, so no single object dominates
   these. */
#include "collections.h"

#include "analysis/retained_of_class.h"
#include "analysis/what_if.h"

#include "base/mem.h"
#include "heap/heap.h"
#include "heap/pointer_walk.h"
#include "heap/root.h"

#include <stdlib.h>

enum { SEARCHED_MOST = 1 << 26 }; /* limit on objects visited by searches of the whole heap */

struct collection_words {
	uint32_t *target;
	size_t count, capacity;
};

static void collection_add_word(struct collection_words *words, uint32_t target)
{
	MEM_PUSH(words->target, words->count, words->capacity, target);
}

/* Collects the pointers of the object that contains the map: words[1] are the map's, words[0] all
   others. Returns the object's node. */
static uint32_t collection_words_of_object(const struct heap *heap, const struct collection *item,
                                           uint64_t size, struct collection_words words[2])
{
	struct object_record record;
	struct pointer_walk walk;
	struct pointer pointer;
	uint64_t start = item->address - heap_address(heap, item->object);
	if (!heap_object(heap, item->object, &record))
		return OBJECT_NONE;
	pointer_walk_object(&walk, heap, &record);
	while (pointer_walk_next(&walk, &pointer))
		if (pointer.target != OBJECT_NONE)
			collection_add_word(&words[pointer.offset - start < size], pointer.target);
	return item->object;
}

static bool collection_has_root(const struct collection *item, uint64_t size,
                                const struct root *root)
{
	return root->kind <= ROOT_BSS && root->address - item->address < size;
}

/* Like collection_words_of_object for a variable. OBJECT_NONE: the map's words belong to several
   root nodes, as in a variable without a name. */
static uint32_t collection_words_of_variable(const struct root_nodes *root_nodes,
                                             const struct collection *item, uint64_t size,
                                             struct collection_words words[2])
{
	const struct heap *heap = root_nodes->heap;
	uint32_t root_node = root_nodes->of_root[item->root];
	for (uint32_t r = 0; r < heap->root_kind_first[ROOT_BSS + 1]; r++) {
		bool own = collection_has_root(item, size, &heap->roots[r]);
		if (own && root_nodes->of_root[r] != root_node)
			return OBJECT_NONE;
		if (root_nodes->of_root[r] == root_node)
			collection_add_word(&words[own], heap->roots[r].target);
	}
	return root_node == UINT32_MAX ? OBJECT_NONE : root_nodes_node(root_nodes, root_node);
}

static uint64_t collection_retained_by_words(const struct analysis *analysis,
                                             const struct collection *item, uint64_t size,
                                             uint64_t *met)
{
	struct collection_words words[2] = {{0}, {0}};
	uint32_t node =
		item->object != OBJECT_NONE
			? collection_words_of_object(analysis_heap(analysis), item, size, words)
			: collection_words_of_variable(analysis_root_nodes(analysis), item, size, words);
	uint64_t bytes = UINT64_MAX;
	if (node != OBJECT_NONE)
		bytes = retained_by_words(analysis_retained(analysis), node,
		                          (struct retained_words){words[1].target, words[1].count},
		                          (struct retained_words){words[0].target, words[0].count}, met);
	free(words[0].target);
	free(words[1].target);
	return bytes;
}

static uint64_t collection_retained_by_search(const struct analysis *analysis,
                                              const struct collection *item, uint64_t size)
{
	const struct heap *heap = analysis_heap(analysis);
	struct what_if *what_if = what_if_new(heap);
	struct freed freed;
	for (uint32_t r = 0; r < heap->root_kind_first[ROOT_BSS + 1]; r++)
		if (collection_has_root(item, size, &heap->roots[r]))
			what_if_root(what_if, r);
	bool done = what_if_count(what_if, NULL, &freed);
	what_if_free(what_if);
	return done ? freed.bytes : UINT64_MAX;
}

void collections_find_retained(struct collections *found, const struct analysis *analysis)
{
	uint64_t left = SEARCHED_MOST, objects = heap_object_count(analysis_heap(analysis));
	size_t bits = objects / 8 + 8;
	uint64_t *met = mem_column(bits);
	for (size_t i = 0; i < found->count; i++) {
		struct collection *item = &found->item[i];
		bool in_variable = item->object == OBJECT_NONE && item->root != UINT32_MAX;
		item->retained = UINT64_MAX;
		if (item->kind != COLLECTION_SYNC || item->retainer != OBJECT_NONE
		    || (item->object == OBJECT_NONE && !in_variable))
			continue;
		uint64_t size = gotype_get(analysis_types(analysis), item->type)->size;
		item->retained = collection_retained_by_words(analysis, item, size, met);
		if (item->retained != UINT64_MAX || !in_variable || left < objects)
			continue;
		left -= objects;
		item->retained = collection_retained_by_search(analysis, item, size);
	}
	mem_column_free(met, bits);
}
