/* Which nodes are alike: part of table/node_kind.h. */
#include "table/node_kind.h"

#include "base/text.h"
#include "table/typed.h"

#include <inttypes.h>

enum { NAME_LIMIT = 200 };

/* The topmost bits of a key. */
enum { KEY_ALONE, KEY_ROOT_NODE, KEY_TYPE, KEY_SIZE, KEY_SHIFT = 60, KIND_SHIFT = 40 };

static uint64_t key(uint64_t of, uint64_t which)
{
	return of << KEY_SHIFT | which;
}

static uint64_t root_node_key(const struct analysis *analysis, const struct root_node *root_node,
                              uint32_t node)
{
	uint64_t kind = (uint64_t)root_node->kind << KIND_SHIFT;
	switch ((enum root_node_kind)root_node->kind) {
	case ROOT_NODE_GOROUTINE:
		return key(KEY_ROOT_NODE, kind | analysis->groups->of[root_node->index]);
	case ROOT_NODE_FINALIZER:
	case ROOT_NODE_DEFER:
	case ROOT_NODE_PANIC:
	case ROOT_NODE_OTHER:
	case ROOT_NODE_POOL:
		return key(KEY_ROOT_NODE, kind);
	default:
		return key(KEY_ALONE, node);
	}
}

uint64_t node_key(const struct analysis *analysis, uint32_t node)
{
	const struct root_node *root_node = node_root_node(analysis, node);
	if (root_node)
		return root_node_key(analysis, root_node, node);
	size_t type = typed_key(analysis, node);
	if (type == TYPED_KEY_UNKNOWN)
		return key(KEY_SIZE, heap_size(analysis->heap, node));
	return key(KEY_TYPE, type);
}

static void node_key_add_goroutines(const struct analysis *analysis, uint32_t index,
                                    struct buf *out)
{
	const struct heap *heap = analysis->heap;
	uint32_t frame = goroutine_significant_frame(heap, &heap->goroutines[index]);
	buf_add(out, "goroutine");
	if (frame == UINT32_MAX)
		return;
	struct text function = heap->frames[frame].record.function;
	buf_add_char(out, ' ');
	text_add_escaped(out, function.data, function.len, NAME_LIMIT);
}

static void node_key_add_objects(const struct analysis *analysis, uint32_t id, struct buf *out)
{
	size_t type = typed_key(analysis, id);
	if (type != TYPED_KEY_UNKNOWN) {
		typed_add_key(analysis, type, out);
	} else {
		buf_add(out, "object of ");
		text_add_size(out, heap_size(analysis->heap, id));
	}
}

void node_add_kind(const struct analysis *analysis, uint32_t node, struct buf *out)
{
	static const char *const names[ROOT_NODE_KINDS] = {
		[ROOT_NODE_FINALIZER] = "finalizer", [ROOT_NODE_DEFER] = "deferred call",
		[ROOT_NODE_PANIC] = "panic",         [ROOT_NODE_OTHER] = "record of the runtime",
		[ROOT_NODE_POOL] = "sync.Pool",
	};
	const struct root_node *root_node = node_root_node(analysis, node);
	if (!root_node)
		node_key_add_objects(analysis, node, out);
	else if (root_node->kind == ROOT_NODE_GOROUTINE)
		node_key_add_goroutines(analysis, root_node->index, out);
	else if (names[root_node->kind])
		buf_add(out, names[root_node->kind]);
	else
		node_add_label(analysis, node, out);
}

void node_link_kind(const struct analysis *analysis, uint32_t node, struct buf *command)
{
	static const char *const lists[ROOT_NODE_KINDS] = {
		[ROOT_NODE_FINALIZER] = "finalizers",
		[ROOT_NODE_DEFER] = "defers",
		[ROOT_NODE_PANIC] = "panics",
		[ROOT_NODE_OTHER] = "roots other",
	};
	const struct root_node *root_node = node_root_node(analysis, node);
	if (root_node && root_node->kind == ROOT_NODE_GOROUTINE)
		buf_addf(command, "goroutines group=%" PRIu32, analysis->groups->of[root_node->index]);
	else if (root_node && lists[root_node->kind])
		buf_add(command, lists[root_node->kind]);
}
