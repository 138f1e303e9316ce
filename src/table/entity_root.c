/* What roots are called, and how they are written: part of table/entity.h. */
#include "table/entity_parts.h"

#include "base/text.h"
#include "table/root.h"
#include "table/source.h"
#include "table/typed.h"

#include <inttypes.h>
#include <string.h>

void entity_add_function(const struct heap *heap, uint32_t frame, struct buf *out)
{
	struct text function = heap->frames[frame].record.function;
	text_add_escaped(out, function.data, function.len, ENTITY_NAME_LIMIT);
}

void entity_add_slot(const struct analysis *analysis, const struct root *root, struct buf *out)
{
	const struct frame_record *frame = &analysis_heap(analysis)->frames[root->holder].record;
	if (!typed_add_local(analysis, frame, root->address, NULL, out))
		buf_addf(out, "+0x%" PRIx64, root->address - frame->sp);
}

void entity_add_goroutine(const struct goroutine *goroutine, struct buf *out)
{
	if (goroutine)
		buf_addf(out, "goroutine %" PRIu64, goroutine->record.id);
	else
		buf_add(out, "a goroutine that the dump lacks");
}

void entity_add_finalizer(const struct finalizer_record *finalizer, struct buf *out)
{
	buf_addf(out, "%sfinalizer of 0x%" PRIx64, finalizer->queued ? "queued " : "",
	         finalizer->object);
}

static void root_add_frame(const struct analysis *analysis, const struct root *root,
                           struct buf *out)
{
	entity_add_goroutine(frame_goroutine(analysis_heap(analysis), root->holder), out);
	buf_add_char(out, ' ');
	entity_add_function(analysis_heap(analysis), root->holder, out);
	source_add_frame(analysis, root->holder, out);
	buf_add_char(out, ' ');
	entity_add_slot(analysis, root, out);
}

static void root_add_finalizer(const struct analysis *analysis, const struct root *root,
                               struct buf *out)
{
	const struct finalizer_record *finalizer = &analysis_heap(analysis)->finalizers[root->holder];
	entity_add_finalizer(finalizer, out);
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
		text_add_escaped(out, name, strlen(name), ENTITY_NAME_LIMIT);
		if (offset)
			buf_addf(out, "+0x%" PRIx64, offset);
		return;
	}
	root_offset(analysis_heap(analysis), root, &offset);
	buf_addf(out, "%s+0x%" PRIx64, root_kind_names[root->kind], offset);
}

/* "first.exe: static variable of App.Root, pinned" */
static void root_add_log(const struct analysis *analysis, const struct root *root, struct buf *out)
{
	const struct heap *heap = analysis_heap(analysis);
	static const char *const names[] = {
		[ROOT_INTERNAL - ROOT_INTERNAL] = "the Compact Framework itself",
		[ROOT_LOCAL - ROOT_INTERNAL] = "local variable",
		[ROOT_FINALIZER_QUEUE - ROOT_INTERNAL] = "finalizer queue",
		[ROOT_HANDLE - ROOT_INTERNAL] = "GC handle",
		[ROOT_STATIC - ROOT_INTERNAL] = "static variable",
		[ROOT_SPECIFIC - ROOT_INTERNAL] = "interned string or class description",
		[ROOT_UNKNOWN - ROOT_INTERNAL] = "root of kind ",
	};
	const struct log_root *record = &heap->log_roots[root->holder];
	struct text domain = heap->domains[record->section].record.name;
	if (heap->domain_count > 1) {
		text_add_escaped(out, domain.data, domain.len, ENTITY_NAME_LIMIT);
		buf_add(out, ": ");
	}
	buf_add(out, names[root->kind - ROOT_INTERNAL]);
	if (root->kind == ROOT_UNKNOWN)
		buf_addf(out, "%" PRIx64, record->record.kind);
	if (record->container != HEAP_NO_TYPE) {
		buf_add(out, " of ");
		typed_add_log(&heap->told_types[record->container], out);
	}
	if (root->flags)
		buf_add(out, ", ");
	root_add_flags(root, ", ", out);
}

static void root_add_defer(const struct analysis *analysis, const struct root *root,
                           struct buf *out)
{
	const struct heap *heap = analysis_heap(analysis);
	buf_add(out, root->part ? "closure of a deferred call of " : "deferred call of ");
	entity_add_goroutine(goroutine_before(heap, heap->defers[root->holder].offset), out);
}

static void root_add_panic(const struct analysis *analysis, const struct root *root,
                           struct buf *out)
{
	const struct heap *heap = analysis_heap(analysis);
	buf_add(out, "panic of ");
	entity_add_goroutine(goroutine_before(heap, heap->panics[root->holder].offset), out);
}

static void root_add_other(const struct analysis *analysis, const struct root *root,
                           struct buf *out)
{
	struct text what = analysis_heap(analysis)->otherroots[root->holder].what;
	text_add_escaped(out, what.data, what.len, ENTITY_NAME_LIMIT);
}

void entity_root_add_name(const struct analysis *analysis, struct entity entity, struct buf *out)
{
	static void (*const add[])(const struct analysis *, const struct root *, struct buf *) = {
		[ROOT_DATA] = root_add_global,
		[ROOT_BSS] = root_add_global,
		[ROOT_FRAME] = root_add_frame,
		[ROOT_FINALIZER] = root_add_finalizer,
		[ROOT_QUEUED_FINALIZER] = root_add_finalizer,
		[ROOT_DEFER] = root_add_defer,
		[ROOT_PANIC] = root_add_panic,
		[ROOT_OTHER] = root_add_other,
	};
	const struct root *root = &analysis_heap(analysis)->roots[entity.id];
	(root->kind < ROOT_INTERNAL ? add[root->kind] : root_add_log)(analysis, root, out);
}

void entity_root_add_argument(const struct analysis *analysis, struct entity entity,
                              struct buf *out)
{
	uint64_t address = analysis_heap(analysis)->roots[entity.id].address;
	if (address && heap_find(analysis_heap(analysis), address) == OBJECT_NONE)
		buf_addf(out, "0x%" PRIx64, address);
	else
		buf_addf(out, "root=%" PRIu32, entity.id);
}

void root_add_none(const struct analysis *analysis, uint32_t object, struct buf *out)
{
	const struct heap *heap = analysis_heap(analysis);
	uint32_t count = heap_object_count(heap), id = object;
	if (!reach_is_weak(analysis_reach(analysis), object)) {
		buf_add(out, "no root in the dump leads to it");
		return;
	}
	while (id < count)
		id = reach_before(analysis_reach(analysis), id);
	buf_add(out, "only weak roots lead to it: ");
	entity_add_name(analysis, (struct entity){ENTITY_ROOT, id - count, 0}, out);
}

void entity_root_link(const struct analysis *analysis, struct entity entity, struct buf *command)
{
	const struct root *root = &analysis_heap(analysis)->roots[entity.id];
	const struct goroutine *goroutine = NULL;
	if (root->kind == ROOT_FRAME)
		goroutine = frame_goroutine(analysis_heap(analysis), root->holder);
	if (goroutine)
		buf_addf(command, "goroutine %" PRIu64, goroutine->record.id);
	else if (root->kind == ROOT_DATA || root->kind == ROOT_BSS)
		buf_addf(command, "hex 0x%" PRIx64, root->address);
	else
		buf_addf(command, "roots %s", root_kind_names[root->kind]);
}
