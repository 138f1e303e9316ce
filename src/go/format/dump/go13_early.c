/* Heap dumps of the patch that preceded Go 1.3 (codereview 37540043): the same header line, other
   records, and roots that are pointers found by the collector instead of memory. A frame names its
   parent, a goroutine its innermost frame, so both are stored until the end of the file, and then
   reported goroutine by goroutine. */
#include "format/format.h"
#include "go/format/dump/go_object.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { TAG_PARAMS = 10, STEP = 4096 };

/* Field kinds in the file: 0 pointer, 1 string, 2 slice, 3 interface with methods, 4 without. They
   are stored one higher, as in Go 1.3, so that 0 can end a list. */
static const uint8_t kinds[] = {OLD_NONE,    OLD_POINTER, OLD_POINTER,
                                OLD_POINTER, OLD_IFACE,   OLD_EFACE};
static const struct go_tag tags[] = {
	{.kind = RECORD_KINDS},
	{.kind = RECORD_OBJECT},
	{.kind = RECORD_KINDS},
	{.kind = RECORD_END},
	{.kind = RECORD_FOUNDROOT, .second = true}, /* root in a frame */
	{.kind = RECORD_FOUNDROOT},
	{.kind = RECORD_OTHERROOT},
	{.kind = RECORD_TYPE},
	{.kind = RECORD_GOROUTINE},
	{.kind = RECORD_FRAME},
	{.kind = RECORD_PARAMS},
	{.kind = RECORD_FINALIZER},
	{.kind = RECORD_ITAB},
};
static const struct go_layout layout = {
	.release = GO_EARLY,
	.header = "go1.3 heap dump\n",
	.version = "go1.3",
	.tags = tags,
	.tag_count = sizeof tags / sizeof *tags,
	.typed_objects = true,
	.max_kind = 5,
	.kinds = kinds,
};

struct early_frame {
	struct frame_record record;
	bool claimed; /* it belongs to a goroutine */
};

/* Records to report at the end of the file. */
struct early {
	struct goroutine_record *goroutines;
	size_t goroutine_count, goroutine_capacity;
	struct early_frame *frames;
	size_t frame_count, frame_capacity;
	struct map by_sp; /* sp -> index into frames */
};

static bool go13_early_keep(struct go_walk *walk, enum record_kind kind, const void *record)
{
	struct early *e = walk->keeper;
	if (kind == RECORD_GOROUTINE) {
		MEM_PUSH(e->goroutines, e->goroutine_count, e->goroutine_capacity,
		         *(const struct goroutine_record *)record);
	} else if (kind == RECORD_FRAME) {
		const struct frame_record *frame = record;
		map_put(&e->by_sp, frame->sp, e->frame_count);
		MEM_PUSH(e->frames, e->frame_count, e->frame_capacity,
		         (struct early_frame){.record = *frame});
	}
	return kind == RECORD_GOROUTINE || kind == RECORD_FRAME;
}

static void go13_early_warn(const struct go_walk *w, uint64_t offset, const char *text)
{
	if (w->sink->warning)
		w->sink->warning(w->sink->self, offset, text);
}

/* Reads one record. Returns false at the end or if reading cannot continue. */
static bool go13_early_step(struct go_walk *w)
{
	uint64_t offset = cursor_offset(&w->c);
	const char *name;
	if (cursor_left(&w->c) == 0)
		go13_early_warn(w, offset,
		                "The file ends here without its end record: the dump is incomplete");
	else if (go_record_read(w, &name))
		return true;
	else if (!w->ended)
		go13_early_warn(w, offset, "The record here is cut or damaged: reading stopped");
	else if (w->sink->end)
		w->sink->end(w->sink->self, offset);
	return false;
}

/* Appends the frames of a stack from the innermost one outwards to `order`; returns the new end of
   it. Each frame is used once, even if frames of a damaged file form a cycle. */
static size_t claim_stack(struct early *e, uint64_t sp, size_t *order, size_t end)
{
	uint64_t index, child = 0;
	for (uint64_t depth = 0; map_get(&e->by_sp, sp, &index) && !e->frames[index].claimed; depth++) {
		struct early_frame *frame = &e->frames[index];
		uint64_t caller = frame->record.child_sp;
		frame->claimed = true;
		frame->record.depth = depth;
		frame->record.child_sp = child;
		child = sp;
		sp = caller;
		order[end++] = index;
	}
	return end;
}

static void tell(const struct sink *sink, enum record_kind kind, const void *record)
{
	if (sink->record)
		sink->record(sink->self, kind, record);
}

/* Reports frames of no goroutine first, so that they belong to none. */
static void tell_stacks(struct early *e, const struct sink *sink)
{
	size_t *order = mem_alloc(e->frame_count * sizeof *order);
	size_t *ends = mem_alloc(e->goroutine_count * sizeof *ends), end = 0, at = 0;
	for (size_t g = 0; g < e->goroutine_count; g++)
		ends[g] = end = claim_stack(e, e->goroutines[g].sp, order, end);
	for (size_t i = 0; i < e->frame_count; i++) {
		if (e->frames[i].claimed)
			continue;
		e->frames[i].record.child_sp = 0;
		tell(sink, RECORD_FRAME, &e->frames[i].record);
	}
	for (size_t g = 0; g < e->goroutine_count; g++) {
		tell(sink, RECORD_GOROUTINE, &e->goroutines[g]);
		for (; at < ends[g]; at++)
			tell(sink, RECORD_FRAME, &e->frames[order[at]].record);
	}
	free(order);
	free(ends);
}

static void go13_early_fini(struct early *e)
{
	free(e->goroutines);
	free(e->frames);
	map_free(&e->by_sp);
}

static struct reader *go13_early_read(const struct format *format, const struct input *input,
                                      const struct sink *sink, struct progress *progress,
                                      struct err *err)
{
	struct early e = {0};
	struct go_walk w = {.reader = go_reader_new(&layout, input->data, input->size),
	                    .sink = sink,
	                    .c = cursor_make(input->data, input->size, GO_HEADER_LINE),
	                    .keep = go13_early_keep,
	                    .keeper = &e};
	(void)format;
	progress_begin(progress, "reading the dump", input->size);
	if (!go13_early_step(&w) || !w.has_params) {
		err_at(err, GO_HEADER_LINE, "The dump does not begin with a valid parameters record");
		go_reader_free(w.reader);
		go13_early_fini(&e);
		return NULL;
	}
	for (uint64_t n = 1; go13_early_step(&w); n++)
		if (n % STEP == 0 && !progress_step(progress, cursor_offset(&w.c)))
			break;
	tell_stacks(&e, sink);
	go13_early_fini(&e);
	return (struct reader *)w.reader;
}

static bool go13_early_probe(const struct format *format, const uint8_t *data, size_t size)
{
	(void)format;
	return size > GO_HEADER_LINE && memcmp(data, layout.header, GO_HEADER_LINE) == 0
	       && data[GO_HEADER_LINE] == TAG_PARAMS;
}

DEFINE_PLUGIN(formats, struct format, format_go13early) = {
	.rank = 50,
	.name = "go1.3-early",
	.help = "heap dump of the patch that came before Go 1.3",
	.noun = "Go heap dump",
	.runtime = &runtime_go,
	.otherroot = 6,
	.probe = go13_early_probe,
	.read = go13_early_read,
	.object = go_object_read,
	.next = go_object_next,
	.close = go_close,
};
