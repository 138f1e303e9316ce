#include "table/root.h"

#include "base/text.h"
#include "table/source.h"
#include "table/typed.h"

#include <inttypes.h>
#include <string.h>

enum { NAME_LIMIT = 200 };

const struct goroutine *frame_goroutine(const struct heap *heap, uint32_t frame)
{
	uint32_t index = heap->frames[frame].goroutine;
	return index == UINT32_MAX ? NULL : &heap->goroutines[index];
}

static void root_add_goroutine(const struct goroutine *goroutine, struct buf *out)
{
	if (goroutine)
		buf_addf(out, "goroutine %" PRIu64, goroutine->record.id);
	else
		buf_add(out, "a goroutine that the dump lacks");
}

const struct goroutine *goroutine_before(const struct heap *heap, uint64_t offset)
{
	uint32_t low = 0, high = heap->goroutine_count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (heap->goroutines[middle].record.offset < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &heap->goroutines[low - 1] : NULL;
}

bool root_place(const struct heap *heap, const struct root *root, struct preview_place *place)
{
	if (root->kind == ROOT_DATA || root->kind == ROOT_BSS) {
		const struct segment_record *segment = &heap->segments[root->holder];
		*place =
			(struct preview_place){segment->data, segment->size, root->address - segment->address};
		return true;
	}
	if (root->kind == ROOT_FRAME) {
		const struct frame_record *frame = &heap->frames[root->holder].record;
		*place = (struct preview_place){frame->data, frame->size, root->address - frame->sp};
		return true;
	}
	struct object_record record;
	uint32_t id = root->address ? heap_find(heap, root->address) : OBJECT_NONE;
	if (id == OBJECT_NONE || !heap_object(heap, id, &record))
		return false;
	*place = (struct preview_place){record.data, record.stored, root->address - record.slot};
	return true;
}

bool root_offset(const struct heap *heap, const struct root *root, uint64_t *offset)
{
	if (root->address == 0)
		return false;
	if (root->kind == ROOT_DATA || root->kind == ROOT_BSS)
		*offset = root->address - heap->segments[root->holder].address;
	else if (root->kind == ROOT_FRAME)
		*offset = root->address - heap->frames[root->holder].record.sp;
	else
		*offset = root->address - heap->finalizers[root->holder].object;
	return true;
}

uint64_t root_pointer(const struct heap *heap, const struct root *root)
{
	struct preview_place place;
	if (root_place(heap, root, &place))
		return preview_word_at(heap, &place);
	switch ((enum root_kind)root->kind) {
	case ROOT_FINALIZER:
	case ROOT_QUEUED_FINALIZER:
		return root->part == FINALIZER_FUNCTION ? heap->finalizers[root->holder].function
		                                        : heap->finalizers[root->holder].object;
	case ROOT_DEFER:
		return root->part ? heap->defers[root->holder].function
		                  : heap->defers[root->holder].address;
	case ROOT_PANIC:
		return heap->panics[root->holder].data;
	case ROOT_OTHER:
		return heap->otherroots[root->holder].target;
	default:
		return heap_address(heap, root->target);
	}
}

void root_add_function(const struct heap *heap, uint32_t frame, struct buf *out)
{
	struct text function = heap->frames[frame].record.function;
	text_add_escaped(out, function.data, function.len, NAME_LIMIT);
}

void root_add_slot(const struct analysis *analysis, const struct root *root, struct buf *out)
{
	const struct frame_record *frame = &analysis->heap->frames[root->holder].record;
	if (!typed_add_local(analysis, frame, root->address, NULL, out))
		buf_addf(out, "+0x%" PRIx64, root->address - frame->sp);
}

static void root_add_frame(const struct analysis *analysis, const struct root *root,
                           struct buf *out)
{
	root_add_goroutine(frame_goroutine(analysis->heap, root->holder), out);
	buf_add_char(out, ' ');
	root_add_function(analysis->heap, root->holder, out);
	source_add_frame(analysis, root->holder, out);
	buf_add_char(out, ' ');
	root_add_slot(analysis, root, out);
}

static void root_add_finalizer(const struct heap *heap, const struct root *root, struct buf *out)
{
	const struct finalizer_record *finalizer = &heap->finalizers[root->holder];
	buf_addf(out, "%sfinalizer of 0x%" PRIx64, finalizer->queued ? "queued " : "",
	         finalizer->object);
	if (root->part == FINALIZER_FUNCTION)
		buf_add(out, ", its function");
	if (root->part == FINALIZER_REFERENCE)
		buf_addf(out, " +0x%" PRIx64, root->address - finalizer->object);
}

/* By the variable's name, else by its place in the segment. */
static void root_add_global(const struct analysis *analysis, const struct root *root,
                            struct buf *out)
{
	const char *name;
	uint64_t offset = 0;
	if (typed_add_global(analysis, root->address, NULL, out))
		return;
	if (names_variable(analysis_names(analysis), root->address, &name, &offset)) {
		text_add_escaped(out, name, strlen(name), NAME_LIMIT);
		if (offset)
			buf_addf(out, "+0x%" PRIx64, offset);
		return;
	}
	root_offset(analysis->heap, root, &offset);
	buf_addf(out, "%s+0x%" PRIx64, root_kind_names[root->kind], offset);
}

/* "first.exe: static variable of App.Root, pinned" */
static void root_add_log(const struct heap *heap, const struct root *root, struct buf *out)
{
	static const char *const names[] = {
		[ROOT_INTERNAL - ROOT_INTERNAL] = "the Compact Framework itself",
		[ROOT_LOCAL - ROOT_INTERNAL] = "local variable",
		[ROOT_FINALIZER_QUEUE - ROOT_INTERNAL] = "finalizer queue",
		[ROOT_HANDLE - ROOT_INTERNAL] = "GC handle",
		[ROOT_STATIC - ROOT_INTERNAL] = "static variable",
		[ROOT_SPECIFIC - ROOT_INTERNAL] = "interned string or class description",
		[ROOT_UNKNOWN - ROOT_INTERNAL] = "root of kind ",
	};
	const struct log_root *record = &heap->log->root[root->holder];
	struct text domain = heap->log->domain[record->section].record.name;
	if (heap->log->domain_count > 1) {
		text_add_escaped(out, domain.data, domain.len, NAME_LIMIT);
		buf_add(out, ": ");
	}
	buf_add(out, names[root->kind - ROOT_INTERNAL]);
	if (root->kind == ROOT_UNKNOWN)
		buf_addf(out, "%" PRIx64, record->record.kind);
	if (record->container != LOG_NO_TYPE) {
		buf_add(out, " of ");
		typed_add_log(&heap->log->type[record->container], out);
	}
	if (root->flags)
		buf_add(out, ", ");
	root_add_flags(root, ", ", out);
}

void root_add_none(const struct analysis *analysis, uint32_t object, struct buf *out)
{
	const struct heap *heap = analysis->heap;
	uint32_t count = heap_object_count(heap), id = object;
	if (!reach_is_weak(analysis->reach, object)) {
		buf_add(out, "no root in the dump leads to it");
		return;
	}
	while (id < count)
		id = reach_before(analysis->reach, id);
	buf_add(out, "only weak roots lead to it: ");
	root_add_name(analysis, &heap->roots[id - count], out);
}

void root_add_name(const struct analysis *analysis, const struct root *root, struct buf *out)
{
	const struct heap *heap = analysis->heap;
	if (heap->log) {
		root_add_log(heap, root, out);
		return;
	}
	switch ((enum root_kind)root->kind) {
	case ROOT_FRAME:
		root_add_frame(analysis, root, out);
		return;
	case ROOT_FINALIZER:
	case ROOT_QUEUED_FINALIZER:
		root_add_finalizer(heap, root, out);
		return;
	case ROOT_DEFER:
		buf_add(out, root->part ? "closure of a deferred call of " : "deferred call of ");
		root_add_goroutine(goroutine_before(heap, heap->defers[root->holder].offset), out);
		return;
	case ROOT_PANIC:
		buf_add(out, "panic of ");
		root_add_goroutine(goroutine_before(heap, heap->panics[root->holder].offset), out);
		return;
	case ROOT_OTHER: {
		struct text what = heap->otherroots[root->holder].what;
		text_add_escaped(out, what.data, what.len, NAME_LIMIT);
		return;
	}
	default:
		root_add_global(analysis, root, out);
	}
}

void root_link(const struct heap *heap, const struct root *root, struct buf *command)
{
	const struct goroutine *goroutine = NULL;
	if (root->kind == ROOT_FRAME)
		goroutine = frame_goroutine(heap, root->holder);
	if (goroutine)
		buf_addf(command, "goroutine %" PRIu64, goroutine->record.id);
	else if (root->kind == ROOT_DATA || root->kind == ROOT_BSS)
		buf_addf(command, "hex 0x%" PRIx64, root->address);
	else
		buf_addf(command, "roots %s", root_kind_names[root->kind]);
}
