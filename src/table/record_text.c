#include "table/record_text.h"

#include "base/text.h"

#include <inttypes.h>

enum { NAME_LIMIT = 200 };

static void record_text_add_name(struct buf *out, struct text name)
{
	text_add_escaped(out, name.data, name.len, NAME_LIMIT);
}

void record_add_object(const struct object_record *object, struct buf *out)
{
	struct fields fields = object->fields;
	uint64_t offset, pointers = 0;
	while (fields_next(&fields, &offset))
		pointers++;
	buf_addf(out, "0x%" PRIx64 ", %" PRIu64 " bytes, %" PRIu64 " pointers", object->slot,
	         object->size, pointers);
	if (object->stored < object->size)
		buf_addf(out, ", %" PRIu64 " bytes present", object->stored);
}

static void add_params(const void *record, struct buf *out)
{
	const struct params_record *r = record;
	buf_addf(out, "%s-endian, %u-byte pointers, heap 0x%" PRIx64 "-0x%" PRIx64 ", ",
	         r->layout.big_endian ? "big" : "little", r->layout.pointer_size, r->heap_start,
	         r->heap_end);
	record_text_add_name(out, r->arch);
	if (r->version.len)
		buf_add_char(out, ' ');
	record_text_add_name(out, r->version);
	buf_addf(out, ", %" PRIu64 " CPUs", r->cpus);
}

static void record_text_add_type(const void *record, struct buf *out)
{
	const struct type_record *r = record;
	buf_addf(out, "0x%" PRIx64 ", %" PRIu64 " bytes, ", r->address, r->size);
	record_text_add_name(out, r->name);
}

static void add_itab(const void *record, struct buf *out)
{
	const struct itab_record *r = record;
	buf_addf(out, "0x%" PRIx64, r->address);
	if (r->type)
		buf_addf(out, " of type 0x%" PRIx64, r->type);
}

static void record_text_add_goroutine(const void *record, struct buf *out)
{
	const struct goroutine_record *r = &((const struct goroutine *)record)->record;
	buf_addf(out, "%" PRIu64 ", g 0x%" PRIx64 ", sp 0x%" PRIx64 ", status %" PRIu64, r->id,
	         r->address, r->sp, r->status);
	if (r->wait_reason.len)
		buf_add(out, ", ");
	record_text_add_name(out, r->wait_reason);
}

static void record_text_add_frame(const void *record, struct buf *out)
{
	const struct frame_record *r = &((const struct frame *)record)->record;
	buf_addf(out, "%" PRIu64 " ", r->depth);
	record_text_add_name(out, r->function);
	buf_addf(out, ", sp 0x%" PRIx64 ", %" PRIu64 " bytes, pc 0x%" PRIx64, r->sp, r->size, r->pc);
	if (r->continue_pc != r->pc)
		buf_addf(out, ", goes on at 0x%" PRIx64, r->continue_pc);
}

static void record_text_add_finalizer(const void *record, struct buf *out)
{
	const struct finalizer_record *r = record;
	buf_addf(out, "of 0x%" PRIx64 ", closure 0x%" PRIx64 ", entry 0x%" PRIx64, r->object,
	         r->function, r->entry_pc);
}

static void add_thread(const void *record, struct buf *out)
{
	const struct thread_record *r = record;
	buf_addf(out, "m 0x%" PRIx64 ", id %" PRIu64 ", of the system %" PRIu64, r->address, r->id,
	         r->os_id);
}

static void record_text_add_segment(const void *record, struct buf *out)
{
	const struct segment_record *r = record;
	buf_addf(out, "0x%" PRIx64 ", %" PRIu64 " bytes", r->address, r->size);
}

static void add_otherroot(const void *record, struct buf *out)
{
	const struct otherroot_record *r = record;
	record_text_add_name(out, r->what);
	buf_addf(out, ": 0x%" PRIx64, r->target);
}

static void add_foundroot(const void *record, struct buf *out)
{
	const struct foundroot_record *r = record;
	buf_addf(out, "0x%" PRIx64 " at 0x%" PRIx64, r->target, r->address);
	if (r->on_stack)
		buf_addf(out, ", in the frame at 0x%" PRIx64, r->frame_sp);
}

static void add_defer(const void *record, struct buf *out)
{
	const struct defer_record *r = record;
	buf_addf(out,
	         "0x%" PRIx64 ", g 0x%" PRIx64 ", sp 0x%" PRIx64 ", closure 0x%" PRIx64
	         ", next 0x%" PRIx64,
	         r->address, r->goroutine, r->sp, r->function, r->link);
}

static void add_panic(const void *record, struct buf *out)
{
	const struct panic_record *r = record;
	buf_addf(out,
	         "0x%" PRIx64 ", g 0x%" PRIx64 ", value of type 0x%" PRIx64 " at 0x%" PRIx64
	         ", next 0x%" PRIx64,
	         r->address, r->goroutine, r->type, r->data, r->link);
}

static void record_text_add_memstats(const void *record, struct buf *out)
{
	const struct memstats_record *r = record;
	buf_addf(out, "%" PRIu64 " collections, %" PRIu64 " bytes of objects", r->num_gc, r->field[0]);
}

static void record_text_add_profile(const void *record, struct buf *out)
{
	const struct profile_record *r = record;
	buf_addf(out,
	         "0x%" PRIx64 ", %" PRIu64 " bytes, %" PRIu64 " frames, %" PRIu64 " allocs, %" PRIu64
	         " frees",
	         r->id, r->size, r->frames, r->allocs, r->frees);
}

static void add_sample(const void *record, struct buf *out)
{
	const struct sample *r = record;
	buf_addf(out, "0x%" PRIx64 " of profile 0x%" PRIx64, r->address, r->id);
}

/* The records of a kind, in an array of structs that begin with the offset. */
struct records {
	const void *items;
	size_t count, stride;
	void (*add)(const void *record, struct buf *out);
};

static struct records records_of(const struct heap *heap, enum record_kind kind)
{
	const struct records kinds[RECORD_KINDS] = {
		[RECORD_PARAMS] = {&heap->params, 1, 0, add_params},
		[RECORD_TYPE] = {heap->types, heap->type_count, sizeof *heap->types, record_text_add_type},
		[RECORD_ITAB] = {heap->itabs, heap->itab_count, sizeof *heap->itabs, add_itab},
		[RECORD_GOROUTINE] = {heap->goroutines, heap->goroutine_count, sizeof *heap->goroutines,
	                          record_text_add_goroutine},
		[RECORD_FRAME] = {heap->frames, heap->frame_count, sizeof *heap->frames,
	                      record_text_add_frame},
		[RECORD_FINALIZER] = {heap->finalizers, heap->finalizer_count, sizeof *heap->finalizers,
	                          record_text_add_finalizer},
		[RECORD_QUEUED_FINALIZER] = {heap->finalizers, heap->finalizer_count,
	                                 sizeof *heap->finalizers, record_text_add_finalizer},
		[RECORD_THREAD] = {heap->threads, heap->thread_count, sizeof *heap->threads, add_thread},
		[RECORD_DATA] = {heap->segments, heap->segment_count, sizeof *heap->segments,
	                     record_text_add_segment},
		[RECORD_BSS] = {heap->segments, heap->segment_count, sizeof *heap->segments,
	                    record_text_add_segment},
		[RECORD_OTHERROOT] = {heap->otherroots, heap->otherroot_count, sizeof *heap->otherroots,
	                          add_otherroot},
		[RECORD_FOUNDROOT] = {heap->foundroots, heap->foundroot_count, sizeof *heap->foundroots,
	                          add_foundroot},
		[RECORD_DEFER] = {heap->defers, heap->defer_count, sizeof *heap->defers, add_defer},
		[RECORD_PANIC] = {heap->panics, heap->panic_count, sizeof *heap->panics, add_panic},
		[RECORD_MEMSTATS] = {&heap->memstats, 1, 0, record_text_add_memstats},
		[RECORD_PROFILE] = {heap->profiles.profile, heap->profiles.count,
	                        sizeof *heap->profiles.profile, record_text_add_profile},
		[RECORD_SAMPLE] = {heap->profiles.sample, heap->profiles.sample_count,
	                       sizeof *heap->profiles.sample, add_sample},
	};
	return kinds[kind];
}

static const void *item(const struct records *records, size_t index)
{
	return (const char *)records->items + index * records->stride;
}

static uint64_t offset_of(const struct records *records, size_t index)
{
	return *(const uint64_t *)item(records, index);
}

/* They stand in the order of the file, but in the early format, whose frames are sorted by
 * goroutine. */
static const void *record_text_find(const struct records *records, uint64_t offset)
{
	size_t low = 0, high = records->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (offset_of(records, middle) < offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < records->count && offset_of(records, low) == offset)
		return item(records, low);
	for (size_t i = 0; i < records->count; i++)
		if (offset_of(records, i) == offset)
			return item(records, i);
	return NULL;
}

void record_add_text(const struct heap *heap, enum record_kind kind, uint64_t offset,
                     struct buf *out)
{
	struct records records = records_of(heap, kind);
	const void *record = record_text_find(&records, offset);
	if (record)
		records.add(record, out);
}
