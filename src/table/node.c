#include "table/node.h"

#include "base/text.h"
#include "table/argument.h"
#include "table/root.h"
#include "table/source.h"
#include "table/typed.h"

#include <inttypes.h>
#include <string.h>

enum { NAME_LIMIT = 200 };

static const char *const strength_titles[STRENGTHS] = {
	[STRENGTH_GLOBAL] = "global variables",
	[STRENGTH_PARKED] = "goroutines that wait",
	[STRENGTH_RUNNING] = "goroutines that run",
	[STRENGTH_RUNTIME] = "runtime variables",
	[STRENGTH_FINALIZER] = "finalizers",
	[STRENGTH_POOL] = "sync.Pools",
};
static const char *const listed_titles[STRENGTHS] = {
	[STRENGTH_GLOBAL] = "statics and handles",
	[STRENGTH_PARKED] = "",
	[STRENGTH_RUNNING] = "local variables",
	[STRENGTH_RUNTIME] = "roots of the runtime",
	[STRENGTH_FINALIZER] = "finalizers",
	[STRENGTH_POOL] = "",
	[STRENGTH_WEAK] = "weak roots",
};

/* NULL: an object. */
static const struct anchor *anchor_of(const struct analysis *analysis, uint32_t node)
{
	uint32_t index = anchors_of_node(analysis->anchors, node);
	return index == UINT32_MAX ? NULL : &analysis->anchors->anchor[index];
}

static const struct root *first_root(const struct analysis *analysis, enum root_kind kind,
                                     uint32_t record)
{
	const struct heap *heap = analysis->heap;
	for (uint32_t r = heap->root_kind_first[kind]; r < heap->root_kind_first[kind + 1]; r++)
		if (heap->roots[r].holder == record)
			return &heap->roots[r];
	return NULL;
}

static void add_frame(const struct analysis *analysis, uint32_t index, struct buf *out)
{
	const struct goroutine *goroutine = frame_goroutine(analysis->heap, index);
	struct text function = analysis->heap->frames[index].record.function;
	if (goroutine)
		buf_addf(out, "goroutine %" PRIu64 " ", goroutine->record.id);
	text_add_visible(out, function.data, function.len, NAME_LIMIT);
	source_add_frame(analysis, index, out);
}

/* A variable by its name; without names by where its word is. */
static void add_global(const struct analysis *analysis, uint32_t root, struct buf *out)
{
	const char *name;
	uint64_t offset;
	const struct root *at = &analysis->heap->roots[root];
	if (names_variable(analysis_names(analysis), at->address, &name, &offset))
		text_add_visible(out, name, strlen(name), NAME_LIMIT);
	else
		root_add_name(analysis, at, out);
}

static void add_record(const struct analysis *analysis, const struct anchor *anchor,
                       struct buf *out)
{
	static const enum root_kind kinds[ANCHOR_KINDS] = {
		[ANCHOR_DEFER] = ROOT_DEFER, [ANCHOR_PANIC] = ROOT_PANIC, [ANCHOR_OTHER] = ROOT_OTHER,
	};
	const struct root *root = first_root(analysis, kinds[anchor->kind], anchor->index);
	if (root)
		root_add_name(analysis, root, out);
}

static void add_anchor(const struct analysis *analysis, const struct anchor *anchor,
                       struct buf *out)
{
	const struct heap *heap = analysis->heap;
	switch ((enum anchor_kind)anchor->kind) {
	case ANCHOR_ALL:
		buf_add(out, "everything");
		break;
	case ANCHOR_STRENGTH:
		buf_add(out, (heap->listed ? listed_titles : strength_titles)[anchor->index]);
		break;
	case ANCHOR_GLOBAL:
		add_global(analysis, anchor->index, out);
		break;
	case ANCHOR_GOROUTINE:
		buf_addf(out, "goroutine %" PRIu64, heap->goroutines[anchor->index].record.id);
		break;
	case ANCHOR_FRAME:
		add_frame(analysis, anchor->index, out);
		break;
	case ANCHOR_SLOT:
	case ANCHOR_LISTED:
		root_add_name(analysis, &heap->roots[anchor->index], out);
		break;
	case ANCHOR_FINALIZER:
		buf_addf(out, "%sfinalizer of 0x%" PRIx64,
		         heap->finalizers[anchor->index].queued ? "queued " : "",
		         heap->finalizers[anchor->index].object);
		break;
	case ANCHOR_POOL:
		buf_addf(out, "sync.Pool at 0x%" PRIx64, heap_address(heap, anchor->index));
		break;
	default:
		add_record(analysis, anchor, out);
	}
}

void node_add_name(const struct analysis *analysis, uint32_t node, struct buf *out)
{
	const struct anchor *anchor = anchor_of(analysis, node);
	if (anchor)
		add_anchor(analysis, anchor, out);
	else
		typed_add(analysis, node, out);
}

void node_add_argument(const struct analysis *analysis, uint32_t node, struct buf *out)
{
	uint32_t anchor = anchors_of_node(analysis->anchors, node);
	if (anchor == UINT32_MAX)
		buf_addf(out, "0x%" PRIx64, heap_address(analysis->heap, node));
	else
		buf_addf(out, "@%" PRIu32, anchor);
}

/* A variable's roots are found by its name; a word without one by its address. */
static void link_global(const struct analysis *analysis, uint32_t root, struct buf *command)
{
	const char *name;
	uint64_t offset;
	uint64_t address = analysis->heap->roots[root].address;
	if (names_variable(analysis_names(analysis), address, &name, &offset)) {
		buf_add(command, "roots ");
		text_add_visible(command, name, strlen(name), SIZE_MAX);
	} else {
		root_link(analysis->heap, &analysis->heap->roots[root], command);
	}
}

void node_link(const struct analysis *analysis, uint32_t node, struct buf *command)
{
	const struct heap *heap = analysis->heap;
	const struct anchor *anchor = anchor_of(analysis, node);
	if (!anchor) {
		link_object(heap, node, command);
	} else if (anchor->kind == ANCHOR_GLOBAL) {
		link_global(analysis, anchor->index, command);
	} else if (anchor->kind == ANCHOR_GOROUTINE) {
		buf_addf(command, "goroutine %" PRIu64, heap->goroutines[anchor->index].record.id);
	} else if (anchor->kind == ANCHOR_SLOT || anchor->kind == ANCHOR_LISTED) {
		root_link(heap, &heap->roots[anchor->index], command);
	} else {
		buf_add(command, "dominated ");
		node_add_argument(analysis, node, command);
	}
}

const struct dominators *node_strength_tree(const struct analysis *analysis,
                                            enum strength strength)
{
	return analysis_dominators(analysis, strength == STRENGTH_WEAK ? RETAIN_WEAK : RETAIN_FIRM);
}

bool node_is_weak(const struct analysis *analysis, uint32_t node)
{
	return node < heap_object_count(analysis->heap) && reach_is_weak(analysis->reach, node);
}

/* NULL: nothing is known of it. */
static const struct dominators *known(const struct analysis *analysis, uint32_t node)
{
	const struct dominators *dominators = analysis_retained(analysis);
	if (!dominators || node == OBJECT_NONE || !analysis->reach->known ||
	    !dominators_has(dominators, node))
		return NULL;
	return dominators;
}

bool node_retained(const struct analysis *analysis, uint32_t node, uint64_t *bytes)
{
	const struct dominators *dominators = known(analysis, node);
	if (dominators)
		*bytes = dominators->bytes[node];
	return dominators != NULL;
}

void cell_retained(struct value *value, const struct analysis *analysis, uint32_t node)
{
	const struct dominators *dominators = known(analysis, node);
	if (dominators)
		cell_number(value, VALUE_BYTES, dominators->bytes[node]);
}

void cell_retained_objects(struct value *value, const struct analysis *analysis, uint32_t node)
{
	const struct dominators *dominators = known(analysis, node);
	if (dominators)
		cell_number(value, VALUE_COUNT, dominators->objects[node]);
}

void cell_retained_share(struct value *value, const struct analysis *analysis, uint32_t node)
{
	const struct dominators *dominators = known(analysis, node);
	if (dominators)
		cell_share(value, dominators->bytes[node], dominators->bytes[dominators->root]);
}

/* of: one of the lists of anchors, which come with what they retain. */
static void cell_retained_anchor(struct value *value, const struct analysis *analysis,
                                 const uint32_t *of, uint32_t index)
{
	if (of[index] != UINT32_MAX)
		cell_retained(value, analysis, anchors_node(analysis->anchors, of[index]));
}

void cell_retained_root(struct value *value, const struct analysis *analysis, uint32_t root)
{
	if (analysis_retained(analysis))
		cell_retained_anchor(value, analysis, analysis->anchors->of_root, root);
}

void cell_retained_goroutine(struct value *value, const struct analysis *analysis, uint32_t index)
{
	if (analysis_retained(analysis))
		cell_retained_anchor(value, analysis, analysis->anchors->of_goroutine, index);
}

void cell_retained_frame(struct value *value, const struct analysis *analysis, uint32_t index)
{
	if (analysis_retained(analysis))
		cell_retained_anchor(value, analysis, analysis->anchors->of_frame, index);
}
