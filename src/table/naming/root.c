/* The words that hold pointers from outside of the heap: table/naming/root.h. */
#include "table/naming/root.h"

#include "heap/heap.h"
#include "heap/root.h"
#include "table/naming/typed.h"

#include <inttypes.h>
#include <string.h>

const struct thread *frame_thread(const struct heap *heap, uint32_t frame)
{
	uint32_t index = heap->frames[frame].thread;
	return index == UINT32_MAX ? NULL : &heap->threads[index];
}

const struct thread *thread_before(const struct heap *heap, uint32_t behind)
{
	return behind ? &heap->threads[behind - 1] : NULL;
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

void root_add_segment(const struct heap *heap, uint32_t segment, struct buf *out)
{
	enum { COUNTED = 64 }; /* segments; the number of any later one is its index, to save time */
	bool bss = heap->segments[segment].bss;
	uint32_t number = segment < COUNTED ? 1 : segment + 1;
	for (uint32_t i = 0; i < segment && segment < COUNTED; i++)
		number += heap->segments[i].bss == bss;
	buf_add(out, heap_root_kind(heap, bss ? ROOT_BSS : ROOT_DATA));
	if (number > 1)
		buf_addf(out, "%" PRIu32, number);
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
	case ROOT_CLEANUP:
	case ROOT_WEAK_HANDLE:
		return heap->otherroots[root->holder + root->part].target;
	default:
		return heap_address(heap, root->target);
	}
}

/* Returns the type of the value that contains the root's word. *start: address of a value in data
   or bss. */
static gotype_id root_type(const struct analysis *analysis, const struct root *root,
                           uint64_t *start)
{
	gotype_id type = 0;
	*start = root->address;
	if (root->kind == ROOT_FRAME)
		typed_add_local(analysis, &analysis_heap(analysis)->frames[root->holder].record,
		                root->address, &type, NULL);
	else if (root->kind == ROOT_DATA || root->kind == ROOT_BSS)
		typed_add_global_from(analysis, root->address, &type, start, NULL);
	return type;
}

struct datum root_value(const struct analysis *analysis, const struct root *root)
{
	struct govalue in = datum_memory(analysis);
	struct preview_place at;
	struct datum value = {.address = root->address, .count = 1, .object = OBJECT_NONE};
	uint64_t offset = 0, start;
	gotype_id type = root_type(analysis, root, &start);
	bool known = type && govalue_pointer(&in, type, &offset);
	offset = start < root->address ? root->address - start : offset;
	if (!root_place(analysis_heap(analysis), root, &at) || at.offset < offset)
		return value;
	value.type = known ? type : 0;
	value.address -= offset;
	value.data = at.data + (at.offset - offset);
	value.room = at.size - (at.offset - offset);
	return value;
}

bool root_is_whole(const struct analysis *analysis, const struct root *root, unsigned words)
{
	const struct heap *heap = analysis_heap(analysis);
	unsigned width = heap->params.layout.pointer_size;
	struct locals *locals = analysis_locals(analysis);
	struct local first, next;
	if (root->kind != ROOT_FRAME)
		return true;
	const struct frame_record *frame = &heap->frames[root->holder].record;
	if (!locals_find(locals, frame, root->address, &first))
		return false;
	for (unsigned i = 1; i < words; i++)
		if (!locals_find(locals, frame, root->address + i * width, &next)
		    || strcmp(first.name, next.name) != 0 || next.offset != first.offset + i * width)
			return false;
	return true;
}

void root_add_flags(const struct root *root, const char *between, struct buf *out)
{
	static const struct {
		enum root_flag flag;
		const char *name;
	} flags[] = {
		{ROOT_PINNED, "pinned"},
		{ROOT_WEAK, "weak"},
		{ROOT_INTERIOR, "interior"},
	};
	const char *before = "";
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		if (root->flags & flags[i].flag) {
			buf_addf(out, "%s%s", before, flags[i].name);
			before = between;
		}
}
