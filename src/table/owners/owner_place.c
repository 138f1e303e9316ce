#include "table/owners/owner_place.h"

#include "analysis/structures.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/plugin.h"
#include "heap/name_part.h"
#include "heap/root.h"
#include "table/naming/root.h"
#include "table/naming/step.h"
#include "table/naming/step_class.h"
#include "table/naming/typed.h"
#include "table/owners/owner_common.h"

#include <stdlib.h>
#include <string.h>

enum {
	STEPS = 64,            /* most steps of a named place */
	OBJECTS = 256,         /* most objects on a path, with the parts of maps */
	DIFFERENT = 64,        /* most places of a group whose names are compared */
	ROW_STEPS = 16,        /* most steps between a row and its parent */
	MANY_POINTERS = 100000 /* limit on those of an object that is searched for the next step */
};

bool owner_places_whole(const struct analysis *analysis, struct progress *progress,
                        const struct path_tree **places)
{
	*places = NULL;
	if (!analysis_typing(analysis))
		return true;
	*places = analysis_kept(analysis, &path_tree_whole, RETAIN_ALIVE, progress);
	return *places;
}

/* ---- Shared by several owners */

static struct path_tree *owner_places_shared_new(const struct analysis *analysis,
                                                 const struct owners *owners,
                                                 struct progress *progress)
{
	SCOPED_FREE uint32_t *shared = mem_alloc((owners->tops + (size_t)1) * sizeof *shared);
	uint32_t objects = heap_object_count(analysis_heap(analysis));
	size_t count = 0;
	for (uint32_t at = 0; at < owners->shared_sets; at++) {
		const struct shared_set *set = &owners->shared_set[at];
		for (uint32_t i = 0; i < set->nodes; i++)
			if (owners_of_shared_set(owners, at).count != 1
			    && owners->top[set->first + i] < objects)
				shared[count++] = owners->top[set->first + i];
	}
	struct path_tree *made = count ? path_tree_new(analysis, shared, count, progress)
	                               : mem_alloc(sizeof *made);
	return made;
}

static void *owner_places_shared_make(const struct analysis *analysis, enum retain retain,
                                      struct progress *progress)
{
	const struct owners *owners =
		analysis_has_roots(analysis) ? analysis_owners(analysis, retain, progress) : NULL;
	return owners ? owner_places_shared_new(analysis, owners, progress) : NULL;
}

DEFINE_PLUGIN(kept_kinds, struct kept_kind, owner_places_shared_kept) = {
	.name = "joint",
	.needs = STAGE_TYPED | STAGE_OWNED,
	.by_retain = true,
	.make = owner_places_shared_make,
	.free = path_tree_free,
	.empty = path_tree_empty,
	.index = path_tree_index,
};

bool owner_places_shared(const struct analysis *analysis, const struct owners *owners,
                         struct progress *progress, const struct path_tree **places)
{
	*places = NULL;
	if (!analysis_typing(analysis))
		return true;
	*places =
		analysis_kept(analysis, &owner_places_shared_kept, owners->dominators->retain, progress);
	return *places;
}

/* ---- */

/* Returns the place of a node; OBJECT_NONE: none. */
static uint32_t owner_place_of(const struct merged_paths *paths, uint32_t node)
{
	return node < paths->objects ? merged_paths_node(paths, node) : OBJECT_NONE;
}

/* ---- Below a row */

/* Returns the root that the path of a topmost place begins with. */
static uint32_t owner_place_root(const struct path_tree *places, const struct analysis *analysis,
                                 uint32_t place)
{
	return reach_before(analysis_reach(analysis), places->merged_paths->node[place].example)
	       - places->merged_paths->objects;
}

/* Appends the field of a variable for a topmost place, if the parent row is that variable; nothing
   for a word of a frame. False: the parent row is something else. */
static bool owner_place_add_root(const struct path_tree *places, const struct analysis *analysis,
                                 uint32_t above, uint32_t place, struct buf *out)
{
	const struct root_nodes *root_nodes = analysis_root_nodes(analysis);
	uint32_t above_root = root_nodes_of_node(root_nodes, above);
	uint32_t root = owner_place_root(places, analysis, place);
	if (above_root == UINT32_MAX)
		return false;
	if (root_nodes->root_node[above_root].kind != ROOT_NODE_GLOBAL)
		return root_nodes->root_node[above_root].kind == ROOT_NODE_SLOT;
	return root_nodes->of_root[root] == above_root
	       && root_add_field(analysis, heap_root(analysis_heap(analysis), root), out);
}

/* Returns true if the step to the place begins at an object with a type, so that it has a name. */
static bool owner_place_is_named(const struct path_tree *places, const struct analysis *analysis,
                                 uint32_t place)
{
	const struct merge_node *node = places->merged_paths->node;
	uint32_t parent = node[place].parent;
	return parent == OBJECT_NONE || typing_type(analysis_typing(analysis), node[parent].example);
}

/* Appends the steps from the place of `above`, or from the root if that is OBJECT_NONE, to a place
   of objects whose paths all lead through one. */
static bool owner_place_add(const struct path_tree *places, const struct analysis *analysis,
                            uint32_t above, uint32_t place, uint32_t through, struct buf *out)
{
	const struct merged_paths *paths = places->merged_paths;
	uint32_t at = place, top = OBJECT_NONE, end = owner_place_of(paths, above);
	for (size_t steps = 0; at != OBJECT_NONE && at != end; at = paths->node[at].parent) {
		if (steps++ == STEPS || !owner_place_is_named(places, analysis, at))
			return false;
		top = at;
	}
	if (at != end)
		return false;
	bool of_root = at == OBJECT_NONE && above != OBJECT_NONE;
	if (of_root && (top == OBJECT_NONE || !owner_place_add_root(places, analysis, above, top, out)))
		return false;
	if (place != (of_root ? top : end))
		path_exact_add_below(places, place, through, of_root ? top : end, out);
	return out->len > 0;
}

/* Returns false if steps from `above` to a node stay in one place, as along a list or down a tree.
   The number of such steps varies, so the name would be ambiguous. */
static bool owner_place_is_straight(const struct path_tree *places, const struct analysis *analysis,
                                    uint32_t above, uint32_t node)
{
	const struct merged_paths *paths = places->merged_paths;
	const struct structures *structures = analysis_structures(analysis);
	for (size_t steps = 0; node != above; steps++) {
		uint32_t before = reach_before(analysis_reach(analysis), node);
		if (before >= paths->objects)
			return true;
		if (steps == OBJECTS
		    || (merged_paths_node(paths, before) == merged_paths_node(paths, node)
		        && !structures_is_inside(structures, before, node)))
			return false;
		node = before;
	}
	return true;
}

/* Puts the keys that all nodes have in common in place of [*]. */
static void owner_places_add_keys(const struct path_tree *places, const struct analysis *analysis,
                                  uint32_t above, struct ids nodes, struct buf *name)
{
	SCOPED_BUF exact = {.without = name->without};
	uint32_t place = owner_place_of(places->merged_paths, *nodes.id);
	uint32_t through = owner_common_of(analysis, above, nodes);
	if (through == OBJECT_NONE || !owner_place_add(places, analysis, above, place, through, &exact))
		return;
	buf_clear(name);
	buf_add(name, buf_text(&exact));
}

bool owner_places_add(const struct path_tree *places, const struct analysis *analysis,
                      uint32_t above, struct ids nodes, struct buf *out)
{
	const struct merged_paths *paths = places ? places->merged_paths : NULL;
	SCOPED_BUF common = {0}, name = {.without = NAME_INDEX};
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
		alike = different++ < DIFFERENT
		        && owner_place_add(places, analysis, above, place, OBJECT_NONE, &name);
		if (i == 0)
			buf_add(&common, buf_text(&name));
		alike = alike && strcmp(buf_text(&common), buf_text(&name)) == 0;
	}
	if (alike && strstr(buf_text(&common), "[*]"))
		owner_places_add_keys(places, analysis, above, nodes, &common);
	if (alike)
		buf_add(out, buf_text(&common));
	return alike;
}

/* ---- The place with most bytes */

/* Places and the bytes below them, in a max-heap by number. Numbers grow with the depth, so the
   deepest place is taken first. */
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

/* Removes the deepest place. Its sum is complete, because all deeper places were removed before. */
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

/* The furthest one that more than half of the bytes are at, each place on the path seen once. */
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

bool owner_places_most(const struct path_tree *places, const struct analysis *analysis,
                       const struct dominators *dominators, struct ids nodes,
                       struct owner_place *found)
{
	const struct merged_paths *paths = places ? places->merged_paths : NULL;
	uint32_t place = paths ? owner_place_heaviest(paths, dominators, nodes) : OBJECT_NONE;
	uint32_t top = place;
	if (place == OBJECT_NONE)
		return false;
	found->place = place;
	for (; place != OBJECT_NONE; place = paths->node[place].parent) {
		if (!owner_place_is_named(places, analysis, place))
			found->place = paths->node[place].parent;
		top = place;
	}
	found->root = owner_place_root(places, analysis, top);
	const struct root *root = heap_root(analysis_heap(analysis), found->root);
	return (root->kind == ROOT_DATA || root->kind == ROOT_BSS)
	       && typed_add_global(analysis, root->address, NULL, NULL);
}

void owner_places_add_name(const struct path_tree *places, uint32_t place, struct buf *out)
{
	const struct merge_node *node = places->merged_paths->node;
	uint32_t above = place;
	for (size_t steps = 0; above != OBJECT_NONE && steps < STEPS; steps++)
		above = node[above].parent;
	if (above != OBJECT_NONE)
		buf_add(out, "… ");
	/* names of two dumps are compared without keys */
	uint32_t through = name_wants(out, NAME_ADDRESS) ? places->fork[place] : OBJECT_NONE;
	path_exact_add_below(places, place, through, above, out);
}

/* ---- Steps to one object */

struct owner_path {
	uint32_t object[ROW_STEPS]; /* the last one first */
	size_t count;
	const struct root *root; /* the root of the path; NULL: it begins at the parent, an object */
};

/* Follows the path of the object back to the node `above`. False: it does not pass through it. */
static bool owner_step_find(const struct analysis *analysis, uint32_t above, uint32_t object,
                            struct owner_path *path)
{
	const struct heap *heap = analysis_heap(analysis);
	const struct root_nodes *root_nodes = analysis_root_nodes(analysis);
	uint32_t objects = heap_object_count(heap), root_node = root_nodes_of_node(root_nodes, above);
	*path = (struct owner_path){0};
	while (path->count < ROW_STEPS) {
		path->object[path->count++] = object;
		object = reach_before(analysis_reach(analysis), object);
		if (object == OBJECT_NONE)
			return false;
		if (object < objects && object == above)
			return true;
		if (object < objects) /* else it is a root, whose number is not that of a node */
			continue;
		path->root = heap_root(heap, object - objects);
		return root_node != UINT32_MAX && root_nodes->of_root[object - objects] == root_node;
	}
	return false;
}

static bool owner_step_add_all(const struct analysis *analysis, uint32_t above,
                               const struct owner_path *path, struct buf *out)
{
	const struct heap *heap = analysis_heap(analysis);
	const struct structures *structures = analysis_structures(analysis);
	if (path->root && !root_add_field(analysis, path->root, out))
		return false;
	for (size_t at = path->count - (path->root ? 1 : 0); at-- > 0;) {
		uint32_t from = at + 1 < path->count ? path->object[at + 1] : above;
		uint32_t to = path->object[at];
		/* What leads to an entry has no name, what leads from it does. */
		if (!analysis_parts(analysis)
		    && (structures_is_inside(structures, from, to)
		        || (step_is_inner(analysis, from) && !step_is_trie_entry(analysis, from))))
			continue;
		if (heap_references(heap, from).count > MANY_POINTERS)
			return false;
		step_add(analysis, from, reference_offset(heap, from, to, 0), out);
	}
	return true;
}

bool owner_step_add(const struct analysis *analysis, uint32_t above, uint32_t object,
                    struct buf *out)
{
	struct owner_path path;
	SCOPED_BUF steps = {0};
	bool known = owner_step_find(analysis, above, object, &path)
	             && owner_step_add_all(analysis, above, &path, &steps) && steps.len;
	if (known)
		buf_add(out, buf_text(&steps));
	return known;
}
