/* The pointers that lead to objects without a good label. */
#include "types/labelling.h"

struct walk {
	struct labels *l;
	enum label_class class;
	void (*visit)(struct labels *, const struct label_pointer *);
};

/* Labels of targets lie anywhere: they are fetched so many references ahead. */
enum { AHEAD = 64 };

static bool leads_to_any(const struct walk *w, uint32_t object)
{
	struct edges edges = heap_edges(w->l->heap);
	struct ids ids = heap_references(w->l->heap, object);
	uint32_t last = edges.row[w->l->regions->objects];
	for (uint32_t e = edges.row[object]; e < edges.row[object + 1] && e + AHEAD < last; e++)
		__builtin_prefetch(&w->l->of[edges.to[e + AHEAD]], 1);
	for (size_t i = 0; i < ids.count; i++)
		if (label_wanted(w->l, ids.id[i], w->class))
			return true;
	return false;
}

/* Where every pointer to a page with objects leads to one, an object's references stand in the
   order of its words, and nothing needs to be looked up. */
static uint32_t find_target(const struct walk *w, uint64_t value, struct ids *ids)
{
	const struct heap *heap = w->l->heap;
	if (!objects_has_page(heap->objects, value))
		return OBJECT_NONE;
	if (heap->dangling_count || !ids->count)
		return heap_find(heap, value);
	ids->count--;
	return *ids->id++;
}

static void visit_region(const struct walk *w, uint32_t ref, struct ids ids)
{
	struct labels *l = w->l;
	struct label_pointer p;
	unsigned width = l->regions->width;
	regions_get(l->regions, ref, &p.from);
	for (p.offset = p.from.header; p.offset + width <= p.from.size; p.offset += width) {
		if (!region_points(l->regions, &p.from, p.offset))
			continue;
		p.value = region_word(l->regions, &p.from, p.offset);
		p.target = find_target(w, p.value, &ids);
		if (p.target != OBJECT_NONE && label_wanted(l, p.target, w->class))
			w->visit(l, &p);
	}
}

void label_each_pointer(struct labels *l, enum label_class class,
                        void (*visit)(struct labels *, const struct label_pointer *))
{
	struct walk w = {l, class, visit};
	for (uint32_t id = 0; id < l->regions->objects; id++)
		if (leads_to_any(&w, id))
			visit_region(&w, id, heap_references(l->heap, id));
	for (uint32_t i = 0; i < l->regions->segments + l->regions->frames; i++)
		visit_region(&w, l->regions->objects + i, (struct ids){0});
}
