/* Names of places with the keys of entries that all their objects are in. */
#include "analysis/structures.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/text.h"
#include "heap/heap.h"
#include "table/naming/step.h"
#include "table/naming/step_inner.h"
#include "table/paths/path_tree.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS_MOST = 1000 }; /* objects on a path whose entries are named */

static const char any[] = "[*]";

/* A place on the way to another one. */
struct exact_place {
	uint32_t place;
	bool entry;      /* its step is to any entry: [*] */
	uint32_t object; /* the first at the place that all paths lead through; OBJECT_NONE: none */
};

struct exact_chain {
	const struct path_tree *tree;
	struct exact_place *place; /* from the root to the place */
	size_t count;
	struct step_inner inner;
};

static uint32_t exact_node(const struct exact_chain *chain, uint32_t id)
{
	return merged_paths_node(chain->tree->merged_paths, id);
}

/* Notes the objects that `through`, and so all paths, lead through. */
static void exact_follow(struct exact_chain *chain, uint32_t through)
{
	const struct reach *reach = analysis_reach(chain->tree->analysis);
	uint32_t objects = heap_object_count(reach->heap), at = through;
	for (size_t i = chain->count; i-- > 0 && at < objects;)
		for (; at < objects && exact_node(chain, at) == chain->place[i].place;
		     at = reach_before(reach, at))
			chain->place[i].object = at;
}

/* Takes the places behind `above`. */
static void exact_begin(struct exact_chain *chain, const struct path_tree *path_tree,
                        uint32_t place, uint32_t above)
{
	*chain = (struct exact_chain){.tree = path_tree, .inner = {.analysis = path_tree->analysis}};
	const struct merge_node *node = chain->tree->merged_paths->node;
	chain->count = node[place].depth + 1ULL;
	chain->count -= above == OBJECT_NONE ? 0 : node[above].depth + 1ULL;
	chain->place = mem_alloc((chain->count + 1) * sizeof *chain->place);
	SCOPED_BUF step = {0};
	for (size_t i = chain->count; i-- > 0; place = node[place].parent) {
		buf_clear(&step);
		path_tree_add_step(chain->tree, place, &step);
		bool entry = strstr(buf_text(&step), any);
		chain->place[i] = (struct exact_place){place, entry, OBJECT_NONE};
	}
}

static void exact_end(struct exact_chain *chain)
{
	step_inner_fini(&chain->inner);
	free(chain->place);
}

/* Appends the steps to an object from its root, and the object `behind` it, if that is there. */
static bool exact_add_steps(const struct analysis *analysis, uint32_t object, struct buf *out)
{
	const struct reach *reach = analysis_reach(analysis);
	uint32_t step[STEPS_MOST], objects = heap_object_count(reach->heap);
	struct path path = {.step = step + STEPS_MOST};
	for (; object < objects && path.count < STEPS_MOST; object = reach_before(reach, object)) {
		*--path.step = object;
		path.count++;
	}
	path.root = object - objects;
	if (object < objects || !path.count || path.root >= reach->heap->root_count)
		return false;
	step_add_stretch(analysis, &path, 0, path.count - 1, out);
	return true;
}

/* Returns the object that has an object as its entry: a map or a slice as a whole. */
static uint32_t exact_container(struct exact_chain *chain, uint32_t object)
{
	const struct analysis *analysis = chain->tree->analysis;
	const struct reach *reach = analysis_reach(analysis);
	const struct structures *structures = analysis_structures(analysis);
	uint32_t objects = heap_object_count(reach->heap), at = reach_before(reach, object);
	while (at < objects) {
		uint32_t before = reach_before(reach, at);
		bool inside = (structures && structures_of(structures, at) != at)
		              || (before < objects && step_inner_has(&chain->inner, before, at));
		if (!inside)
			break;
		at = before;
	}
	return at;
}

/* Returns true if a step with a key, `["a"].Name` or ` key ["a"].Name`, is the only one of such a
   step as "[*].Name" or "[*] key.Name". */
static bool exact_is_step(const char *exact, const char *step)
{
	const char *at = strstr(step, any), *rest = at + strlen(any), *before = "[";
	size_t head = (size_t)(at - step), len = strlen(exact);
	if (strncmp(rest, PATH_KEY, strlen(PATH_KEY)) == 0) {
		rest += strlen(PATH_KEY);
		before = PATH_KEY " [";
	}
	size_t tail = strlen(rest);
	return !strstr(rest, any) && len > head + strlen(before) + tail + 1
	       && memcmp(exact, step, head) == 0 && strncmp(exact + head, before, strlen(before)) == 0
	       && exact[len - tail - 1] == ']' && strcmp(exact + len - tail, rest) == 0;
}

/* Appends the step to an entry with its key. False: that is not a step such as `step`. */
static bool exact_add_key(struct exact_chain *chain, size_t i, const char *step, struct buf *out)
{
	const struct analysis *analysis = chain->tree->analysis;
	uint32_t object = chain->place[i].object, container = exact_container(chain, object);
	SCOPED_BUF before = {0}, whole = {0};
	if (container < heap_object_count(analysis_heap(analysis))
	    && !exact_add_steps(analysis, container, &before))
		return false;
	if (!exact_add_steps(analysis, object, &whole) || whole.len <= before.len
	    || memcmp(buf_text(&whole), buf_text(&before), before.len) != 0)
		return false;
	const char *key = buf_text(&whole) + before.len;
	bool alike = exact_is_step(key, step);
	if (alike)
		buf_add(out, key);
	return alike;
}

/* Appends the step to the i-th place. `told` false: nothing where the step has no name. */
static void exact_add_step(struct exact_chain *chain, size_t i, bool told, struct buf *out)
{
	const struct exact_place *place = &chain->place[i];
	uint32_t label = chain->tree->merged_paths->node[place->place].label;
	SCOPED_BUF step = {0};
	if (told || *step_classes_step(chain->tree->step_classes, label))
		path_tree_add_step(chain->tree, place->place, &step);
	if (!place->entry || place->object == OBJECT_NONE
	    || !exact_add_key(chain, i, buf_text(&step), out))
		buf_add(out, buf_text(&step));
}

static void exact_add(const struct path_tree *path_tree, uint32_t place, uint32_t through,
                      uint32_t above, bool told, struct buf *out)
{
	struct exact_chain chain;
	exact_begin(&chain, path_tree, place, above);
	exact_follow(&chain, through);
	for (size_t i = 0; i < chain.count; i++)
		exact_add_step(&chain, i, told, out);
	exact_end(&chain);
}

void path_exact_add_below(const struct path_tree *path_tree, uint32_t place, uint32_t through,
                          uint32_t above, struct buf *out)
{
	exact_add(path_tree, place, through, above, false, out);
}

void path_exact_add_whole(const struct path_tree *path_tree, uint32_t place, struct buf *out)
{
	exact_add(path_tree, place, path_tree->fork[place], OBJECT_NONE, true, out);
}

void path_exact_add(const struct path_tree *path_tree, uint32_t place, struct buf *out)
{
	size_t before = out->len;
	path_exact_add_whole(path_tree, place, out);
	text_bound(out, before);
}

/* Returns the depth of the last place that the paths of a place lead through one object of, + 1;
   0: none. */
static uint32_t exact_depth(const struct path_tree *path_tree, uint32_t place)
{
	const struct merged_paths *paths = path_tree->merged_paths;
	uint32_t fork = place == OBJECT_NONE ? OBJECT_NONE : path_tree->fork[place];
	uint32_t at = fork == OBJECT_NONE ? OBJECT_NONE : merged_paths_node(paths, fork);
	return at == OBJECT_NONE ? 0 : paths->node[at].depth + 1;
}

void path_exact_add_step(const struct path_tree *path_tree, uint32_t place, struct buf *out)
{
	const struct merge_node *node = path_tree->merged_paths->node;
	uint32_t parent = node[place].parent, first = place, at = place;
	uint32_t known = exact_depth(path_tree, parent), now = exact_depth(path_tree, place);
	for (; now > known && at != OBJECT_NONE && node[at].depth >= known; at = node[at].parent)
		if (node[at].depth < now
		    && strstr(step_classes_step(path_tree->step_classes, node[at].label), any))
			first = at;
	exact_add(path_tree, place, path_tree->fork[place], node[first].parent, first != place, out);
}

/* ---- Objects of a place in some of its entries */

struct path_filter {
	struct exact_chain chain;
	const char *text;
	size_t length;    /* of its part up to the last key */
	size_t keyed;     /* places up to that with the last key */
	struct map known; /* object at that place -> whether it has the keys */
};

struct path_filter *path_filter_new(const struct path_tree *path_tree, uint32_t place,
                                    const char *text)
{
	struct path_filter *self = mem_alloc(sizeof *self);
	SCOPED_BUF step = {0};
	exact_begin(&self->chain, path_tree, place, OBJECT_NONE);
	self->text = text;
	self->length = path_tree_length(text);
	for (self->keyed = self->chain.count; self->keyed; self->keyed--) {
		buf_clear(&step);
		path_tree_add_step(path_tree, self->chain.place[self->keyed - 1].place, &step);
		if (step.len > self->length
		    || memcmp(text + self->length - step.len, buf_text(&step), step.len) != 0)
			break;
		self->length -= step.len;
	}
	return self;
}

/* Returns true if the steps to the last key have the keys of the text. */
static bool path_filter_reads(struct path_filter *filter)
{
	const char *at = filter->text, *end = at + filter->length;
	SCOPED_BUF step = {0};
	for (size_t i = 0; i < filter->keyed; i++) {
		for (int exact = 1; exact >= 0; exact--) {
			buf_clear(&step);
			if (exact)
				exact_add_step(&filter->chain, i, true, &step);
			else
				path_tree_add_step(filter->chain.tree, filter->chain.place[i].place, &step);
			if (strncmp(at, buf_text(&step), step.len) == 0)
				break;
			if (!exact)
				return false;
		}
		at += step.len;
	}
	return at == end;
}

bool path_filter_has(struct path_filter *filter, uint32_t object)
{
	struct exact_chain *chain = &filter->chain;
	for (size_t i = 0; i < chain->count; i++)
		chain->place[i].object = OBJECT_NONE;
	exact_follow(chain, object);
	if (!filter->keyed)
		return !filter->length;
	uint64_t key = chain->place[filter->keyed - 1].object, has;
	if (key == OBJECT_NONE)
		return false;
	if (!map_get(&filter->known, key, &has)) {
		has = path_filter_reads(filter);
		map_put(&filter->known, key, has);
	}
	return has;
}

void path_filter_free(struct path_filter *filter)
{
	exact_end(&filter->chain);
	map_free(&filter->known);
	free(filter);
}
