/* Finds weak pointers whose objects were collected: entries of caches that nothing removes. The
   pointers are those of package weak; what they lead to says whether the object is there. */
#include "table/findings/finding.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/text.h"
#include "go/runtime/goweak.h"
#include "heap/heap.h"
#include "table/contents/value_set.h"
#include "table/paths/path_tree.h"

#include <stdlib.h>
#include <string.h>

enum { DEAD_LEAST = 10, PLACES_MOST = 4 };

/* The weak pointers in the objects of a place, a node of the merged paths. */
struct weak_place {
	uint32_t node;
	uint64_t count, dead;
};

struct weak_search {
	const struct analysis *analysis;
	const struct path_tree *tree;
	struct map places; /* node -> place */
	struct weak_place *place;
	size_t count, capacity;
};

static const struct finding_kind weak_kind = {
	FINDING_USUAL, "dead weak pointers", "~",
	"The objects that they led to were collected, and the entries with the pointers are left",
	NULL};

/* Counts a weak pointer at an address. */
static void weak_count(struct weak_search *s, const struct datum *pointer)
{
	const struct heap *heap = analysis_heap(s->analysis);
	uint64_t target, place = s->count;
	const struct goruntime *rt = typing_runtime(analysis_typing(s->analysis));
	uint32_t object = heap_find(heap, pointer->address);
	struct struct_view view;
	if (!struct_view_at(rt, pointer->type, pointer->address, &view))
		return;
	enum goweak_state state = goweak_state(&view, &target);
	if (state != GOWEAK_DEAD && state != GOWEAK_LIVE)
		return;
	uint32_t node = object == OBJECT_NONE ? OBJECT_NONE
	                                      : merged_paths_node(s->tree->merged_paths, object);
	if (node == OBJECT_NONE)
		return;
	if (map_add(&s->places, node, &place))
		MEM_PUSH(s->place, s->count, s->capacity, (struct weak_place){.node = node});
	s->place[place].count++;
	s->place[place].dead += state == GOWEAK_DEAD;
}

static bool weak_count_type(struct weak_search *s, gotype_id type, struct progress *progress)
{
	struct value_set set;
	struct datum value;
	SCOPED_BUF name = {0};
	gotype_display(analysis_types(s->analysis), type, &name);
	value_set_init(&set, s->analysis);
	bool done = value_set_of_type(&set, s->analysis, buf_text(&name), progress);
	for (uint64_t n = 0; done && n < set.count; n++) {
		value = value_set_place(&set, n);
		weak_count(s, &value);
	}
	value_set_fini(&set);
	return done;
}

static int weak_most_first(const void *a, const void *b)
{
	const struct weak_place *x = a, *y = b;
	if (x->dead != y->dead)
		return x->dead > y->dead ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

static void weak_report(struct findings *findings, const struct weak_search *s,
                        const struct weak_place *place)
{
	const struct merge_node *node = &s->tree->merged_paths->node[place->node];
	struct finding *finding = findings_add(findings, &weak_kind);
	finding->count = place->dead;
	finding->bytes = node->own_bytes;
	buf_addf(&finding->what, "%s of %s", text_count(place->dead).text,
	         text_number_of(place->count, "weak pointer is dead", "weak pointers are dead").text);
	finding_place_take(finding, s->analysis, s->tree, place->node);
}

/* Package unique clears its own weak pointers. */
static bool weak_is_of_unique(const struct weak_search *s, uint32_t node)
{
	SCOPED_BUF name = {0};
	path_tree_add_place(s->tree, node, &name);
	return strncmp(buf_text(&name), "unique.", strlen("unique.")) == 0;
}

static bool weak_find(struct findings *findings, struct progress *progress, struct err *err)
{
	struct weak_search s = {.analysis = findings->analysis};
	const struct gotypes *types = analysis_types(s.analysis);
	bool done = true;
	for (gotype_id id = 1; types && done && id <= gotypes_count(types); id++) {
		if (!goweak_is_pointer(gotype_get(types, id)->name))
			continue;
		if (!s.tree)
			s.tree = analysis_kept(s.analysis, &path_tree_whole, RETAIN_ALIVE, progress);
		done = s.tree && weak_count_type(&s, id, progress);
	}
	if (s.count)
		qsort(s.place, s.count, sizeof *s.place, weak_most_first);
	for (size_t i = 0, told = 0; done && i < s.count && told < PLACES_MOST; i++)
		if (s.place[i].dead >= DEAD_LEAST && !weak_is_of_unique(&s, s.place[i].node)) {
			weak_report(findings, &s, &s.place[i]);
			told++;
		}
	map_free(&s.places);
	free(s.place);
	return done || err_set(err, "Counting weak pointers was cancelled");
}

DEFINE_PLUGIN(finders, struct finder, weak_finder) = {.parts = PART_GO | PART_MEMORY,
                                                      .find = weak_find};
