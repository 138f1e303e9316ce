/* Which nodes are alike: part of table/node_kind.h. */
#include "table/node_kind.h"

#include "base/text.h"
#include "table/typed.h"

#include <inttypes.h>

enum { NAME_LIMIT = 200 };

/* The topmost bits of a key. */
enum { KEY_ALONE, KEY_ANCHOR, KEY_TYPE, KEY_SIZE, KEY_SHIFT = 60, KIND_SHIFT = 40 };

static uint64_t key(uint64_t of, uint64_t which)
{
	return of << KEY_SHIFT | which;
}

static uint64_t anchor_key(const struct analysis *analysis, const struct anchor *anchor,
                           uint32_t node)
{
	uint64_t kind = (uint64_t)anchor->kind << KIND_SHIFT;
	switch ((enum anchor_kind)anchor->kind) {
	case ANCHOR_GOROUTINE:
		return key(KEY_ANCHOR, kind | analysis->groups->of[anchor->index]);
	case ANCHOR_FINALIZER:
	case ANCHOR_DEFER:
	case ANCHOR_PANIC:
	case ANCHOR_OTHER:
	case ANCHOR_POOL:
		return key(KEY_ANCHOR, kind);
	default:
		return key(KEY_ALONE, node);
	}
}

uint64_t node_key(const struct analysis *analysis, uint32_t node)
{
	const struct anchor *anchor = node_anchor(analysis, node);
	if (anchor)
		return anchor_key(analysis, anchor, node);
	size_t type = typed_key(analysis, node);
	if (type == TYPED_KEY_UNKNOWN)
		return key(KEY_SIZE, heap_size(analysis->heap, node));
	return key(KEY_TYPE, type);
}

static void add_goroutines(const struct analysis *analysis, uint32_t index, struct buf *out)
{
	const struct heap *heap = analysis->heap;
	uint32_t frame = goroutine_telling_frame(heap, &heap->goroutines[index]);
	buf_add(out, "goroutine");
	if (frame == UINT32_MAX)
		return;
	struct text function = heap->frames[frame].record.function;
	buf_add_char(out, ' ');
	text_add_visible(out, function.data, function.len, NAME_LIMIT);
}

static void add_objects(const struct analysis *analysis, uint32_t id, struct buf *out)
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
	static const char *const names[ANCHOR_KINDS] = {
		[ANCHOR_FINALIZER] = "finalizer", [ANCHOR_DEFER] = "deferred call",
		[ANCHOR_PANIC] = "panic", [ANCHOR_OTHER] = "record of the runtime",
		[ANCHOR_POOL] = "sync.Pool",
	};
	const struct anchor *anchor = node_anchor(analysis, node);
	if (!anchor)
		add_objects(analysis, node, out);
	else if (anchor->kind == ANCHOR_GOROUTINE)
		add_goroutines(analysis, anchor->index, out);
	else if (names[anchor->kind])
		buf_add(out, names[anchor->kind]);
	else
		node_add_label(analysis, node, out);
}

void node_link_kind(const struct analysis *analysis, uint32_t node, struct buf *command)
{
	static const char *const lists[ANCHOR_KINDS] = {
		[ANCHOR_FINALIZER] = "finalizers", [ANCHOR_DEFER] = "defers", [ANCHOR_PANIC] = "panics",
		[ANCHOR_OTHER] = "roots other",
	};
	const struct anchor *anchor = node_anchor(analysis, node);
	if (anchor && anchor->kind == ANCHOR_GOROUTINE)
		buf_addf(command, "goroutines group=%" PRIu32, analysis->groups->of[anchor->index]);
	else if (anchor && lists[anchor->kind])
		buf_add(command, lists[anchor->kind]);
}
