#include "table/owners/owner_step.h"

#include "table/naming/entity.h"
#include "table/naming/reference.h"
#include "table/naming/step.h"

#include <string.h>

enum {
	STEPS = 16,   /* most steps between a row and its parent */
	MANY = 100000 /* limit on pointers of an object that is searched for the next step */
};

struct owner_path {
	uint32_t object[STEPS]; /* the last one first */
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
	while (path->count < STEPS) {
		path->object[path->count++] = object;
		object = reach_before(analysis_reach(analysis), object);
		if (object == OBJECT_NONE)
			return false;
		if (object < objects && object == above)
			return true;
		if (object < objects) /* else it is a root, whose number is not that of a node */
			continue;
		path->root = &heap->roots[object - objects];
		return root_node != UINT32_MAX && root_nodes->of_root[object - objects] == root_node;
	}
	return false;
}

/* Appends the field of a variable. */
static bool owner_step_add_root(const struct analysis *analysis, uint32_t above,
                                const struct root *root, struct buf *out)
{
	struct buf whole = {0}, name = {0};
	entity_add_name(analysis, entity_of_node(analysis, above), &whole);
	entity_add_name(analysis, entity_of_root(analysis_heap(analysis), root), &name);
	bool begins = strncmp(buf_text(&name), buf_text(&whole), whole.len) == 0;
	if (begins)
		buf_add(out, buf_text(&name) + whole.len);
	buf_free(&whole);
	buf_free(&name);
	return begins;
}

static bool owner_step_add_all(const struct analysis *analysis, uint32_t above,
                               const struct owner_path *path, struct buf *out)
{
	const struct heap *heap = analysis_heap(analysis);
	const struct structures *structures = analysis_structures(analysis);
	if (path->root && !owner_step_add_root(analysis, above, path->root, out))
		return false;
	for (size_t at = path->count - (path->root ? 1 : 0); at-- > 0;) {
		uint32_t from = at + 1 < path->count ? path->object[at + 1] : above;
		uint32_t to = path->object[at];
		if (!analysis_parts(analysis) && structures_is_inside(structures, from, to))
			continue;
		if (heap_references(heap, from).count > MANY)
			return false;
		step_add(analysis, from, reference_offset(heap, from, to, 0), out);
	}
	return true;
}

bool owner_step_add(const struct analysis *analysis, uint32_t above, uint32_t object,
                    struct buf *out)
{
	struct owner_path path;
	struct buf steps = {0};
	bool known = owner_step_find(analysis, above, object, &path)
	             && owner_step_add_all(analysis, above, &path, &steps) && steps.len;
	if (known)
		buf_add(out, buf_text(&steps));
	buf_free(&steps);
	return known;
}
