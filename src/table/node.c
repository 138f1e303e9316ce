#include "table/node.h"

#include "base/text.h"
#include "table/argument.h"
#include "table/root.h"
#include "table/source.h"
#include "table/typed.h"

#include <inttypes.h>
#include <string.h>

enum { NAME_LIMIT = 200 };

static const char *const root_class_titles[ROOT_CLASSES] = {
	[ROOT_CLASS_GLOBAL] = "global variables",     [ROOT_CLASS_PARKED] = "goroutines that wait",
	[ROOT_CLASS_RUNNING] = "goroutines that run", [ROOT_CLASS_RUNTIME] = "runtime variables",
	[ROOT_CLASS_FINALIZER] = "finalizers",        [ROOT_CLASS_POOL] = "sync.Pools",
};
static const char *const log_objects_titles[ROOT_CLASSES] = {
	[ROOT_CLASS_GLOBAL] = "statics and handles",
	[ROOT_CLASS_PARKED] = "",
	[ROOT_CLASS_RUNNING] = "local variables",
	[ROOT_CLASS_RUNTIME] = "roots of the runtime",
	[ROOT_CLASS_FINALIZER] = "finalizers",
	[ROOT_CLASS_POOL] = "",
	[ROOT_CLASS_WEAK] = "weak roots",
};

/* NULL: an object. */
static const struct root_node *node_root_node_of(const struct analysis *analysis, uint32_t node)
{
	uint32_t index = root_nodes_of_node(analysis->root_nodes, node);
	return index == UINT32_MAX ? NULL : &analysis->root_nodes->root_node[index];
}

static const struct root *node_first_root(const struct analysis *analysis, enum root_kind kind,
                                          uint32_t record)
{
	const struct heap *heap = analysis->heap;
	for (uint32_t r = heap->root_kind_first[kind]; r < heap->root_kind_first[kind + 1]; r++)
		if (heap->roots[r].holder == record)
			return &heap->roots[r];
	return NULL;
}

static void node_add_frame(const struct analysis *analysis, uint32_t index, struct buf *out)
{
	const struct goroutine *goroutine = frame_goroutine(analysis->heap, index);
	struct text function = analysis->heap->frames[index].record.function;
	if (goroutine)
		buf_addf(out, "goroutine %" PRIu64 " ", goroutine->record.id);
	text_add_escaped(out, function.data, function.len, NAME_LIMIT);
	source_add_frame(analysis, index, out);
}

/* A variable by its name; without names by where its word is. */
static void node_add_global(const struct analysis *analysis, uint32_t root, struct buf *out)
{
	const char *name;
	uint64_t offset;
	const struct root *at = &analysis->heap->roots[root];
	if (names_variable(analysis_names(analysis), at->address, &name, &offset))
		text_add_escaped(out, name, strlen(name), NAME_LIMIT);
	else
		root_add_name(analysis, at, out);
}

static void node_add_record(const struct analysis *analysis, const struct root_node *root_node,
                            struct buf *out)
{
	static const enum root_kind kinds[ROOT_NODE_KINDS] = {
		[ROOT_NODE_DEFER] = ROOT_DEFER,
		[ROOT_NODE_PANIC] = ROOT_PANIC,
		[ROOT_NODE_OTHER] = ROOT_OTHER,
	};
	const struct root *root = node_first_root(analysis, kinds[root_node->kind], root_node->index);
	if (root)
		root_add_name(analysis, root, out);
}

static void add_root_node(const struct analysis *analysis, const struct root_node *root_node,
                          struct buf *out)
{
	const struct heap *heap = analysis->heap;
	switch ((enum root_node_kind)root_node->kind) {
	case ROOT_NODE_ALL:
		buf_add(out, "everything");
		break;
	case ROOT_NODE_CLASS:
		buf_add(out, (heap->log ? log_objects_titles : root_class_titles)[root_node->index]);
		break;
	case ROOT_NODE_GLOBAL:
		node_add_global(analysis, root_node->index, out);
		break;
	case ROOT_NODE_GOROUTINE:
		buf_addf(out, "goroutine %" PRIu64, heap->goroutines[root_node->index].record.id);
		break;
	case ROOT_NODE_FRAME:
		node_add_frame(analysis, root_node->index, out);
		break;
	case ROOT_NODE_SLOT:
	case ROOT_NODE_LOG:
		root_add_name(analysis, &heap->roots[root_node->index], out);
		break;
	case ROOT_NODE_FINALIZER:
		buf_addf(out, "%sfinalizer of 0x%" PRIx64,
		         heap->finalizers[root_node->index].queued ? "queued " : "",
		         heap->finalizers[root_node->index].object);
		break;
	case ROOT_NODE_POOL:
		buf_addf(out, "sync.Pool at 0x%" PRIx64, heap_address(heap, root_node->index));
		break;
	default:
		node_add_record(analysis, root_node, out);
	}
}

void node_add_name(const struct analysis *analysis, uint32_t node, struct buf *out)
{
	const struct root_node *root_node = node_root_node_of(analysis, node);
	if (root_node)
		add_root_node(analysis, root_node, out);
	else
		typed_add(analysis, node, out);
}

void node_add_argument(const struct analysis *analysis, uint32_t node, struct buf *out)
{
	uint32_t root_node = root_nodes_of_node(analysis->root_nodes, node);
	if (root_node == UINT32_MAX)
		buf_addf(out, "0x%" PRIx64, heap_address(analysis->heap, node));
	else
		buf_addf(out, "@%" PRIu32, root_node);
}

/* A variable's roots are found by its name; a word without one by its address. */
static void link_global(const struct analysis *analysis, uint32_t root, struct buf *command)
{
	const char *name;
	uint64_t offset;
	uint64_t address = analysis->heap->roots[root].address;
	if (names_variable(analysis_names(analysis), address, &name, &offset)) {
		buf_add(command, "roots ");
		text_add_escaped(command, name, strlen(name), SIZE_MAX);
	} else {
		root_link(analysis->heap, &analysis->heap->roots[root], command);
	}
}

void node_link(const struct analysis *analysis, uint32_t node, struct buf *command)
{
	const struct heap *heap = analysis->heap;
	const struct root_node *root_node = node_root_node_of(analysis, node);
	if (!root_node) {
		link_object(heap, node, command);
	} else if (root_node->kind == ROOT_NODE_GLOBAL) {
		link_global(analysis, root_node->index, command);
	} else if (root_node->kind == ROOT_NODE_GOROUTINE) {
		buf_addf(command, "goroutine %" PRIu64, heap->goroutines[root_node->index].record.id);
	} else if (root_node->kind == ROOT_NODE_SLOT || root_node->kind == ROOT_NODE_LOG) {
		root_link(heap, &heap->roots[root_node->index], command);
	} else {
		buf_add(command, "dominated ");
		node_add_argument(analysis, node, command);
	}
}

const struct dominators *node_root_class_tree(const struct analysis *analysis,
                                              enum root_class root_class)
{
	return analysis_dominators(analysis,
	                           root_class == ROOT_CLASS_WEAK ? RETAIN_WEAK : RETAIN_STRONGEST);
}

bool node_is_weak(const struct analysis *analysis, uint32_t node)
{
	return node < heap_object_count(analysis->heap) && reach_is_weak(analysis->reach, node);
}

/* NULL: nothing is known of it. */
static const struct dominators *node_known(const struct analysis *analysis, uint32_t node)
{
	const struct dominators *dominators = analysis_retained(analysis);
	if (!dominators || node == OBJECT_NONE || !analysis->reach->known
	    || !dominators_has(dominators, node))
		return NULL;
	return dominators;
}

bool node_retained(const struct analysis *analysis, uint32_t node, uint64_t *bytes)
{
	const struct dominators *dominators = node_known(analysis, node);
	if (dominators)
		*bytes = dominators->bytes[node];
	return dominators != NULL;
}

void cell_retained(struct value *value, const struct analysis *analysis, uint32_t node)
{
	const struct dominators *dominators = node_known(analysis, node);
	if (dominators)
		cell_number(value, VALUE_BYTES, dominators->bytes[node]);
}

void cell_retained_objects(struct value *value, const struct analysis *analysis, uint32_t node)
{
	const struct dominators *dominators = node_known(analysis, node);
	if (dominators)
		cell_number(value, VALUE_COUNT, dominators->objects[node]);
}

void cell_retained_share(struct value *value, const struct analysis *analysis, uint32_t node)
{
	const struct dominators *dominators = node_known(analysis, node);
	if (dominators)
		cell_share(value, dominators->bytes[node], dominators->bytes[dominators->root]);
}

/* of: one of the lists of root nodes, which come with what they retain. */
static void cell_retained_root_node(struct value *value, const struct analysis *analysis,
                                    const uint32_t *of, uint32_t index)
{
	if (of[index] != UINT32_MAX)
		cell_retained(value, analysis, root_nodes_node(analysis->root_nodes, of[index]));
}

void cell_retained_root(struct value *value, const struct analysis *analysis, uint32_t root)
{
	if (analysis_retained(analysis))
		cell_retained_root_node(value, analysis, analysis->root_nodes->of_root, root);
}

void cell_retained_goroutine(struct value *value, const struct analysis *analysis, uint32_t index)
{
	if (analysis_retained(analysis))
		cell_retained_root_node(value, analysis, analysis->root_nodes->of_goroutine, index);
}

void cell_retained_frame(struct value *value, const struct analysis *analysis, uint32_t index)
{
	if (analysis_retained(analysis))
		cell_retained_root_node(value, analysis, analysis->root_nodes->of_frame, index);
}
