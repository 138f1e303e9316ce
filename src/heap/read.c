/* heap_read: a sink that stores records in columns. */
#include "heap/heap.h"

#include "base/mem.h"
#include "base/redaction.h"
#include "heap/builder.h"
#include "heap/columns.h"
#include "heap/heap_index.h"
#include "heap/records_check.h"
#include "heap/reference.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARNINGS = 1000 };

static void read_add_warning(struct builder *b, uint64_t offset, const char *text, bool harmless)
{
	struct heap *heap = b->heap;
	uint64_t place = offset == ERR_NO_OFFSET ? 0 : offset;
	if (!harmless && (!heap->losses++ || place < heap->first_loss))
		heap->first_loss = place;
	if (heap->warning_count >= WARNINGS) {
		heap->warnings_dropped++;
		return;
	}
	MEM_PUSH(heap->warnings, heap->warning_count, b->warnings,
	         (struct warning){offset, mem_strdup(text), harmless});
}

static void on_warning(void *self, uint64_t offset, const char *text)
{
	read_add_warning(self, offset, text, false);
}

static void on_notice(void *self, uint64_t offset, const char *text)
{
	read_add_warning(self, offset, text, true);
}

static void read_add_place(struct builder *b, enum record_kind kind, uint64_t offset)
{
	if (!b->known)
		record_index_add(&b->heap->index, kind, offset, 0);
}

static void on_end(void *self, uint64_t offset)
{
	struct builder *b = self;
	read_add_place(b, RECORD_END, offset);
	b->heap->complete = true;
}

static void read_take_thread(struct builder *b, struct thread *g)
{
	struct heap *heap = b->heap;
	g->first_frame = heap->frame_count;
	if (!goroutine_status_waits(g->record.status) && g->record.status != GOROUTINE_PREEMPTED)
		g->record.wait_reason = (struct text){0};
	if (g->record.id == 1)
		g->record.creator_pc = 0; /* the program's start, which is no go statement */
	if (g->record.wait_since > heap->latest_wait)
		heap->latest_wait = g->record.wait_since;
}

/* Returns true for the frame of the thread that wrote the dump; its recorded state is stale in
   many versions. In Go 1.4 the first function has been replaced by the second. */
static bool writes_the_dump(const struct frame_record *r)
{
	return text_is(r->function, "runtime/debug.WriteHeapDump")
	       || text_is(r->function, "runtime.writeHeapDump");
}

static void read_take_frame(struct builder *b, struct frame *frame)
{
	struct heap *heap = b->heap;
	frame->thread = heap->thread_count - 1;
	if (heap->thread_count == 0) {
		if (b->lost_frames++ == 0)
			b->lost_offset = frame->record.offset;
		return;
	}
	struct thread *g = &heap->threads[frame->thread];
	g->frames++;
	g->dumping |= writes_the_dump(&frame->record);
}

/* Appends a record to the array of its kind. Counts have 32 bits, which is enough for files below 8
   GB; excess records are dropped. */
static void read_append(struct builder *b, enum record_kind kind, const void *record)
{
	struct heap *heap = b->heap;
	struct heap_list list = heap_list(heap, kind);
	if (*list.count == UINT32_MAX - 1)
		return;
	*list.items = mem_grow(*list.items, *list.count, &b->capacity[list.first], list.stride);
	char *item = (char *)*list.items + (size_t)(*list.count)++ * list.stride;
	memset(item, 0, list.stride);
	memcpy(item, record, record_types[kind].size);
	if (kind == RECORD_GOROUTINE)
		read_take_thread(b, (struct thread *)item);
	else if (kind == RECORD_FRAME)
		read_take_frame(b, (struct frame *)item);
	else if (kind == RECORD_DEFER)
		((struct defer_record *)(void *)item)->behind = heap->thread_count;
	else if (kind == RECORD_PANIC)
		((struct panic_record *)(void *)item)->behind = heap->thread_count;
	heap->queued_finalizer_count += kind == RECORD_QUEUED_FINALIZER;
}

/* Returns true for the record by which a redacted dump says so. */
static bool read_says_redacted(const struct otherroot_record *root)
{
	return !root->target && text_is(root->what, RECORD_REDACTED);
}

static void read_take_params(struct builder *b, const struct params_record *params)
{
	b->heap->params = *params;
	if (!b->known && !b->added && !b->outline)
		b->outline = outline_new(b->heap->input, params->layout.pointer_size);
}

static void on_record(void *self, enum record_kind kind, const void *record)
{
	struct builder *b = self;
	struct heap *heap = b->heap;
	const uint64_t *offset = record; /* every record begins with its offset */
	if (heap_has(heap, PART_TYPES)) {
		builder_add_type(b, kind, record);
		return;
	}
	if (kind == RECORD_OTHERROOT && read_says_redacted(record)) {
		heap->params.redacted = true;
		return;
	}
	read_add_place(b, kind, *offset);
	if (kind == RECORD_PARAMS)
		read_take_params(b, record);
	else if (kind == RECORD_MEMSTATS)
		heap->memstats = *(const struct memstats_record *)record;
	else
		read_append(b, kind, record);
}

static void on_trace(void *self, const struct trace_record *r)
{
	((struct builder *)self)->heap->trace = *r;
}

static void on_heap_profiles(void *self, const struct heap_profiles *heap_profiles)
{
	((struct builder *)self)->heap->heap_profiles = heap_profiles;
}

/* Adds an empty segment as the holder of found roots, whose records have addresses, but no
   segment. */
static void give_found_roots_a_segment(struct builder *b)
{
	for (uint32_t i = 0; i < b->heap->foundroot_count; i++)
		if (!b->heap->foundroots[i].on_stack) {
			read_append(b, RECORD_DATA,
			            &(struct segment_record){.offset = b->heap->foundroots[i].offset});
			return;
		}
}

static void warn_count(struct builder *b, uint64_t count, uint64_t offset, const char *what)
{
	char text[200];
	if (count == 0)
		return;
	snprintf(text, sizeof text, "%" PRIu64 " %s", count, what);
	on_warning(b, offset, text);
}

static void warn_of_lost_roots(struct builder *b)
{
	uint64_t lost = 0, offset = 0;
	for (size_t i = b->log->root_count; i-- > 0;) {
		const struct log_root *root = &b->log->root[i];
		if (log_objects_find_in(b->log, root->section, root->record.id) != OBJECT_NONE)
			continue;
		lost++;
		offset = root->record.offset;
	}
	warn_count(b, lost, offset,
	           lost == 1 ? "root references an object that is not in the file"
	                     : "roots reference objects that are not in the file");
}

static void finish_log(struct builder *b, const struct sink *sink)
{
	log_objects_build(b->log, sink);
	objects_build_log(b->heap->objects, b->log);
	b->heap->log = b->log;
	b->heap->domains = b->log->domain;
	b->heap->domain_count = (uint32_t)b->log->domain_count;
	b->heap->log_roots = b->log->root;
	b->heap->log_root_count = (uint32_t)b->log->root_count;
	b->heap->told_types = b->log->type;
	b->heap->told_type_count = (uint32_t)b->log->type_count;
	warn_of_lost_roots(b);
}

static void finish_addressed(struct builder *b)
{
	struct heap *heap = b->heap;
	give_found_roots_a_segment(b);
	warn_count(b, b->odd_objects, b->odd_offset,
	           "object records have no bytes or an address that wraps around: they were left out");
	warn_count(b, b->untyped_objects, b->untyped_offset,
	           "object records name a type that is not in the dump: their pointers are not known");
	warn_count(b, b->lost_frames, b->lost_offset,
	           "stack frames belong to no " THREAD_WORD ": their pointers still count as roots");
	if (!b->known) {
		warn_count(b, objects_build(heap->objects), ERR_NO_OFFSET,
		           "objects overlap others: they were left out");
		record_index_build(&heap->index);
	}
	if (b->outline && b->outline->file && b->outline->count == b->added) {
		heap->columns->outline = b->outline;
		b->outline = NULL;
	}
	columns_find_bounds(heap);
	if (heap->complete && heap_has(heap, PART_GO) && !heap_has(heap, PART_PROCESS))
		records_check(heap, on_warning, b);
	profiles_build(&heap->profiles, heap->objects);
	profiles_find_rate(&heap->profiles, &heap->params, heap->objects,
	                   heap->complete && !heap->losses);
}

static void read_finish(struct builder *b, const struct sink *sink)
{
	struct heap *heap = b->heap;
	if (b->log)
		finish_log(b, sink);
	else
		finish_addressed(b);
	if (heap->input->damage)
		on_warning(b, ERR_NO_OFFSET, heap->input->damage);
	uint64_t lost;
	const char *loss = input_loss(heap->input, &lost);
	if (loss)
		on_warning(b, lost, loss);
}

static struct heap *read_with(const struct input *input, const struct format *format,
                              struct index_file *index, struct progress *progress, struct err *err)
{
	struct heap *heap = mem_alloc(sizeof *heap);
	heap->input = input;
	heap->format = format;
	heap->parts = format_parts(format);
	heap->objects = objects_new();
	heap->columns = mem_alloc(sizeof *heap->columns);
	pthread_mutex_init(&heap->columns->reversing, NULL);
	heap->columns->serial = mem_serial();
	heap->columns->long_holders = long_holders_new();
	const struct index_io io = {.file = index};
	if (index && !heap_read_index(heap, &io)) {
		heap_free(heap);
		return NULL;
	}
	struct builder builder = {.heap = heap, .known = index != NULL};
	const struct sink sink = {
		.self = &builder,
		.record = on_record,
		.object = builder_add_object,
		.row = builder_add_row,
		.ghost = builder_add_ghost,
		.domain = builder_begin_domain,
		.domain_end = builder_end_domain,
		.log = builder_list_object,
		.log_root = builder_list_root,
		.trace = on_trace,
		.heap_profiles = on_heap_profiles,
		.end = on_end,
		.warning = on_warning,
		.notice = on_notice,
		.skip = index ? builder_skip : NULL,
	};
	heap->reader = format->read(format, input, &sink, progress, err);
	bool usable = heap->reader != NULL;
	if (usable && progress && atomic_load(&progress->cancel))
		usable = err_set(err, "Cancelled while the file was read");
	if (usable && builder.early)
		usable = err_at(err, builder.early_offset, "The reader of %s tells %s", format->name,
		                builder.early);
	if (usable && builder.log && builder.log->count >= OBJECT_FREE)
		usable = err_set(err, "The file has more objects than goheapx can number");
	if (!usable) {
		log_objects_free(builder.log);
		outline_free(builder.outline);
		heap_free(heap);
		return NULL;
	}
	read_finish(&builder, &sink);
	outline_free(builder.outline);
	heap->params.redacted |= input->redacted;
	return heap;
}

struct heap *heap_read_indexed(const struct input *input, struct index_file *index,
                               struct progress *progress, struct err *err)
{
	const struct format *format = format_find(input, err);
	struct err unused = {0};
	struct heap *heap = format && index ? read_with(input, format, index, progress, &unused) : NULL;
	if (heap && heap_read_fits(heap, index))
		return heap;
	heap_free(heap);
	return format ? read_with(input, format, NULL, progress, err) : NULL;
}

struct heap *heap_read(const struct input *input, struct progress *progress, struct err *err)
{
	return heap_read_indexed(input, NULL, progress, err);
}
