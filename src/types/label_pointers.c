/* The pointers that lead to objects without a good label. */
#include "types/labelling.h"

struct walk {
	struct labels *l;
	enum label_class class;
	void (*visit)(struct labels *, const struct label_pointer *);
};

/* Labels of targets lie anywhere: they are fetched so many references ahead. */
enum { AHEAD = 64 };

static bool leads_to_any(const struct walk *w, const struct edges *edges, uint32_t object)
{
	uint32_t first = starts_at(edges->starts, object), end = starts_at(edges->starts, object + 1);
	uint32_t last = starts_at(edges->starts, w->l->regions->objects);
	for (uint32_t e = first; e < end && e + AHEAD < last; e++)
		__builtin_prefetch(&w->l->of[edges->to[e + AHEAD]], 1);
	for (uint32_t e = first; e < end; e++)
		if (label_wanted(w->l, edges->to[e], w->class))
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

static void visit_word(const struct walk *w, struct label_pointer *p, struct ids *ids)
{
	struct labels *l = w->l;
	p->value = region_word(l->regions, &p->from, p->offset);
	p->target = find_target(w, p->value, ids);
	if (p->target != OBJECT_NONE && label_wanted(l, p->target, w->class))
		w->visit(l, p);
}

static void visit_region(const struct walk *w, struct label_pointer *p, struct ids ids)
{
	const struct regions *regions = w->l->regions;
	uint64_t width = regions->width, words = p->from.size / width;
	for (uint64_t word = p->from.header / width; word < words; word += 64) {
		uint64_t count = words - word < 64 ? words - word : 64;
		uint64_t bits = region_points_many(regions, &p->from, word * width, count);
		for (; bits; bits &= bits - 1) {
			p->offset = (word + (uint64_t)__builtin_ctzll(bits)) * width;
			visit_word(w, p, &ids);
		}
	}
}

static void visit_run(const struct walk *w, const struct edges *edges, uint32_t index)
{
	struct objects_run_view run;
	struct label_pointer p;
	objects_run(w->l->heap->objects, index, &run);
	for (uint32_t id = run.first; id < run.first + run.count; id++) {
		if (!leads_to_any(w, edges, id))
			continue;
		regions_get_hit(w->l->regions, (struct objects_hit){id, index}, &p.from);
		visit_region(w, &p, edges_of(*edges, id));
	}
}

void label_each_pointer(struct labels *l, enum label_class class,
                        void (*visit)(struct labels *, const struct label_pointer *))
{
	struct walk w = {l, class, visit};
	struct edges edges = heap_edges(l->heap);
	struct label_pointer p;
	for (size_t i = 0; i < objects_run_count(l->heap->objects); i++)
		visit_run(&w, &edges, (uint32_t)i);
	for (uint32_t i = 0; i < l->regions->segments + l->regions->frames; i++) {
		regions_get(l->regions, l->regions->objects + i, &p.from);
		visit_region(&w, &p, (struct ids){0});
	}
}
