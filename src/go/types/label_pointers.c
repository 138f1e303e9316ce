/* Iterates over pointers to objects without a good label. */
#include "go/types/labelling.h"

#include "base/bits.h"
#include "base/mem.h"
#include "base/starts.h"
#include "heap/edges.h"
#include "heap/heap.h"

struct walk {
	struct labels *l;
	enum label_class class;
	void (*visit)(struct labels *, const struct label_pointer *);
	struct edges edges;
	const uint32_t *last; /* end of all references */
	bool all_linked;      /* see heap_all_linked() */
	uint64_t low, span;
	struct objects_run_view run; /* run of the last visited object */
	uint32_t next;               /* the next run */
};

/* Labels of targets are anywhere in memory: they are prefetched this many references ahead. */
enum { AHEAD = 64 };

static void fetch_ahead(const struct walk *w, struct ids ids)
{
	for (; ids.count && w->last - ids.id > AHEAD; ids.id++, ids.count--)
		label_fetch(w->l, ids.id[AHEAD]);
}

static size_t label_bits_size(const struct labels *l)
{
	return (l->regions->objects / 64 + 1UL) * sizeof *l->walks.holders;
}

static void find_untyped(struct labels *l)
{
	uint32_t objects = l->regions->objects;
	for (uint32_t first = 0; first < objects; first += 64) {
		uint32_t count = objects - first < 64 ? objects - first : 64;
		uint64_t bits = 0;
		for (uint32_t i = 0; i < count; i++)
			bits |= (uint64_t)(label_at(l, first + i) != LABEL_TYPED) << i;
		l->walks.untyped[first / 64] = bits;
	}
}

void label_walks_init(struct labels *l)
{
	uint64_t **const by_object[] = {&l->walks.untyped, &l->walks.wanting, &l->walks.holders,
	                                &l->walks.several};
	for (size_t i = 0; i < sizeof by_object / sizeof *by_object; i++)
		*by_object[i] = mem_column(label_bits_size(l));
	l->walks.edges = mem_column(l->regions->mask_size);
	find_untyped(l);
}

void label_walks_fini(struct labels *l)
{
	uint64_t *const by_object[] = {l->walks.untyped, l->walks.wanting, l->walks.holders,
	                               l->walks.several};
	for (size_t i = 0; i < sizeof by_object / sizeof *by_object; i++)
		mem_column_recycle(by_object[i], label_bits_size(l));
	mem_column_recycle(l->walks.edges, l->regions->mask_size);
	l->walks = (struct label_walks){0};
}

/* Makes a bit vector of the wanting objects, which stays in the cache, unlike their labels. */
static void find_wanting(struct walk *w)
{
	struct label_walks *walks = &w->l->walks;
	for (uint32_t word = 0; word <= w->l->regions->objects / 64; word++) {
		walks->wanting[word] = walks->untyped[word];
		for (uint64_t bits = walks->untyped[word]; bits; bits &= bits - 1)
			if (!label_wanted(w->l, word * 64 + (uint32_t)__builtin_ctzll(bits), w->class))
				walks->wanting[word] ^= bits & -bits;
	}
}

static struct walk walk_begin(struct labels *l, enum label_class class,
                              void (*visit)(struct labels *, const struct label_pointer *))
{
	struct walk w = {.l = l, .class = class, .visit = visit, .edges = heap_edges(l->heap)};
	w.last = w.edges.to + starts_at(w.edges.starts, l->regions->objects);
	w.all_linked = heap_all_linked(l->heap, &w.low, &w.span);
	find_wanting(&w);
	return w;
}

/* Advances to the run of an object. */
static void walk_to(struct walk *w, uint32_t object)
{
	while (object - w->run.first >= w->run.count)
		objects_run(w->l->heap->objects, w->next++, &w->run);
}

/* Returns the target of a pointer. If there are no dangling pointers, the references of an object
   are in the order of its words, so that no lookup is needed. */
static uint32_t find_target(const struct walk *w, uint64_t value, struct ids *ids)
{
	const struct heap *heap = w->l->heap;
	bool linked = w->all_linked && ids->count;
	if (linked ? value - w->low >= w->span : !objects_has_page(heap->objects, value))
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
	if (p->target == OBJECT_NONE)
		return;
	word_bit_set(l->walks.edges, p->from.bit + (p->offset >> l->regions->shift));
	if (word_bit_is_set(l->walks.wanting, p->target))
		w->visit(l, p);
}

static void visit_region(const struct walk *w, struct label_pointer *p, struct ids ids)
{
	const struct regions *regions = w->l->regions;
	uint64_t width = regions->width, words = p->from.size >> regions->shift;
	for (uint64_t word = p->from.header >> regions->shift; word < words; word += 64) {
		uint64_t count = words - word < 64 ? words - word : 64;
		uint64_t bits = region_points_many(regions, &p->from, word * width, count);
		for (; bits; bits &= bits - 1) {
			p->offset = (word + (uint64_t)__builtin_ctzll(bits)) * width;
			visit_word(w, p, &ids);
		}
	}
}

static void visit_others(const struct walk *w)
{
	struct label_pointer p;
	const struct regions *regions = w->l->regions;
	for (uint32_t i = 0; i < regions->segments + regions->frames; i++) {
		regions_get(regions, regions->objects + i, &p.from);
		visit_region(w, &p, (struct ids){0});
	}
}

/* Returns the object to which an edge belongs, starting the search at `id`. */
static uint32_t edge_holder(const struct starts *starts, uint32_t edge, uint32_t id)
{
	for (uint32_t next; (next = id / STARTS_BLOCK * STARTS_BLOCK + STARTS_BLOCK) < starts->count
	                    && starts->base[next / STARTS_BLOCK] <= edge;)
		id = next;
	while (starts_at(starts, id + 1) <= edge)
		id++;
	return id;
}

void label_each_pointer(struct labels *l, enum label_class class,
                        void (*visit)(struct labels *, const struct label_pointer *))
{
	struct walk w = walk_begin(l, class, visit);
	struct label_pointer p;
	uint32_t end = starts_at(w.edges.starts, l->regions->objects), id = 0;
	for (uint32_t e = 0; e < end;) {
		if (!word_bit_is_set(l->walks.wanting, w.edges.to[e])) {
			e++;
			continue;
		}
		id = edge_holder(w.edges.starts, e, id);
		word_bit_set(l->walks.holders, id);
		regions_look(l->regions, id, &p.from);
		fetch_ahead(&w, edges_of(w.edges, id));
		visit_region(&w, &p, edges_of(w.edges, id));
		e = starts_at(w.edges.starts, id + 1);
	}
	visit_others(&w);
}

/* Visits the pointers of an object by cached bits, without access to the dump; only some fields of
   `from` are set. */
static void visit_again(const struct walk *w, struct label_pointer *p)
{
	struct labels *l = w->l;
	struct ids ids = edges_of(w->edges, p->from.ref);
	uint64_t words = p->from.size >> l->regions->shift;
	fetch_ahead(w, ids);
	for (uint64_t word = 0; word < words; word += 64) {
		uint64_t count = words - word < 64 ? words - word : 64;
		uint64_t bits = region_bits(l->walks.edges, p->from.bit + word, count);
		for (; bits && ids.count; bits &= bits - 1, ids.id++, ids.count--) {
			if (!word_bit_is_set(l->walks.wanting, *ids.id))
				continue;
			p->target = *ids.id;
			p->offset = (word + (uint64_t)__builtin_ctzll(bits)) * l->regions->width;
			w->visit(l, p);
		}
	}
}

static bool any_wanting(const struct walk *w, struct ids ids)
{
	size_t i = 0;
	while (i < ids.count && !word_bit_is_set(w->l->walks.wanting, ids.id[i]))
		i++;
	return i < ids.count;
}

static void visit_holder(struct walk *w, uint32_t id)
{
	struct labels *l = w->l;
	if (!any_wanting(w, edges_of(w->edges, id))) {
		word_bit_clear(l->walks.holders, id);
		return;
	}
	walk_to(w, id);
	struct label_pointer p = {.from = {.ref = id,
	                                   .run = w->next - 1,
	                                   .kind = REGION_OBJECT,
	                                   .size = w->run.stored,
	                                   .header = w->run.header,
	                                   .bit = regions_bit(l->regions, w->next - 1, &w->run, id)}};
	visit_again(w, &p);
}

void label_each_again(struct labels *l, enum label_class class, const uint64_t *among,
                      void (*visit)(struct labels *, const struct label_pointer *))
{
	struct walk w = walk_begin(l, class, visit);
	for (uint32_t word = 0; among && word <= l->regions->objects / 64; word++)
		l->walks.wanting[word] &= among[word];
	for (uint32_t word = 0; word <= l->regions->objects / 64; word++)
		for (uint64_t bits = l->walks.holders[word]; bits; bits &= bits - 1)
			visit_holder(&w, word * 64 + (uint32_t)__builtin_ctzll(bits));
	visit_others(&w);
}
