/* Names and types of nodes, part of table/node_kind.h. */
#include "table/node_kind.h"

#include "base/text.h"
#include "table/root.h"
#include "table/source.h"
#include "table/typed.h"

#include <inttypes.h>
#include <string.h>

enum { NAME_LIMIT = 200 };

const char *const root_node_kind_names[ROOT_NODE_KINDS] = {
	[ROOT_NODE_ALL] = "all",
	[ROOT_NODE_CLASS] = "strength",
	[ROOT_NODE_GLOBAL] = "global",
	[ROOT_NODE_GOROUTINE] = "goroutine",
	[ROOT_NODE_FRAME] = "frame",
	[ROOT_NODE_SLOT] = "slot",
	[ROOT_NODE_FINALIZER] = "finalizer",
	[ROOT_NODE_DEFER] = "defer",
	[ROOT_NODE_PANIC] = "panic",
	[ROOT_NODE_OTHER] = "other",
	[ROOT_NODE_POOL] = "pool",
	[ROOT_NODE_LOG] = "root",
};

const struct root_node *node_root_node(const struct analysis *analysis, uint32_t node)
{
	/* Objects have names before there are anchors. */
	if (node < heap_object_count(analysis->heap))
		return NULL;
	uint32_t index = root_nodes_of_node(analysis->root_nodes, node);
	return index == UINT32_MAX ? NULL : &analysis->root_nodes->root_node[index];
}

static void node_label_add_goroutine(const struct analysis *analysis, uint32_t index,
                                     struct buf *out)
{
	const struct heap *heap = analysis->heap;
	const struct goroutine *goroutine = &heap->goroutines[index];
	uint32_t frame = goroutine_significant_frame(heap, goroutine);
	buf_addf(out, "goroutine %" PRIu64, goroutine->record.id);
	if (frame == UINT32_MAX)
		return;
	struct text function = heap->frames[frame].record.function;
	buf_add_char(out, ' ');
	text_add_escaped(out, function.data, function.len, NAME_LIMIT);
}

static void node_label_add_frame(const struct analysis *analysis, uint32_t index, struct buf *out)
{
	struct text function = analysis->heap->frames[index].record.function;
	text_add_escaped(out, function.data, function.len, NAME_LIMIT);
	source_add_frame(analysis, index, out);
}

static const struct frame_record *frame_of_slot(const struct analysis *analysis, uint32_t index)
{
	return &analysis->heap->frames[analysis->heap->roots[index].holder].record;
}

static void node_label_add_slot(const struct analysis *analysis, uint32_t index, struct buf *out)
{
	const struct frame_record *frame = frame_of_slot(analysis, index);
	uint64_t address = analysis->heap->roots[index].address;
	if (!typed_add_local(analysis, frame, address, NULL, out))
		buf_addf(out, "+0x%" PRIx64, address - frame->sp);
}

static void node_label_add_object(const struct analysis *analysis, uint32_t id, struct buf *out)
{
	if (!typed_add(analysis, id, out))
		buf_add(out, "object");
	buf_addf(out, " 0x%" PRIx64, heap_address(analysis->heap, id));
}

void node_add_label(const struct analysis *analysis, uint32_t node, struct buf *out)
{
	static void (*const add[ROOT_NODE_KINDS])(const struct analysis *, uint32_t, struct buf *) = {
		[ROOT_NODE_GOROUTINE] = node_label_add_goroutine,
		[ROOT_NODE_FRAME] = node_label_add_frame,
		[ROOT_NODE_SLOT] = node_label_add_slot,
	};
	const struct root_node *root_node = node_root_node(analysis, node);
	if (!root_node)
		node_label_add_object(analysis, node, out);
	else if (add[root_node->kind])
		add[root_node->kind](analysis, root_node->index, out);
	else
		node_add_name(analysis, node, out);
}

static bool add_global_type(const struct analysis *analysis, uint32_t index, struct buf *out)
{
	if (!analysis_typing(analysis))
		return false;
	uint64_t address = analysis->heap->roots[index].address;
	uint64_t place = address - analysis_names(analysis)->fit.data_bias;
	const struct exe_global *global = gotypes_global_at(analysis->types, place);
	const struct static_value *value = statics_find(analysis->statics, address);
	if (!global && !value)
		return false;
	gotype_display(analysis->types, global ? global->type : value->type, out);
	return true;
}

static bool add_slot_type(const struct analysis *analysis, uint32_t index, struct buf *out)
{
	struct buf name = {0};
	gotype_id type = 0;
	typed_add_local(analysis, frame_of_slot(analysis, index), analysis->heap->roots[index].address,
	                &type, &name);
	buf_free(&name);
	if (type)
		gotype_display(analysis->types, type, out);
	return type != 0;
}

bool node_add_type(const struct analysis *analysis, uint32_t node, struct buf *out)
{
	const struct root_node *root_node = node_root_node(analysis, node);
	if (!root_node)
		return typed_add(analysis, node, out);
	if (root_node->kind == ROOT_NODE_GLOBAL)
		return add_global_type(analysis, root_node->index, out);
	return root_node->kind == ROOT_NODE_SLOT && add_slot_type(analysis, root_node->index, out);
}

uint64_t node_address(const struct analysis *analysis, uint32_t node)
{
	return node_root_node(analysis, node) ? 0 : heap_address(analysis->heap, node);
}
