/* Finds the places that hold most of the heap: a frontier of the tree of shortest paths, whose
   places do not overlap. A place is split into those below it as long as they explain it. */
#include "table/findings/finding.h"

#include "analysis/structures.h"
#include "base/mem.h"
#include "base/text.h"
#include "heap/heap.h"
#include "table/naming/step_inner.h"
#include "table/paths/libraries.h"
#include "table/paths/path_tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	LEAST = 1,       /* percent of the whole: the minimum for a place */
	SPLIT = 10,      /* percent of the whole: places with more are split */
	EXPLAINED = 70,  /* percent of a place that those below it must have to replace it, */
	DESCENT = 60,    /* or one of them alone to be followed */
	MANY = 10,       /* so many objects are a set */
	SEVERAL = 2,     /* for each object above a place: it has more of them */
	PART = 10,       /* percent of the place above: elements with less say nothing of it */
	PARTS = 3,       /* maximum number of places that stand for the elements of one above them, */
	IN_PARTS = 80,   /* and percent of it that they must have */
	FIELD = 50,      /* percent of a set: a field with more of it is a finding, too, */
	FIELD_MOST = 95, /* unless it has about all: the set says as much */
	DEEPEST = 40,    /* steps from a root: a longer name says nothing */
	PLACES = 256     /* maximum number of places */
};

struct frontier {
	struct findings *findings;
	const struct path_tree *tree;
	const struct merge_node *node;
	struct step_inner *inner;
	uint32_t place[PLACES]; /* places that may be split */
	size_t places;
};

static bool frontier_is_much(const struct frontier *f, uint32_t at, unsigned percent)
{
	return findings_is_much(f->findings, f->node[at].bytes, percent);
}

static void frontier_add(struct frontier *f, uint32_t at)
{
	if (f->places < PLACES && frontier_is_much(f, at, LEAST))
		f->place[f->places++] = at;
}

/* Removes and returns the biggest place. */
static uint32_t frontier_take(struct frontier *f)
{
	size_t best = 0;
	for (size_t i = 1; i < f->places; i++)
		if (f->node[f->place[i]].bytes > f->node[f->place[best]].bytes)
			best = i;
	uint32_t at = f->place[best];
	f->place[best] = f->place[--f->places];
	return at;
}

/* Returns true if there are many objects at a place for each one above it. */
static bool frontier_is_element(const struct frontier *f, uint32_t at)
{
	uint32_t above = f->node[at].parent;
	return above != OBJECT_NONE && f->node[at].members / MANY >= f->node[above].members;
}

/* Returns true for elements, such as the keys or the values of a map, that are much of the place
   above them. */
static bool frontier_is_large_element(const struct frontier *f, uint32_t at)
{
	return frontier_is_element(f, at)
	       && f->node[at].bytes * 100 >= f->node[f->node[at].parent].bytes * PART;
}

/* Returns true if a place explains the one above it, together with those beside it: it is large,
   and if the one above it is a set, then it has several objects for each of that set. */
static bool frontier_explains(const struct frontier *f, uint32_t at)
{
	const struct merge_node *node = &f->node[at], *above = &f->node[node->parent];
	uint32_t members = node->members;
	if (frontier_is_element(f, at))
		return false; /* the one above it is the finding */
	if (node->below && f->node[node->first].members > members)
		members = f->node[node->first].members;
	return frontier_is_much(f, at, SPLIT)
	       && (above->members < MANY || members / SEVERAL >= above->members);
}

/* Returns true if the places below one replace it. */
static bool frontier_splits(const struct frontier *f, uint32_t at)
{
	const struct merge_node *node = &f->node[at];
	uint64_t bytes = 0;
	for (uint32_t i = 0; i < node->below && frontier_is_much(f, node->first + i, SPLIT); i++)
		if (frontier_explains(f, node->first + i))
			bytes += f->node[node->first + i].bytes;
	return f->places + node->below <= PLACES && bytes * 100 >= node->bytes * EXPLAINED;
}

/* Returns the last place to which one alone leads from a place on. */
static uint32_t frontier_end(const struct frontier *f, uint32_t at)
{
	/* The places below one are sorted by bytes. */
	while (f->node[at].below && f->node[at].depth < DEEPEST
	       && f->node[f->node[at].first].bytes * 100 >= f->node[at].bytes * DESCENT)
		at = f->node[at].first;
	return at;
}

/* Returns the place above `end`, at most as far as `begin`, whose objects are the set that `end` is
   about: the first with about as many. */
static uint32_t frontier_set(const struct frontier *f, uint32_t begin, uint32_t end)
{
	uint32_t set = end;
	if (f->node[end].members < MANY)
		return end;
	while (set != begin && f->node[f->node[set].parent].members > f->node[end].members / MANY)
		set = f->node[set].parent;
	return set;
}

/* Returns true for the objects that threads themselves are made of: these are findings of their
   own. */
static bool frontier_is_thread(const struct frontier *f, const struct merge_node *node)
{
	const struct heap *heap = analysis_heap(f->findings->analysis);
	const char *const *types = heap->format->runtime ? heap->format->runtime->thread_types : NULL;
	for (; types && *types; types++)
		if (strcmp(type_unmarked(step_classes_type(f->tree->step_classes, node->label)), *types)
		    == 0)
			return true;
	return false;
}

/* Returns true for an object within a map of package sync. */
static bool frontier_is_inner(const struct frontier *f, uint32_t id)
{
	uint32_t before = reach_before(analysis_reach(f->findings->analysis), id);
	return before < heap_object_count(analysis_heap(f->findings->analysis))
	       && step_inner_has(f->inner, before, id);
}

/* Stores the number of entries of the maps and channels at a place. False: there are none there. */
static bool frontier_entries(const struct frontier *f, uint32_t at, uint64_t *entries)
{
	const struct analysis *analysis = f->findings->analysis;
	uint32_t id = f->node[at].example, total = heap_object_count(analysis_heap(analysis));
	uint64_t more;
	if (analysis_parts(analysis) || !analysis_structures(analysis)
	    || !structures_entries(analysis_structures(analysis), id, entries))
		return false;
	for (*entries = 0, id = 0; id < total; id++)
		if (merged_paths_node(f->tree->merged_paths, id) == at && !frontier_is_inner(f, id)
		    && structures_entries(analysis_structures(analysis), id, &more))
			*entries += more;
	return true;
}

/* Returns the place with most of the elements of one that holds interfaces, whose type does not say
   what they are; OBJECT_NONE: there is none. */
static uint32_t frontier_elements(const struct frontier *f, uint32_t at)
{
	static const char *const untold[] = {"any", "interface", "sync.Map", "concurrent.HashTrieMap"};
	const struct merge_node *node = &f->node[at];
	const char *type = step_classes_type(f->tree->step_classes, node->label);
	bool told = true;
	for (size_t i = 0; i < sizeof untold / sizeof *untold; i++)
		told = told && !strstr(type, untold[i]);
	for (uint32_t below = node->first; !told && below < node->first + node->below; below++)
		if (frontier_is_large_element(f, below))
			return below;
	return OBJECT_NONE;
}

/* Appends the number and type of the objects of a place: "6,000 × main.Call", "map[string]int,
   20,000 entries", "sync.Map, 2,000 entries, 2,000 of main.leaky". */
static void frontier_add_what(const struct frontier *f, uint32_t at, struct buf *out)
{
	const struct merge_node *node = &f->node[at];
	uint64_t entries;
	if (node->members > 1)
		buf_addf(out, "%s × ", text_count(node->members).text);
	buf_add(out, step_classes_type(f->tree->step_classes, node->label));
	if (frontier_entries(f, at, &entries))
		buf_addf(out, ", %s", text_number_of(entries, "entry", "entries").text);
	uint32_t elements = frontier_elements(f, at);
	if (elements != OBJECT_NONE)
		buf_addf(out, ", %s of %s",
		         text_count(f->node[elements].members - f->node[elements].links).text,
		         step_classes_type(f->tree->step_classes, f->node[elements].label));
}

static const struct finding_kind frontier_kind = {
	FINDING_USUAL, "place", "", "It has at least 1% of the reachable bytes",
	"{name} keeps {bytes}[, {share} of the reachable heap]: {what}[; removing them frees only "
	"{frees}][; {also} holds them, too]."};
static const struct finding_kind field_kind = {
	FINDING_USUAL, "field", "", "It is most of what a larger set holds",
	"{name} keeps {bytes}[, {share} of the reachable heap]: {what}."};
static const struct finding_kind runtime_kind = {
	FINDING_LAST, "runtime", "", "It has at least 1% of the reachable bytes, for the runtime",
	"The runtime itself has the most: {bytes} in {name}, {what}."};

/* Returns true for the few objects of the runtime itself, below its variables. */
static bool frontier_is_of_runtime(const struct frontier *f, uint32_t at)
{
	const struct reach *reach = analysis_reach(f->findings->analysis);
	if (f->node[at].members >= MANY)
		return false; /* such as timers */
	uint32_t root = path_tree_root(f->tree, f->findings->analysis, at);
	return root < reach->heap->root_count && reach->root_class[root] == ROOT_CLASS_RUNTIME;
}

/* Returns true for the timers that the runtime lists. */
static bool frontier_is_of_timers(const struct frontier *f, uint32_t at)
{
	static const char *const types[] = {"time.Timer", "time.Ticker", "time.runtimeTimer",
	                                    "runtime.timer", "runtime.timeTimer"};
	const struct reach *reach = analysis_reach(f->findings->analysis);
	const char *type = step_classes_type(f->tree->step_classes, f->node[at].label);
	uint32_t root = path_tree_root(f->tree, f->findings->analysis, at);
	bool listed = root < reach->heap->root_count && reach->root_class[root] == ROOT_CLASS_RUNTIME;
	for (size_t i = 0; listed && i < sizeof types / sizeof *types; i++)
		if (strcmp(type_unmarked(type), types[i]) == 0)
			return true;
	return false;
}

/* Adds a finding for a place. */
static void frontier_report(struct frontier *f, uint32_t at, const struct finding_kind *kind)
{
	const struct merge_node *node = &f->node[at];
	struct finding *finding = findings_add(f->findings, kind);
	finding->count = node->members;
	finding->bytes = node->bytes;
	finding->of_heap = true;
	finding->of_timers = frontier_is_of_timers(f, at);
	frontier_add_what(f, at, &finding->what);
	finding_place_take(finding, f->findings->analysis, f->tree, at);
}

/* Adds a finding for the field that most of a set of the program is in. */
static void frontier_report_field(struct frontier *f, uint32_t set)
{
	const struct merge_node *node = &f->node[set], *field = &f->node[node->first];
	bool most = node->below && field->bytes * 100 >= node->bytes * FIELD
	            && field->bytes * 100 <= node->bytes * FIELD_MOST;
	if (most && node->members >= MANY && field->members >= node->members / SEVERAL
	    && frontier_is_much(f, node->first, SPLIT))
		frontier_report(f, node->first, &field_kind);
}

/* Returns true if few kinds of elements stand for the place above them, which is then no finding of
   its own. */
static bool frontier_is_in_elements(const struct frontier *f, const struct merge_node *above)
{
	unsigned kinds = 0;
	uint64_t bytes = 0;
	for (uint32_t at = above->first; at < above->first + above->below; at++)
		if (frontier_is_large_element(f, at)) {
			kinds++;
			bytes += f->node[at].bytes;
		}
	return kinds <= PARTS && bytes * 100 >= above->bytes * IN_PARTS;
}

/* Adds the places below one, without one of them, and without small ones among the elements, such
   as keys of a map. */
static void frontier_add_below(struct frontier *f, const struct merge_node *above, uint32_t without)
{
	for (uint32_t at = above->first; at < above->first + above->below; at++)
		if (at != without && (!frontier_is_element(f, at) || frontier_is_large_element(f, at)))
			frontier_add(f, at);
}

/* Adds the findings for a place that is not split. */
static void frontier_report_set(struct frontier *f, uint32_t at)
{
	bool of_runtime = frontier_is_of_runtime(f, at);
	frontier_report(f, at, of_runtime ? &runtime_kind : &frontier_kind);
	if (!of_runtime && !frontier_is_of_timers(f, at))
		frontier_report_field(f, at);
}

/* Splits or reports a place. */
static void frontier_visit(struct frontier *f, uint32_t begin)
{
	uint32_t end = frontier_end(f, begin);
	bool splits = frontier_splits(f, end);
	uint32_t last = splits ? end : frontier_set(f, begin, end);
	if (!splits && last != begin && frontier_is_element(f, last)
	    && !frontier_is_in_elements(f, &f->node[f->node[last].parent]))
		last = f->node[last].parent;
	for (uint32_t at = last; at != begin; at = f->node[at].parent)
		frontier_add_below(f, &f->node[f->node[at].parent], at);
	if (splits)
		frontier_add_below(f, &f->node[end], OBJECT_NONE);
	else if (!frontier_is_thread(f, &f->node[last]))
		frontier_report_set(f, last);
}

static const struct finding_kind library_kind = {FINDING_LAST, "library", "",
                                                 "A variable of a library holds it", NULL};
static const struct finding_kind libraries_kind = {
	FINDING_LAST, "libraries", "",
	"Each holds less than 3% of the heap, and no object of the program's own types", NULL};

/* Adds one finding for the places of libraries, or each of them; if there are few, or all of them
   are little, adds none. Returns true if it tells of these places. */
static bool frontier_report_libraries(struct frontier *f, const struct libraries *libraries)
{
	struct findings *findings = f->findings;
	if (libraries->count < LIBRARIES_LEAST || !findings_is_much(findings, libraries->bytes, LEAST))
		return false;
	for (uint32_t at = 0; findings->of_libraries && at < f->tree->merged_paths->topmost; at++)
		if (libraries->is_one[at])
			frontier_report(f, at, &library_kind);
	if (findings->of_libraries)
		return true;
	struct finding *finding = findings_add(findings, &libraries_kind);
	finding->count = libraries->variables;
	finding->bytes = libraries->bytes;
	buf_add(&finding->expression, "libraries");
	finding->of_heap = true;
	libraries_add_name(libraries->variables, &finding->what);
	buf_add(&finding->name, "largest: ");
	path_exact_add(f->tree, libraries->largest, &finding->name);
	buf_add(&finding->link, "findings libraries");
	return true;
}

static void frontier_find_places(struct frontier *f, const struct libraries *libraries)
{
	bool told = frontier_report_libraries(f, libraries);
	for (uint32_t at = 0; !f->findings->of_libraries && at < f->tree->merged_paths->topmost; at++)
		if (!told || !libraries->is_one[at])
			frontier_add(f, at);
	while (f->places)
		frontier_visit(f, frontier_take(f));
}

static bool frontier_find(struct findings *findings, struct progress *progress, struct err *err)
{
	const struct path_tree *tree =
		analysis_kept(findings->analysis, &path_tree_whole, RETAIN_ALIVE, progress);
	const struct libraries *libraries = libraries_of(findings->analysis, progress);
	if (!tree || !libraries)
		return err_set(err, "Merging the paths was cancelled");
	struct step_inner inner = {.analysis = findings->analysis};
	struct frontier f = {findings, tree, tree->merged_paths->node, &inner, {0}, 0};
	frontier_find_places(&f, libraries);
	step_inner_fini(&inner);
	return true;
}

DEFINE_PLUGIN(finders, struct finder, frontier_finder) = {.find = frontier_find, .libraries = true};
