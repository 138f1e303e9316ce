/* Overview: the bytes of all objects, and what points to them from outside. */
#include "ui/overview.h"

#include "base/text.h"
#include "table/node.h"

#include <inttypes.h>

/* What is reachable, by how firmly it is held: together all of it. */
static void overview_heap_add_owners(struct section *section, const struct analysis *analysis)
{
	for (enum root_class s = 0; analysis_has(analysis, STAGE_OWNED) && s < ROOT_CLASS_WEAK; s++) {
		const struct dominators *owners = node_root_class_tree(analysis, s);
		uint32_t node = root_nodes_node(analysis_root_nodes(analysis),
		                                analysis_root_nodes(analysis)->root_class[s]);
		struct buf name = {0}, link = {0};
		buf_add(&name, "  ");
		node_add_name(analysis, node, &name);
		buf_addf(&link, "root-classes %s", root_class_names[s]);
		if (owners->bytes[node])
			overview_bytes(section, buf_text(&link), owners->bytes[node],
			               analysis_reach(analysis)->bytes, buf_text(&name));
		buf_free(&name);
		buf_free(&link);
	}
}

/* Not of what is reachable: it says of what. */
static void add_unreachable(struct section *section, uint64_t bytes, uint64_t all)
{
	struct buf name = {0};
	buf_add(&name, "no root in the dump");
	if (bytes) {
		buf_add(&name, ", ");
		text_add_share(&name, bytes, all);
		buf_add(&name, " of all");
	}
	overview_bytes(section, "unreachable", bytes, 0, buf_text(&name));
	buf_free(&name);
}

void overview_heap(struct overview *overview)
{
	const struct analysis *analysis = overview->analysis;
	struct section section = {&overview->page, "HEAP"};
	uint64_t bytes = objects_bytes(analysis_heap(analysis)->objects);
	uint64_t count = heap_object_count(analysis_heap(analysis));
	struct buf name = {0};
	text_add_count(&name, count);
	buf_add(&name, " objects");
	overview_bytes(&section, "objects", bytes, 0, buf_text(&name));
	buf_free(&name);
	if (!analysis_has(analysis, STAGE_REACHED))
		return;
	const struct reach *reach = analysis_reach(analysis);
	if (!reach->known) {
		overview_line(&section, "unreachable");
		page_put(section.page, PAGE_LEFT, OVERVIEW_TEXT, STYLE_WARNING,
		         "no roots: what is alive cannot be told; all objects, by their heads");
		return;
	}
	/* The shares of owners below are of the same, as are those of their tables. */
	overview_bytes(&section, "objects reachable", reach->bytes, reach->bytes,
	               "reachable (owners' 100%)");
	overview_heap_add_owners(&section, analysis);
	if (reach->weak_bytes)
		overview_bytes(&section, "root-classes weak", reach->weak_bytes, 0, "only weak roots");
	add_unreachable(&section, bytes - reach->bytes - reach->weak_bytes, bytes);
}

/* A finalizer has its function, and what its object refers to. */
static void add_root_kind(const struct heap *heap, enum root_kind kind, struct buf *out)
{
	uint32_t queued = heap->queued_finalizer_count;
	buf_add(out, root_kind_names[kind]);
	if (kind != ROOT_FINALIZER && kind != ROOT_QUEUED_FINALIZER)
		return;
	buf_add(out, ": pointers of ");
	text_add_number_of(out, kind == ROOT_FINALIZER ? heap->finalizer_count - queued : queued,
	                   "finalizer", "finalizers");
}

void overview_roots(struct overview *overview)
{
	const struct heap *heap = analysis_heap(overview->analysis);
	struct section section = {&overview->page, "ROOTS"};
	overview_count(&section, "roots", heap->root_count, 0, "pointers into the heap from outside");
	struct root_kinds kinds = heap_root_kinds(heap);
	for (int kind = kinds.first; kind < kinds.end; kind++) {
		uint32_t count = heap->root_kind_first[kind + 1] - heap->root_kind_first[kind];
		struct buf link = {0}, name = {0};
		buf_addf(&link, "roots %s", root_kind_names[kind]);
		add_root_kind(heap, (enum root_kind)kind, &name);
		if (count)
			overview_count(&section, buf_text(&link), count, heap->root_count, buf_text(&name));
		buf_free(&link);
		buf_free(&name);
	}
}
