/* Names and types of nodes, part of table/node_kind.h. */
#include "table/node_kind.h"

#include "base/text.h"
#include "table/root.h"
#include "table/source.h"
#include "table/typed.h"

#include <inttypes.h>
#include <string.h>

enum { NAME_LIMIT = 200 };

const char *const anchor_kind_names[ANCHOR_KINDS] = {
	[ANCHOR_ALL] = "all",           [ANCHOR_STRENGTH] = "strength",
	[ANCHOR_GLOBAL] = "global",     [ANCHOR_GOROUTINE] = "goroutine",
	[ANCHOR_FRAME] = "frame",       [ANCHOR_SLOT] = "slot",
	[ANCHOR_FINALIZER] = "finalizer", [ANCHOR_DEFER] = "defer",
	[ANCHOR_PANIC] = "panic",       [ANCHOR_OTHER] = "other",
	[ANCHOR_POOL] = "pool",         [ANCHOR_LISTED] = "root",
};

const struct anchor *node_anchor(const struct analysis *analysis, uint32_t node)
{
	/* Objects have names before there are anchors. */
	if (node < heap_object_count(analysis->heap))
		return NULL;
	uint32_t index = anchors_of_node(analysis->anchors, node);
	return index == UINT32_MAX ? NULL : &analysis->anchors->anchor[index];
}

static void add_goroutine(const struct analysis *analysis, uint32_t index, struct buf *out)
{
	const struct heap *heap = analysis->heap;
	const struct goroutine *goroutine = &heap->goroutines[index];
	uint32_t frame = goroutine_telling_frame(heap, goroutine);
	buf_addf(out, "goroutine %" PRIu64, goroutine->record.id);
	if (frame == UINT32_MAX)
		return;
	struct text function = heap->frames[frame].record.function;
	buf_add_char(out, ' ');
	text_add_visible(out, function.data, function.len, NAME_LIMIT);
}

static void add_frame(const struct analysis *analysis, uint32_t index, struct buf *out)
{
	struct text function = analysis->heap->frames[index].record.function;
	text_add_visible(out, function.data, function.len, NAME_LIMIT);
	source_add_frame(analysis, index, out);
}

static const struct frame_record *frame_of_slot(const struct analysis *analysis, uint32_t index)
{
	return &analysis->heap->frames[analysis->heap->roots[index].holder].record;
}

static void add_slot(const struct analysis *analysis, uint32_t index, struct buf *out)
{
	const struct frame_record *frame = frame_of_slot(analysis, index);
	uint64_t address = analysis->heap->roots[index].address;
	if (!typed_add_local(analysis, frame, address, NULL, out))
		buf_addf(out, "+0x%" PRIx64, address - frame->sp);
}

static void add_object(const struct analysis *analysis, uint32_t id, struct buf *out)
{
	if (!typed_add(analysis, id, out))
		buf_add(out, "object");
	buf_addf(out, " 0x%" PRIx64, heap_address(analysis->heap, id));
}

void node_add_label(const struct analysis *analysis, uint32_t node, struct buf *out)
{
	static void (*const add[ANCHOR_KINDS])(const struct analysis *, uint32_t, struct buf *) = {
		[ANCHOR_GOROUTINE] = add_goroutine, [ANCHOR_FRAME] = add_frame, [ANCHOR_SLOT] = add_slot,
	};
	const struct anchor *anchor = node_anchor(analysis, node);
	if (!anchor)
		add_object(analysis, node, out);
	else if (add[anchor->kind])
		add[anchor->kind](analysis, anchor->index, out);
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
	const struct anchor *anchor = node_anchor(analysis, node);
	if (!anchor)
		return typed_add(analysis, node, out);
	if (anchor->kind == ANCHOR_GLOBAL)
		return add_global_type(analysis, anchor->index, out);
	return anchor->kind == ANCHOR_SLOT && add_slot_type(analysis, anchor->index, out);
}

uint64_t node_address(const struct analysis *analysis, uint32_t node)
{
	return node_anchor(analysis, node) ? 0 : heap_address(analysis->heap, node);
}
