/* A depth-first walk over the dominator tree, which counts the ancestors of each class. */
#include "analysis/retained_of_class.h"

#include "analysis/dominators.h"
#include "analysis/kept.h"
#include "base/bits.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { STEP = 1 << 14 };

struct level {
	uint32_t class;      /* of the parent of these children */
	struct ids children; /* not visited yet */
};

struct walk {
	const struct dominators *dominators;
	const struct dominator_children *children;
	const uint32_t *class_of;
	uint32_t objects;
	uint32_t *above; /* by class: the number of ancestors */
	uint64_t *bytes;
	struct level *level;
	size_t depth, capacity;
};

static void retained_of_class_enter(struct walk *w, uint32_t node)
{
	uint32_t class = node < w->objects ? w->class_of[node] : UINT32_MAX;
	struct ids children = dominator_children_of(w->children, node);
	if (class != UINT32_MAX && !w->above[class])
		w->bytes[class] += dominators_bytes(w->dominators, node);
	if (!children.count)
		return;
	if (class != UINT32_MAX)
		w->above[class]++;
	MEM_PUSH(w->level, w->depth, w->capacity, (struct level){class, children});
}

static bool retained_of_class_walk(struct walk *w, struct progress *progress)
{
	uint64_t met = 0;
	retained_of_class_enter(w, w->dominators->root);
	while (w->depth) {
		struct ids *children = &w->level[w->depth - 1].children;
		if (children->count == 0) {
			uint32_t class = w->level[--w->depth].class;
			if (class != UINT32_MAX)
				w->above[class]--;
			continue;
		}
		children->count--;
		retained_of_class_enter(w, *children->id++);
		if (++met % STEP == 0 && !progress_step(progress, met))
			return false;
	}
	return true;
}

struct retained_of_class *retained_of_class_new(const struct dominators *dominators,
                                                const struct dominator_children *children,
                                                const uint32_t *class_of, uint32_t classes,
                                                struct progress *progress)
{
	if (!children)
		return NULL;
	struct retained_of_class *retained = mem_alloc(sizeof *retained);
	retained->bytes = mem_alloc(classes * sizeof *retained->bytes);
	retained->count = classes;
	struct walk w = {
		.dominators = dominators,
		.children = children,
		.class_of = class_of,
		.objects = heap_object_count(dominators->root_nodes->heap),
		.above = mem_alloc(classes * sizeof *w.above),
		.bytes = retained->bytes,
	};
	progress_begin(progress, "adding up retained sizes of types", dominators->nodes);
	bool done = retained_of_class_walk(&w, progress);
	free(w.above);
	free(w.level);
	if (done)
		return retained;
	retained_of_class_free(retained);
	return NULL;
}

void retained_of_class_free(void *retained)
{
	struct retained_of_class *self = retained;
	if (!self)
		return;
	free(self->bytes);
	free(self);
}

struct retained_of_class *retained_of_classes(const struct object_classes *classes,
                                              const struct analysis *analysis, enum retain retain,
                                              struct progress *progress)
{
	if (!analysis_has_roots(analysis))
		return NULL;
	size_t size = heap_object_count(analysis_heap(analysis)) * sizeof(uint32_t);
	uint32_t *class_of = mem_column(size);
	classes->of_objects(classes->self, analysis, class_of);
	struct retained_of_class *sums = retained_of_class_new(
		analysis_dominators(analysis, retain), analysis_children(analysis, retain, progress),
		class_of, (uint32_t)classes->count, progress);
	mem_column_free(class_of, size);
	return sums;
}

bool retained_of_classes_store(const struct object_classes *classes,
                               const struct analysis *analysis, const struct kept_kind *kept,
                               struct progress *progress, uint64_t *first, size_t size)
{
	enum retain retain = analysis_retained(analysis)->retain;
	struct retained_of_class *own = kept ? NULL
	                                     : retained_of_classes(classes, analysis, retain, progress);
	const struct retained_of_class *sums = kept ? analysis_kept(analysis, kept, retain, progress)
	                                            : own;
	for (size_t i = 0; sums && i < classes->count; i++)
		*(uint64_t *)((char *)first + i * size) = sums->bytes[i];
	retained_of_class_free(own);
	return sums;
}

bool retained_of_class_index(void *retained, const struct index_io *io)
{
	struct retained_of_class *self = retained;
	return INDEX_ARRAY(io, "bytes", self->bytes, self->count);
}

/* ---- Some pointers of a node */

/* A search over the objects that a node dominates. The dominator of an object also dominates its
   referrers, so an object is in this set if its dominator is the node or was found before. */

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
	size_t at = s->count;
	for (size_t i = 0; i < words.count; i++)
		retained_words_meet(s, words.target[i]);
	for (; at < s->count; at++) {
		struct ids to = heap_references(s->heap, s->queue[at]);
		bytes += heap_size(s->heap, s->queue[at]);
		for (size_t i = 0; i < to.count; i++)
			retained_words_meet(s, to.id[i]);
	}
	return bytes;
}

uint64_t retained_by_words(const struct dominators *dominators, uint32_t node,
                           struct retained_words words, struct retained_words others, uint64_t *met)
{
	struct retained_words_search s = {
		.dominators = dominators, .heap = dominators->root_nodes->heap, .node = node, .met = met};
	retained_words_follow(&s, others);
	uint64_t bytes = retained_words_follow(&s, words);
	for (size_t i = 0; i < s.count; i++)
		met[s.queue[i] / 64] = 0;
	free(s.queue);
	return bytes;
}
