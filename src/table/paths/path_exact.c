/* Names of places with the keys of entries that all their objects are in. */
#include "analysis/structures.h"
#include "base/bits.h"
#include "base/mem.h"
#include "heap/heap.h"
#include "table/naming/step.h"
#include "table/naming/step_inner.h"
#include "table/paths/path_tree.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS_MOST = 1000 }; /* objects on a path whose entries are named */

/* A place on the way to another one. */
struct exact_place {
	uint32_t place;
	bool entry;      /* its step is to any entry: [*] */
	bool one;        /* the paths of all members lead through the same object, */
	uint32_t object; /* this one, the first at the place; OBJECT_NONE: no member has been seen */
};

struct exact_chain {
	const struct path_tree *tree;
	struct exact_place *place; /* from the root to the place */
	size_t count;
	uint64_t *seen; /* bits by object: whether a path through it has been followed */
};

static uint32_t exact_node(const struct exact_chain *chain, uint32_t id)
{
	return merged_paths_node(chain->tree->merged_paths, id);
}

static void exact_begin(struct exact_chain *chain, uint32_t place)
{
	const struct merge_node *node = chain->tree->merged_paths->node;
	chain->count = node[place].depth + 1ULL;
	chain->place = mem_alloc(chain->count * sizeof *chain->place);
	chain->seen = mem_alloc((chain->tree->merged_paths->objects / 64 + 1ULL) * sizeof *chain->seen);
	SCOPED_BUF step = {0};
	for (size_t i = chain->count; i-- > 0; place = node[place].parent) {
		buf_clear(&step);
		path_tree_add_step(chain->tree, place, &step);
		bool entry = strstr(buf_text(&step), "[*]");
		chain->place[i] = (struct exact_place){place, entry, entry, OBJECT_NONE};
	}
}

/* Follows the path of a member to its root, or to where one has been followed: from there on it
   leads through the same objects. */
static void exact_see(struct exact_chain *chain, uint32_t member)
{
	const struct reach *reach = analysis_reach(chain->tree->analysis);
	uint32_t objects = heap_object_count(reach->heap), at = member;
	for (size_t i = chain->count; i-- > 0;) {
		struct exact_place *place = &chain->place[i];
		uint32_t first = OBJECT_NONE;
		for (; at < objects && exact_node(chain, at) == place->place;
		     at = reach_before(reach, at)) {
			if (!word_bit_add(chain->seen, at))
				return;
			first = at;
		}
		place->one &= first != OBJECT_NONE
		              && (place->object == OBJECT_NONE || place->object == first);
		place->object = first;
	}
}

/* Returns true if some entry is the same for all members that have been seen. */
static bool exact_has_one(const struct exact_chain *chain)
{
	bool any = false;
	for (size_t i = 0; i < chain->count; i++)
		any |= chain->place[i].one;
	return any;
}

/* Looks at all members of the place. One that has a single one is looked at by it alone. */
static void exact_find(struct exact_chain *chain)
{
	const struct merged_paths *paths = chain->tree->merged_paths;
	uint32_t place = chain->place[chain->count - 1].place;
	exact_see(chain, paths->node[place].example);
	bool any = paths->node[place].members > 1 && exact_has_one(chain);
	for (uint32_t id = 0; any && id < paths->objects; id++)
		if (exact_node(chain, id) == place) {
			exact_see(chain, id);
			any = exact_has_one(chain);
		}
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
static uint32_t exact_container(const struct exact_chain *chain, uint32_t object,
                                struct step_inner *inner)
{
	const struct analysis *analysis = chain->tree->analysis;
	const struct reach *reach = analysis_reach(analysis);
	const struct structures *structures = analysis_structures(analysis);
	uint32_t objects = heap_object_count(reach->heap), at = reach_before(reach, object);
	while (at < objects) {
		uint32_t before = reach_before(reach, at);
		bool inside = (structures && structures_of(structures, at) != at)
		              || (before < objects && step_inner_has(inner, before, at));
		if (!inside)
			break;
		at = before;
	}
	return at;
}

/* Appends the step to an entry with its key. False: that is not a step such as `step`. */
static bool exact_add_key(const struct exact_chain *chain, size_t i, const char *step,
                          struct step_inner *inner, struct buf *out)
{
	static const char any[] = "[*]";
	const struct analysis *analysis = chain->tree->analysis;
	uint32_t object = chain->place[i].object, container = exact_container(chain, object, inner);
	SCOPED_BUF before = {0}, whole = {0};
	if (container < heap_object_count(analysis_heap(analysis))
	    && !exact_add_steps(analysis, container, &before))
		return false;
	if (!exact_add_steps(analysis, object, &whole) || whole.len <= before.len
	    || memcmp(buf_text(&whole), buf_text(&before), before.len) != 0)
		return false;
	const char *key = buf_text(&whole) + before.len, *at = strstr(step, any);
	size_t head = (size_t)(at - step), tail = strlen(at) - strlen(any), len = strlen(key);
	bool alike = len > head + tail + 2 && memcmp(key, step, head) == 0 && key[head] == '['
	             && key[len - tail - 1] == ']' && strcmp(key + len - tail, at + strlen(any)) == 0
	             && !strstr(at + strlen(any), any);
	if (alike)
		buf_add(out, key);
	return alike;
}

void path_exact_add(const struct path_tree *path_tree, uint32_t place, struct buf *out)
{
	struct exact_chain chain = {.tree = path_tree};
	struct step_inner inner = {.analysis = path_tree->analysis};
	SCOPED_BUF step = {0};
	exact_begin(&chain, place);
	exact_find(&chain);
	for (size_t i = 0; i < chain.count; i++) {
		buf_clear(&step);
		path_tree_add_step(path_tree, chain.place[i].place, &step);
		if (!chain.place[i].one || !exact_add_key(&chain, i, buf_text(&step), &inner, out))
			buf_add(out, buf_text(&step));
	}
	step_inner_fini(&inner);
	free(chain.place);
	free(chain.seen);
}
