/* The part of an object's page that says what keeps it alive: its distance from a root, its path,
   its dominators, and its retained size. */
#include "report/object.h"

#include "analysis/damage.h"
#include "analysis/roots_above.h"
#include "base/text.h"
#include "heap/heap.h"
#include "table/naming/root.h"
#include "table/naming/step.h"
#include "table/naming/variable_user.h"
#include "table/owners/node.h"
#include "table/paths/path_steps.h"

#include <inttypes.h>

enum {
	/* up to this number of objects, all paths to an object are searched at once */
	QUICK_OBJECTS = 1 << 20,
	DOMINATORS_ON_LINE = 2, /* without the ends */
	HOLDERS_ON_LINE = 3,
	ROOTS_ABOVE_MOST = 1 << 20 /* objects that are visited to count the roots above one */
};

/* Returns the paths of the object; NULL: not available yet. */
static struct paths *object_paths(struct page *page)
{
	struct object_page *object = page->own;
	if (!object->paths && analysis_has(page->analysis, STAGE_REVERSED))
		object->paths =
			paths_open(analysis_heap(page->analysis), analysis_reach(page->analysis), object->id);
	return object->paths;
}

/* Appends "yes, 5 steps from a root; there is no other path to it", whether there are other paths
   only if searching them is quick. */
static void object_add_steps_from_root(struct page *page, struct buf *out)
{
	struct paths *paths = object_paths(page);
	const struct path *path = paths ? paths_get(paths, 0, NULL) : NULL;
	SCOPED_BUF cause = {0};
	buf_add(out, "yes");
	if (!path)
		return;
	buf_addf(out, ", %s from a root",
	         text_number_of(path_steps_count(page->analysis, path), "step", "steps").text);
	if (!(page->form & FORM_PEOPLE)
	    || heap_object_count(analysis_heap(page->analysis)) > QUICK_OBJECTS)
		return;
	if (paths_get(paths, 1, NULL))
		buf_add(out, "; there are other paths to it");
	else if (paths_exhausted(paths))
		buf_addf(out, "; there is no other path to it%s",
		         damage_cause(analysis_heap(page->analysis), DAMAGE_ROOTS, &cause)
		             ? " from what was read"
		             : "");
}

void object_add_reach(struct page *page)
{
	const struct object_page *object = page->own;
	const struct analysis *analysis = page->analysis;
	SCOPED_BUF text = {0};
	bool known = analysis_has(analysis, STAGE_REACHED) && analysis_has_roots(analysis);
	bool reachable = known && reach_has(analysis_reach(analysis), object->id);
	if (known)
		page_bool(page, "reachable", reachable);
	else
		page_null(page, "reachable");
	if (!analysis_has(analysis, STAGE_REACHED)) {
		buf_add(&text, "not known yet");
	} else if (!known) {
		buf_add(&text, "unknown: there are no roots in the dump");
	} else if (reachable) {
		object_add_steps_from_root(page, &text);
	} else {
		root_add_none(analysis, object->id, &text);
	}
	page_field(page, "reachable", buf_text(&text));
}

/* Adds "13.3 KB, 0.2% of all that is reachable, 254 objects". */
static void object_add_retained(struct page *page, const struct dominators *dominators)
{
	const struct object_page *object = page->own;
	uint64_t count = dominators_objects(dominators, object->id);
	SCOPED_BUF text = {0}, link = {0};
	buf_addf(&text, "%s, ", text_size(dominators_bytes(dominators, object->id)).text);
	text_add_share(&text, dominators_bytes(dominators, object->id),
	               dominators_bytes(dominators, dominators->root));
	buf_addf(&text, " of all that %s, ",
	         dominators->retain == RETAIN_WEAK ? "any root leads to" : "is reachable");
	text_add_number_of(&text, count, "object", "objects");
	buf_addf(&link, "retained-tree 0x%" PRIx64, page->address);
	page_entry(page, count > 1 ? buf_text(&link) : NULL, STYLE_FAINT,
	           dominators->retain == RETAIN_STRONGEST ? "owns" : "retained", STYLE_PLAIN,
	           buf_text(&text));
}

/* Appends the dominators that are objects, as "> 0xa > 0xb ": those nearest to the object, and the
   number of others. Returns the first dominator that is no object. */
static uint32_t object_add_dominators(const struct page *page, const struct dominators *dominators,
                                      struct buf *out)
{
	const struct heap *heap = analysis_heap(page->analysis);
	uint32_t objects = heap_object_count(heap), near[DOMINATORS_ON_LINE];
	uint64_t count = 0;
	uint32_t node = dominators_above(dominators, ((const struct object_page *)page->own)->id);
	for (; node < objects; node = dominators_above(dominators, node)) {
		if (count < DOMINATORS_ON_LINE)
			near[count] = node;
		count++;
	}
	if (count > DOMINATORS_ON_LINE)
		buf_addf(out, "> … %s more … ", text_count(count - DOMINATORS_ON_LINE).text);
	for (uint64_t i = count < DOMINATORS_ON_LINE ? count : DOMINATORS_ON_LINE; i-- > 0;)
		buf_addf(out, "> 0x%" PRIx64 " ", heap_address(heap, near[i]));
	return node;
}

/* Appends "3 roots: main.cache, main.last and 1 more", or that several roots lead to the object,
   where they are too many to count. */
static void object_add_roots(const struct page *page, const struct dominators *dominators,
                             const struct root_node *root_node, struct buf *out)
{
	const struct analysis *analysis = page->analysis;
	uint32_t named[ROOTS_ABOVE_NAMED];
	size_t count = dominators->retain != RETAIN_ALIVE || !analysis_has(analysis, STAGE_REVERSED)
	                   ? 0
	                   : roots_above_count(dominators->root_nodes, analysis_reach(analysis),
	                                       ((const struct object_page *)page->own)->id,
	                                       ROOTS_ABOVE_MOST, named);
	if (count < ROOTS_ABOVE_NAMED) {
		buf_addf(out, "several roots together%s",
		         root_node->kind == ROOT_NODE_ALL ? ", of several kinds" : "");
		return;
	}
	buf_addf(out, "%s roots: ", text_count(count).text);
	for (size_t i = 0; i < ROOTS_ABOVE_NAMED; i++) {
		uint32_t node = root_nodes_node(dominators->root_nodes, named[i]);
		buf_add(out, i == 0 ? "" : count == ROOTS_ABOVE_NAMED ? " and " : ", ");
		entity_add_name(analysis, entity_of_node(analysis, node), out);
	}
	if (count > ROOTS_ABOVE_NAMED)
		buf_addf(out, " and %s more", text_count(count - ROOTS_ABOVE_NAMED).text);
}

/* Adds "main.cache > 0xc000012340 > this": the dominators of the object. */
static void object_add_holder(struct page *page, const struct dominators *dominators)
{
	const struct analysis *analysis = page->analysis;
	const struct object_page *object = page->own;
	SCOPED_BUF chain = {0}, text = {0}, link = {0};
	uint32_t top = object_add_dominators(page, dominators, &chain);
	const struct root_node *root_node = node_root_node(analysis, top);
	if (root_node && root_nodes_is_flat_node(dominators->root_nodes, top))
		object_add_roots(page, dominators, root_node, &text);
	else
		entity_add_name(analysis, entity_of_node(analysis, top), &text);
	if (!chain.len)
		variable_user_add_behind(analysis, entity_of_node(analysis, top), &text);
	else
		buf_addf(&text, " %s> this", buf_text(&chain));
	entity_link(analysis, entity_of_node(analysis, dominators_above(dominators, object->id)),
	            &link);
	page_entry(page, buf_text(&link), STYLE_FAINT,
	           dominators->retain == RETAIN_STRONGEST ? "owned by" : "held by", STYLE_LINK,
	           buf_text(&text));
}

/* Adds what the object retains, by the current setting; nothing if it is unreachable. */
void object_add_holding(struct page *page)
{
	uint64_t bytes;
	const struct object_page *object = page->own;
	if (node_retained(page->analysis, object->id, &bytes)) {
		object_add_retained(page, analysis_retained(page->analysis));
		object_add_holder(page, analysis_retained(page->analysis));
	}
	const struct heap *heap = analysis_heap(page->analysis);
	for (uint32_t i = 0; i < heap->finalizer_count; i++)
		if (heap_find(heap, heap->finalizers[i].object) == object->id) {
			page_field(page, "finalizer",
			           heap->finalizers[i].queued ? "has one that is due or running" : "has one");
			break;
		}
}

/* Adds "> 0xa > … 200 more … > 0xc > this". */
static void object_add_steps(struct page *page, const struct path *path)
{
	struct path_steps steps;
	SCOPED_BUF text = {0}, link = {0};
	path_steps_init(&steps, page->analysis, path);
	size_t holders = steps.count - 1;
	for (size_t i = 0; i < holders; i++) {
		if (holders > HOLDERS_ON_LINE && i == 1) {
			buf_addf(&text, "> … %s more … ", text_count(holders - 2).text);
			i = holders - 1;
		}
		buf_addf(&text, "> 0x%" PRIx64 " ",
		         heap_address(analysis_heap(page->analysis), path->step[steps.at[i]]));
	}
	path_steps_fini(&steps);
	buf_add(&text, "> this");
	buf_addf(&link, "path 0x%" PRIx64, page->address);
	page_entry(page, buf_text(&link), STYLE_HEAD, "", STYLE_LINK, buf_text(&text));
}

/* Adds the root, the length and the text of its first path. */
static void object_add_path(struct page *page, const struct path *path)
{
	const struct analysis *analysis = page->analysis;
	struct entity root = {ENTITY_ROOT, path->root, 0};
	SCOPED_BUF text = {0}, link = {0};
	page_number(page, "distance", path_steps_count(analysis, path));
	entity_add_name(analysis, root, &text);
	page_text(page, "root", &text);
	buf_clear(&text);
	step_add_path(analysis, path, &text);
	page_text(page, "path", &text);
	entity_link(analysis, root, &link);
	page_entry(page, buf_text(&link), STYLE_HEAD, "PATH", STYLE_LINK, buf_text(&text));
	object_add_steps(page, path);
}

static void object_add_no_path(struct page *page)
{
	SCOPED_BUF cause = {0}, doubt = {0};
	page_null(page, "distance");
	page_null(page, "root");
	page_null(page, "path");
	bool doubted = damage_cause(analysis_heap(page->analysis), DAMAGE_ROOTS, &cause);
	page_entry(page, NULL, STYLE_HEAD, "PATH", STYLE_PLAIN,
	           !analysis_has_roots(page->analysis) ? "unknown: there are no roots in the dump"
	           : doubted                           ? "unknown: no root that was read leads to it"
	                                               : "none: it is unreachable from any root in the "
	                                                 "dump");
	if (doubted) {
		page_line(page, NULL);
		buf_addf(&doubt, "Roots may be missing: %s.", buf_text(&cause));
		page_paragraph(page, PAGE_TEXT_COLUMN, STYLE_WARNING, buf_text(&doubt));
	}
}

void object_add_paths(struct page *page)
{
	struct paths *paths = object_paths(page);
	const struct path *path = paths ? paths_get(paths, 0, NULL) : NULL;
	page_line(page, NULL);
	if (!paths)
		page_waiting(page, "PATH", STAGE_REVERSED);
	else if (path)
		object_add_path(page, path);
	else
		object_add_no_path(page);
}
