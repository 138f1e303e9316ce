/* The pointers that lead to objects without a good label. */
#include "types/labelling.h"

struct walk {
	struct labels *l;
	enum label_class class;
	void (*visit)(struct labels *, const struct label_pointer *);
};

static bool leads_to_any(const struct walk *w, uint32_t object)
{
	struct ids ids = heap_references(w->l->heap, object);
	for (size_t i = 0; i < ids.count; i++)
		if (label_wanted(w->l, ids.id[i], w->class))
			return true;
	return false;
}

static void visit_region(const struct walk *w, uint32_t ref)
{
	struct labels *l = w->l;
	struct label_pointer p;
	unsigned width = l->regions->width;
	regions_get(l->regions, ref, &p.from);
	for (p.offset = 0; p.offset + width <= p.from.size; p.offset += width) {
		if (!region_points(l->regions, &p.from, p.offset))
			continue;
		p.value = region_word(l->regions, &p.from, p.offset);
		uint32_t id = objects_has_page(l->heap->objects, p.value) ? heap_find(l->heap, p.value)
		                                                          : OBJECT_NONE;
		if (id == OBJECT_NONE || !label_wanted(l, id, w->class))
			continue;
		regions_get(l->regions, id, &p.to);
		w->visit(l, &p);
	}
}

void label_each_pointer(struct labels *l, enum label_class class,
                        void (*visit)(struct labels *, const struct label_pointer *))
{
	struct walk w = {l, class, visit};
	for (uint32_t id = 0; id < l->regions->objects; id++)
		if (leads_to_any(&w, id))
			visit_region(&w, id);
	for (uint32_t i = 0; i < l->regions->segments + l->regions->frames; i++)
		visit_region(&w, l->regions->objects + i);
}
