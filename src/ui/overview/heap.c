/* Overview: the bytes of all objects, and what points to them from outside. */
#include "ui/overview.h"

#include "base/text.h"
#include "table/node.h"

#include <inttypes.h>

/* What is reachable, by how firmly it is held: together all of it. */
static void add_owners(struct section *section, const struct analysis *analysis)
{
	for (enum strength s = 0; analysis_stage(analysis) >= STAGE_OWNED && s < STRENGTH_WEAK; s++) {
		const struct dominators *owners = node_strength_tree(analysis, s);
		uint32_t node = anchors_node(analysis->anchors, analysis->anchors->strength[s]);
		struct buf name = {0}, link = {0};
		buf_add(&name, "  ");
		node_add_name(analysis, node, &name);
		buf_addf(&link, "strengths %s", strength_names[s]);
		if (owners->bytes[node])
			overview_bytes(section, buf_text(&link), owners->bytes[node],
			               objects_bytes(analysis->heap->objects), buf_text(&name));
		buf_free(&name);
		buf_free(&link);
	}
}

void overview_heap(struct overview *overview)
{
	const struct analysis *analysis = overview->analysis;
	struct section section = {&overview->page, "HEAP"};
	uint64_t bytes = objects_bytes(analysis->heap->objects);
	uint64_t count = heap_object_count(analysis->heap);
	struct buf name = {0};
	text_add_count(&name, count);
	buf_add(&name, " objects");
	overview_bytes(&section, "objects", bytes, 0, buf_text(&name));
	buf_free(&name);
	if (analysis_stage(analysis) < STAGE_REACHED)
		return;
	const struct reach *reach = analysis->reach;
	if (!reach->known) {
		overview_line(&section, "unreachable");
		page_put(section.page, PAGE_LEFT, OVERVIEW_TEXT, STYLE_WARNING,
		         "no roots: what is alive cannot be told; all objects, by their heads");
		return;
	}
	overview_bytes(&section, "objects reachable", reach->bytes, bytes, "reachable");
	add_owners(&section, analysis);
	if (reach->weak_bytes)
		overview_bytes(&section, "strengths weak", reach->weak_bytes, bytes, "only weak roots");
	overview_bytes(&section, "unreachable", bytes - reach->bytes - reach->weak_bytes, bytes,
	               "no root in the dump");
}

void overview_roots(struct overview *overview)
{
	const struct heap *heap = overview->analysis->heap;
	struct section section = {&overview->page, "ROOTS"};
	overview_count(&section, "roots", heap->root_count, 0, "pointers into the heap from outside");
	struct root_kinds kinds = heap_root_kinds(heap);
	for (int kind = kinds.first; kind < kinds.end; kind++) {
		uint32_t count = heap->root_kind_first[kind + 1] - heap->root_kind_first[kind];
		struct buf link = {0};
		buf_addf(&link, "roots %s", root_kind_names[kind]);
		if (count)
			overview_count(&section, buf_text(&link), count, heap->root_count, root_kind_names[kind]);
		buf_free(&link);
	}
}
