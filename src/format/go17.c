/* Go's heap dump as Go 1.7 and all later versions write it (runtime/heapdump.go): a header line, then
   records, each a tag and fields without any frame, to the end record. */
#include "format/go_object.h"
#include "format/go_rules.h"
#include "format/plugins.h"

#include "base/cursor.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char header[] = "go1.7 heap dump\n";
enum { HEADER = sizeof header - 1, STEP = 4096 };

struct walk {
	const struct sink *sink;
	struct cursor c;
	struct params_record params;
	struct go_rules rules;
	struct ghost_filter ghosts;
	bool has_params, ended;
};

static bool read_bool(struct cursor *c)
{
	return cursor_uvarint(c) != 0;
}

static struct fields read_fields(struct cursor *c)
{
	struct fields fields = {c->at, c->at};
	const uint8_t *end = go_fields_end(c->at, c->end);
	if (end)
		fields.end = c->at = end;
	else
		cursor_bytes(c, UINT64_MAX); /* fails */
	return fields;
}

static void read_end(struct walk *w, uint64_t offset)
{
	w->ended = true;
	if (w->sink->end)
		w->sink->end(w->sink->self, offset);
}

static void read_object(struct walk *w, uint64_t offset)
{
	struct object_record r;
	if (!go_object_decode(&w->c, &w->params.layout, offset, &r))
		return;
	bool ghost = ghost_filter_is_ghost(&w->ghosts, &w->rules, &r);
	void (*tell)(void *, const struct object_record *) = ghost ? w->sink->ghost : w->sink->object;
	if (tell)
		tell(w->sink->self, &r);
}

static void read_otherroot(struct walk *w, uint64_t offset)
{
	struct otherroot_record r = {.offset = offset, .what = cursor_text(&w->c)};
	r.target = cursor_uvarint(&w->c);
	if (cursor_ok(&w->c) && w->sink->otherroot)
		w->sink->otherroot(w->sink->self, &r);
}

static void read_type(struct walk *w, uint64_t offset)
{
	struct type_record r = {.offset = offset, .address = cursor_uvarint(&w->c)};
	r.size = cursor_uvarint(&w->c);
	r.name = cursor_text(&w->c);
	r.indirect = read_bool(&w->c);
	if (cursor_ok(&w->c) && w->sink->type)
		w->sink->type(w->sink->self, &r);
}

static void read_goroutine(struct walk *w, uint64_t offset)
{
	struct cursor *c = &w->c;
	struct goroutine_record r = {.offset = offset, .address = cursor_uvarint(c)};
	r.sp = cursor_uvarint(c);
	r.id = cursor_uvarint(c);
	r.creator_pc = cursor_uvarint(c);
	r.status = cursor_uvarint(c);
	r.system = read_bool(c);
	r.background = read_bool(c);
	r.wait_since = cursor_uvarint(c);
	r.wait_reason = cursor_text(c);
	r.context = cursor_uvarint(c);
	r.m = cursor_uvarint(c);
	r.defer = cursor_uvarint(c);
	r.panic = cursor_uvarint(c);
	if (cursor_ok(c) && w->sink->goroutine)
		w->sink->goroutine(w->sink->self, &r);
}

static void read_frame(struct walk *w, uint64_t offset)
{
	struct cursor *c = &w->c;
	struct frame_record r = {.offset = offset, .sp = cursor_uvarint(c)};
	r.depth = cursor_uvarint(c);
	r.child_sp = cursor_uvarint(c);
	r.size = cursor_uvarint(c);
	r.data = cursor_bytes(c, r.size);
	r.entry_pc = cursor_uvarint(c);
	r.pc = cursor_uvarint(c);
	r.continue_pc = cursor_uvarint(c);
	r.function = cursor_text(c);
	r.fields = read_fields(c);
	if (cursor_ok(c) && w->sink->frame)
		w->sink->frame(w->sink->self, &r);
}

static void read_params(struct walk *w, uint64_t offset)
{
	struct cursor *c = &w->c;
	struct params_record r = {.offset = offset};
	r.layout.big_endian = read_bool(c);
	uint64_t pointer_size = cursor_uvarint(c);
	r.heap_start = cursor_uvarint(c);
	r.heap_end = cursor_uvarint(c);
	r.arch = cursor_text(c);
	r.version = cursor_text(c);
	r.cpus = cursor_uvarint(c);
	if (!cursor_ok(c) || w->has_params || (pointer_size != 4 && pointer_size != 8))
		return; /* a second record of the kind changes nothing */
	r.layout.pointer_size = (uint8_t)pointer_size;
	w->rules = go_rules(r.version, r.layout.pointer_size);
	r.layout.header_over = w->rules.header_over;
	w->params = r;
	w->has_params = true;
	if (w->sink->params)
		w->sink->params(w->sink->self, &r);
}

static void tell_finalizer(struct walk *w, uint64_t offset, bool queued)
{
	struct finalizer_record r = {.offset = offset, .object = cursor_uvarint(&w->c), .queued = queued};
	r.function = cursor_uvarint(&w->c);
	r.entry_pc = cursor_uvarint(&w->c);
	r.argument_type = cursor_uvarint(&w->c);
	r.object_type = cursor_uvarint(&w->c);
	if (cursor_ok(&w->c) && w->sink->finalizer)
		w->sink->finalizer(w->sink->self, &r);
}

static void read_finalizer(struct walk *w, uint64_t offset)
{
	tell_finalizer(w, offset, false);
}

static void read_queued_finalizer(struct walk *w, uint64_t offset)
{
	tell_finalizer(w, offset, true);
}

static void read_itab(struct walk *w, uint64_t offset)
{
	struct itab_record r = {.offset = offset, .address = cursor_uvarint(&w->c)};
	r.type = cursor_uvarint(&w->c);
	if (cursor_ok(&w->c) && w->sink->itab)
		w->sink->itab(w->sink->self, &r);
}

static void read_thread(struct walk *w, uint64_t offset)
{
	struct thread_record r = {.offset = offset, .address = cursor_uvarint(&w->c)};
	r.id = cursor_uvarint(&w->c);
	r.os_id = cursor_uvarint(&w->c);
	if (cursor_ok(&w->c) && w->sink->thread)
		w->sink->thread(w->sink->self, &r);
}

static void read_memstats(struct walk *w, uint64_t offset)
{
	struct memstats_record r = {.offset = offset, .present = true};
	for (size_t i = 0; i < sizeof r.field / sizeof *r.field; i++)
		r.field[i] = cursor_uvarint(&w->c);
	for (size_t i = 0; i < MEMSTATS_PAUSES; i++)
		r.pause_ns[i] = cursor_uvarint(&w->c);
	r.num_gc = cursor_uvarint(&w->c);
	if (cursor_ok(&w->c) && w->sink->memstats)
		w->sink->memstats(w->sink->self, &r);
}

static void tell_segment(struct walk *w, uint64_t offset, bool bss)
{
	struct segment_record r = {.offset = offset, .address = cursor_uvarint(&w->c), .bss = bss};
	r.size = cursor_uvarint(&w->c);
	r.data = cursor_bytes(&w->c, r.size);
	r.fields = read_fields(&w->c);
	if (cursor_ok(&w->c) && w->sink->segment)
		w->sink->segment(w->sink->self, &r);
}

static void read_data(struct walk *w, uint64_t offset)
{
	tell_segment(w, offset, false);
}

static void read_bss(struct walk *w, uint64_t offset)
{
	tell_segment(w, offset, true);
}

static void read_defer(struct walk *w, uint64_t offset)
{
	struct cursor *c = &w->c;
	struct defer_record r = {.offset = offset, .address = cursor_uvarint(c)};
	r.goroutine = cursor_uvarint(c);
	r.sp = cursor_uvarint(c);
	r.pc = cursor_uvarint(c);
	r.function = cursor_uvarint(c);
	r.entry_pc = cursor_uvarint(c);
	r.link = cursor_uvarint(c);
	if (cursor_ok(c) && w->sink->defer)
		w->sink->defer(w->sink->self, &r);
}

static void read_panic(struct walk *w, uint64_t offset)
{
	struct cursor *c = &w->c;
	struct panic_record r = {.offset = offset, .address = cursor_uvarint(c)};
	r.goroutine = cursor_uvarint(c);
	r.type = cursor_uvarint(c);
	r.data = cursor_uvarint(c);
	r.defer = cursor_uvarint(c);
	r.link = cursor_uvarint(c);
	if (cursor_ok(c) && w->sink->panic)
		w->sink->panic(w->sink->self, &r);
}

static void read_profile(struct walk *w, uint64_t offset)
{
	struct cursor *c = &w->c;
	struct profile_record r = {.offset = offset, .id = cursor_uvarint(c)};
	r.size = cursor_uvarint(c);
	r.frames = cursor_uvarint(c);
	r.stack = c->at;
	for (uint64_t i = 0; i < r.frames && cursor_ok(c); i++) {
		cursor_text(c);
		cursor_text(c);
		cursor_uvarint(c);
	}
	r.stack_size = (uint64_t)(c->at - r.stack);
	r.allocs = cursor_uvarint(c);
	r.frees = cursor_uvarint(c);
	if (cursor_ok(c) && w->sink->profile)
		w->sink->profile(w->sink->self, &r);
}

static void read_sample(struct walk *w, uint64_t offset)
{
	struct sample_record r = {.offset = offset, .object = cursor_uvarint(&w->c)};
	r.profile = cursor_uvarint(&w->c);
	if (cursor_ok(&w->c) && w->sink->sample)
		w->sink->sample(w->sink->self, &r);
}

static const struct {
	const char *name;
	void (*read)(struct walk *, uint64_t offset); /* after the tag; fails through the cursor */
} records[] = {
	{"end", read_end},
	{"object", read_object},
	{"other root", read_otherroot},
	{"type", read_type},
	{"goroutine", read_goroutine},
	{"stack frame", read_frame},
	{"parameters", read_params},
	{"finalizer", read_finalizer},
	{"itab", read_itab},
	{"OS thread", read_thread},
	{"memory statistics", read_memstats},
	{"queued finalizer", read_queued_finalizer},
	{"data segment", read_data},
	{"bss segment", read_bss},
	{"deferred call", read_defer},
	{"panic", read_panic},
	{"allocation profile", read_profile},
	{"allocation sample", read_sample},
};
enum { RECORDS = sizeof records / sizeof *records };

__attribute__((format(printf, 3, 4)))
static void warn(const struct walk *w, uint64_t offset, const char *format, ...)
{
	char text[160];
	va_list arguments;
	if (!w->sink->warning)
		return;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	w->sink->warning(w->sink->self, offset, text);
}

/* One record; false: nothing more can be read. */
static bool read_record(struct walk *w)
{
	uint64_t offset = cursor_offset(&w->c);
	size_t left = cursor_left(&w->c);
	if (left == 0) {
		warn(w, offset, "The file ends here without its end record: the dump is incomplete");
		return false;
	}
	uint64_t tag = cursor_uvarint(&w->c);
	if (!cursor_ok(&w->c) || tag >= RECORDS) {
		warn(w, offset, "There is no record of kind %" PRIu64 ": reading stopped here, %zu bytes "
		     "before the end of the file", tag, left);
		return false;
	}
	records[tag].read(w, offset);
	if (!cursor_ok(&w->c)) {
		warn(w, offset, "The %s record here is cut or damaged: reading stopped, %zu bytes before "
		     "the end of the file", records[tag].name, left);
		return false;
	}
	return !w->ended;
}

static bool probe(const uint8_t *head, size_t len)
{
	return len >= HEADER && memcmp(head, header, HEADER) == 0;
}

static bool read(const struct input *input, const struct sink *sink, struct progress *progress,
                 struct err *err)
{
	struct walk w = {.sink = sink, .c = cursor_make(input->data, input->size, HEADER)};
	progress_begin(progress, "reading the dump", input->size);
	if (cursor_left(&w.c) == 0)
		return err_at(err, HEADER, "The dump ends right after its header line: it has no records");
	if (!read_record(&w) || !w.has_params)
		return err_at(err, HEADER, "The dump does not begin with a valid parameters record");
	for (uint64_t n = 1; read_record(&w); n++)
		if (n % STEP == 0 && !progress_step(progress, cursor_offset(&w.c)))
			break;
	if (w.ended && cursor_left(&w.c))
		warn(&w, cursor_offset(&w.c), "%zu bytes follow the end record: they are not read",
		     cursor_left(&w.c));
	return true;
}

static bool object(const struct input *input, const struct params_record *params, uint64_t offset,
                   struct object_record *record)
{
	if (offset >= input->size || input->data[offset] != GO_TAG_OBJECT)
		return false;
	struct cursor c = cursor_make(input->data, input->size, offset + 1);
	return go_object_decode(&c, &params->layout, offset, record);
}

const struct format format_go17 = {
	.name = "go1.7",
	.help = "heap dump of Go 1.7 and later (debug.WriteHeapDump)",
	.probe = probe,
	.read = read,
	.object = object,
};
