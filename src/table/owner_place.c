#include "table/owner_place.h"

#include "base/map.h"
#include "base/mem.h"
#include "table/entity.h"
#include "table/step_class.h"
#include "table/typed.h"

#include <stdlib.h>
#include <string.h>

enum {
	STEPS = 64,    /* of a place that is named */
	OBJECTS = 256, /* along these, with the parts of maps */
	DIFFERENT = 64 /* places of a group that are looked at, to say whether they are called the same
	                */
};

bool owner_places_open(struct owner_places *places, const struct analysis *analysis,
                       const uint32_t *objects, size_t count, struct progress *progress)
{
	if (!analysis_typing(analysis))
		return true;
	places->step_classes = step_classes_new(analysis);
	struct merge_labels labels = step_classes_labels(places->step_classes);
	places->merged_paths = merge_paths(analysis_reach(analysis), objects, count, &labels, progress);
	if (!places->merged_paths)
		owner_places_close(places);
	return places->merged_paths;
}

bool owner_places_open_all(struct owner_places *places, const struct analysis *analysis,
                           struct progress *progress)
{
	uint32_t count = heap_object_count(analysis_heap(analysis));
	return owner_places_open(places, analysis, NULL, count, progress);
}

void owner_places_close(struct owner_places *places)
{
	merged_paths_free(places->merged_paths);
	step_classes_free(places->step_classes);
	*places = (struct owner_places){0};
}

/* Of a node; OBJECT_NONE: it has none. */
static uint32_t owner_place_of(const struct merged_paths *paths, uint32_t node)
{
	return node < paths->objects ? paths->node_of[node] : OBJECT_NONE;
}

static const char *owner_place_step(const struct owner_places *places, uint32_t place)
{
	return step_classes_step(places->step_classes, places->merged_paths->node[place].label);
}

/* ---- Below a row */

/* Of a topmost place, the field of the variable that the row above it is; of a word of a frame,
   nothing. False: the row above is something else. */
static bool owner_place_add_root(const struct owner_places *places, const struct analysis *analysis,
                                 uint32_t above, uint32_t place, struct buf *out)
{
	const struct root_nodes *root_nodes = analysis_root_nodes(analysis);
	uint32_t root_node = root_nodes_of_node(root_nodes, above);
	const char *step = owner_place_step(places, place);
	struct buf name = {0};
	if (root_node == UINT32_MAX || root_nodes->root_node[root_node].kind != ROOT_NODE_GLOBAL)
		return root_node != UINT32_MAX && root_nodes->root_node[root_node].kind == ROOT_NODE_SLOT;
	entity_add_name(analysis, entity_of_node(analysis, above), &name);
	bool begins = strncmp(step, buf_text(&name), name.len) == 0;
	if (begins)
		buf_add(out, step + name.len);
	buf_free(&name);
	return begins;
}

/* Does a step lead on from what has a type, and so a name? */
static bool owner_place_is_named(const struct owner_places *places, const struct analysis *analysis,
                                 uint32_t place)
{
	const struct merge_node *node = places->merged_paths->node;
	uint32_t parent = node[place].parent;
	return parent == OBJECT_NONE || typing_type(analysis_typing(analysis), node[parent].example);
}

/* From the place of `above`, or from the root if that is OBJECT_NONE, to another one. */
static bool owner_place_add(const struct owner_places *places, const struct analysis *analysis,
                            uint32_t above, uint32_t place, struct buf *out)
{
	const struct merged_paths *paths = places->merged_paths;
	uint32_t chain[STEPS], end = owner_place_of(paths, above);
	size_t count = 0;
	for (; place != OBJECT_NONE && place != end; place = paths->node[place].parent) {
		if (count == STEPS || !owner_place_is_named(places, analysis, place))
			return false;
		chain[count++] = place;
	}
	if (place != end)
		return false;
	if (place == OBJECT_NONE && above != OBJECT_NONE
	    && (!count || !owner_place_add_root(places, analysis, above, chain[--count], out)))
		return false;
	while (count)
		buf_add(out, owner_place_step(places, chain[--count]));
	return out->len > 0;
}

/* Does each step from `above` to a node lead to another place? Those along a list or down a tree do
   not, and how many they are differs. */
static bool owner_place_is_straight(const struct owner_places *places,
                                    const struct analysis *analysis, uint32_t above, uint32_t node)
{
	const struct merged_paths *paths = places->merged_paths;
	const struct structures *structures = analysis_structures(analysis);
	for (size_t steps = 0; node != above; steps++) {
		uint32_t before = reach_before(analysis_reach(analysis), node);
		if (before >= paths->objects)
			return true;
		if (steps == OBJECTS
		    || (paths->node_of[before] == paths->node_of[node]
		        && !structures_is_inside(structures, before, node)))
			return false;
		node = before;
	}
	return true;
}

bool owner_places_add(const struct owner_places *places, const struct analysis *analysis,
                      uint32_t above, struct ids nodes, struct buf *out)
{
	const struct merged_paths *paths = places->merged_paths;
	struct buf common = {0}, name = {0};
	uint32_t last = OBJECT_NONE;
	size_t different = 0;
	bool alike = paths && nodes.count;
	for (size_t i = 0; alike && i < nodes.count; i++) {
		uint32_t place = owner_place_of(paths, nodes.id[i]);
		alike = place != OBJECT_NONE
		        && owner_place_is_straight(places, analysis, above, nodes.id[i]);
		if (!alike || (place == last && i))
			continue;
		last = place;
		buf_clear(&name);
		alike = different++ < DIFFERENT && owner_place_add(places, analysis, above, place, &name);
		if (i == 0)
			buf_add(&common, buf_text(&name));
		alike = alike && strcmp(buf_text(&common), buf_text(&name)) == 0;
	}
	if (alike)
		buf_add(out, buf_text(&common));
	buf_free(&common);
	buf_free(&name);
	return alike;
}

/* ---- Where most of it is */

/* The root that the path of a place begins at. */
static uint32_t owner_place_root(const struct owner_places *places, const struct analysis *analysis,
                                 uint32_t place)
{
	const struct merge_node *node = places->merged_paths->node;
	while (node[place].parent != OBJECT_NONE)
		place = node[place].parent;
	return reach_before(analysis_reach(analysis), node[place].example)
	       - places->merged_paths->objects;
}

/* Places and what lies at them, to be taken from the furthest on: a heap by their numbers, which
   grow with the depth. */
struct climb {
	struct map sums;
	uint32_t *place;
	size_t count, capacity;
};

static void climb_swap(struct climb *climb, size_t a, size_t b)
{
	uint32_t place = climb->place[a];
	climb->place[a] = climb->place[b];
	climb->place[b] = place;
}

static void climb_add(struct climb *climb, uint32_t place, uint64_t bytes)
{
	uint64_t sum = 0;
	bool known = map_get(&climb->sums, place, &sum);
	map_put(&climb->sums, place, sum + bytes);
	if (known)
		return;
	climb->place = mem_grow(climb->place, climb->count, &climb->capacity, sizeof *climb->place);
	size_t at = climb->count++;
	climb->place[at] = place;
	for (; at && climb->place[(at - 1) / 2] < climb->place[at]; at = (at - 1) / 2)
		climb_swap(climb, at, (at - 1) / 2);
}

/* All that adds to its sum has been taken before. */
static uint32_t climb_take(struct climb *climb)
{
	uint32_t first = *climb->place;
	*climb->place = climb->place[--climb->count];
	for (size_t at = 0, below = 1; below < climb->count; at = below, below = 2 * at + 1) {
		below += below + 1 < climb->count && climb->place[below] < climb->place[below + 1];
		if (climb->place[at] >= climb->place[below])
			break;
		climb_swap(climb, at, below);
	}
	return first;
}

/* The furthest one that more than half of the bytes are at, each place on the way seen once. */
static uint32_t owner_place_heaviest(const struct merged_paths *paths,
                                     const struct dominators *dominators, struct ids nodes)
{
	struct climb climb = {0};
	uint64_t all = 0;
	uint32_t best = OBJECT_NONE;
	for (size_t i = 0; i < nodes.count; i++) {
		uint32_t place = owner_place_of(paths, nodes.id[i]);
		all += dominators_bytes(dominators, nodes.id[i]);
		if (place != OBJECT_NONE)
			climb_add(&climb, place, dominators_bytes(dominators, nodes.id[i]));
	}
	while (climb.count && best == OBJECT_NONE) {
		uint32_t place = climb_take(&climb);
		uint64_t sum = 0;
		map_get(&climb.sums, place, &sum);
		if (sum > all / 2)
			best = place;
		else if (paths->node[place].parent != OBJECT_NONE)
			climb_add(&climb, paths->node[place].parent, sum);
	}
	map_free(&climb.sums);
	free(climb.place);
	return best;
}

bool owner_places_most(const struct owner_places *places, const struct analysis *analysis,
                       const struct dominators *dominators, struct ids nodes,
                       struct owner_place *found)
{
	const struct merged_paths *paths = places->merged_paths;
	uint32_t place = paths ? owner_place_heaviest(paths, dominators, nodes) : OBJECT_NONE;
	if (place == OBJECT_NONE)
		return false;
	*found = (struct owner_place){place, owner_place_root(places, analysis, place)};
	for (; place != OBJECT_NONE; place = paths->node[place].parent)
		if (!owner_place_is_named(places, analysis, place))
			found->place = paths->node[place].parent;
	const struct root *root = &analysis_heap(analysis)->roots[found->root];
	struct buf name = {0};
	bool known = (root->kind == ROOT_DATA || root->kind == ROOT_BSS)
	             && typed_add_global(analysis, root->address, NULL, &name);
	buf_free(&name);
	return known;
}

void owner_places_add_name(const struct owner_places *places, uint32_t place, struct buf *out)
{
	const struct merge_node *node = places->merged_paths->node;
	uint32_t chain[STEPS];
	size_t count = 0;
	for (; place != OBJECT_NONE && count < STEPS; place = node[place].parent)
		chain[count++] = place;
	if (place != OBJECT_NONE)
		buf_add(out, "… ");
	while (count)
		buf_add(out, owner_place_step(places, chain[--count]));
}
