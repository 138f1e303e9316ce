/* The records of Go's heap dumps, one function a kind (runtime/heapdump.go). A record is a tag and
   fields without any frame: to skip one, it must be read. */
#include "format/go_object.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { REPLACED = 0xFFFD };

/* Go writes nothing else. */
static bool read_bool(struct go_walk *w)
{
	uint64_t value = cursor_uvarint(&w->c);
	if (value > 1)
		w->strange = "a flag is neither 0 nor 1";
	return value != 0;
}

static struct text read_text(struct go_walk *w)
{
	struct text text = cursor_text(&w->c);
	size_t at = w->trial ? text.len : 0; /* trials jump over what they need not read */
	while (at < text.len && (uint8_t)text.data[at] < 0x80)
		at++;
	while (at < text.len) {
		uint32_t code;
		size_t length = text_decode(text.data + at, text.len - at, &code);
		if (length == 1 && code == REPLACED)
			w->strange = "a name is no valid UTF-8";
		at += length;
	}
	return text;
}

/* A field list that stands after the memory it is of. */
static struct fields read_fields(struct go_walk *w, const uint8_t *data, uint64_t size)
{
	const struct go_reader *r = w->reader;
	const uint8_t *stop = go_fields_stop(w->c.at, w->c.end, r->layout->max_kind);
	struct fields fields = go_fields(r, w->c.at, stop, data, size);
	w->work += (uint64_t)(stop - w->c.at);
	if (stop == w->c.end || *stop)
		cursor_fail(&w->c);
	else
		w->c.at = stop + 1;
	return fields;
}

/* Told by the walk: in a damaged file a 0 may be anything. */
static void go_records_read_end(struct go_walk *w, uint64_t offset)
{
	(void)offset;
	w->ended = true;
}

static void warn_cut_object(const struct go_walk *w, const struct object_record *r)
{
	char text[256];
	if (!w->sink->warning)
		return;
	snprintf(text, sizeof text,
	         "Of the object at 0x%" PRIx64 " Go wrote only %" PRIu64 " of %" PRIu64
	         " bytes, its own fault in objects of 2 GiB and more: the rest is missing, and what "
	         "only that pointed to seems unreachable",
	         r->slot, r->stored, r->size);
	w->sink->warning(w->sink->self, r->offset, text);
}

static void go_records_read_object(struct go_walk *w, uint64_t offset)
{
	struct object_record r;
	bool whole = go_object_decode(w->reader, &w->c, offset, &r);
	w->work += (uint64_t)(r.fields.end - r.fields.at);
	if (!whole)
		return;
	if (r.stored < r.size)
		warn_cut_object(w, &r);
	bool ghost = ghost_filter_is_ghost(&w->ghosts, &w->reader->rules, &r);
	void (*tell)(void *, const struct object_record *) = ghost ? w->sink->ghost : w->sink->object;
	if (tell)
		tell(w->sink->self, &r);
}

static void go_records_read_otherroot(struct go_walk *w, uint64_t offset)
{
	struct otherroot_record r = {.offset = offset, .what = read_text(w)};
	r.target = cursor_uvarint(&w->c);
	if (cursor_ok(&w->c) && w->sink->otherroot)
		w->sink->otherroot(w->sink->self, &r);
}

/* Go 1.3: objects that come later need it. Not on trial. */
static void remember_type(struct go_reader *reader, const struct type_record *r)
{
	reader->type =
		mem_grow(reader->type, reader->type_count, &reader->type_capacity, sizeof *reader->type);
	map_put(&reader->types, r->address, reader->type_count);
	reader->type[reader->type_count++] = go_type_make(reader, r->size, r->fields.at, r->fields.end);
	if (!r->pointer)
		map_put(&reader->old.scalars, r->address, 1);
}

static void go_records_read_type(struct go_walk *w, uint64_t offset)
{
	struct cursor *c = &w->c;
	struct type_record r = {.offset = offset, .address = cursor_uvarint(c)};
	r.size = cursor_uvarint(c);
	if (w->reader->layout->broken_types && cursor_ok(c)) {
		struct cursor ahead = *c;
		if (cursor_uvarint(&ahead) > GO_LONGEST_NAME) {
			w->broken_type = r.address;
			cursor_fail(c);
			return;
		}
	}
	r.name = read_text(w);
	r.pointer = read_bool(w);
	if (w->reader->layout->typed_objects)
		r.fields = read_fields(w, NULL, 0);
	if (!cursor_ok(c))
		return;
	if (w->reader->layout->typed_objects && !w->trial)
		remember_type(w->reader, &r);
	if (w->sink->type)
		w->sink->type(w->sink->self, &r);
}

static void go_records_read_goroutine(struct go_walk *w, uint64_t offset)
{
	struct cursor *c = &w->c;
	struct goroutine_record r = {.offset = offset, .address = cursor_uvarint(c)};
	r.sp = cursor_uvarint(c);
	r.id = cursor_uvarint(c);
	r.creator_pc = cursor_uvarint(c);
	r.status = cursor_uvarint(c);
	r.system = read_bool(w);
	r.background = read_bool(w);
	r.wait_since = cursor_uvarint(c);
	r.wait_reason = read_text(w);
	r.context = cursor_uvarint(c);
	r.m = cursor_uvarint(c);
	r.defer = cursor_uvarint(c);
	r.panic = cursor_uvarint(c);
	w->depth = 0;
	if (cursor_ok(c) && w->sink->goroutine)
		w->sink->goroutine(w->sink->self, &r);
}

static void go_records_read_frame(struct go_walk *w, uint64_t offset)
{
	struct cursor *c = &w->c;
	struct frame_record r = {.offset = offset, .sp = cursor_uvarint(c)};
	r.depth = cursor_uvarint(c);
	if (r.depth != w->depth)
		w->strange = "stack frames before it are missing or out of order";
	w->depth = r.depth + 1;
	r.child_sp = cursor_uvarint(c);
	r.size = cursor_uvarint(c);
	r.data = cursor_bytes(c, r.size);
	r.entry_pc = cursor_uvarint(c);
	r.pc = cursor_uvarint(c);
	r.continue_pc = w->reader->layout->continue_pc ? cursor_uvarint(c) : r.pc;
	r.function = read_text(w);
	r.fields = read_fields(w, r.data, r.size);
	if (cursor_ok(c) && w->sink->frame)
		w->sink->frame(w->sink->self, &r);
}

/* cmd/dist and the linkers of the time: thechar */
static struct text arch_of(uint64_t code)
{
	static const struct {
		char code;
		const char *name;
	} archs[] = {
		{'5', "arm"}, {'6', "amd64"}, {'7', "arm64"}, {'8', "386"}, {'9', "ppc64"}, {'0', "mips64"},
	};
	for (size_t i = 0; i < sizeof archs / sizeof *archs; i++)
		if (code == (uint64_t)archs[i].code)
			return (struct text){archs[i].name, strlen(archs[i].name)};
	return (struct text){"", 0};
}

static void go_records_read_params(struct go_walk *w, uint64_t offset)
{
	struct cursor *c = &w->c;
	const struct go_layout *layout = w->reader->layout;
	struct params_record r = {.offset = offset};
	r.layout.big_endian = read_bool(w);
	uint64_t pointer_size = cursor_uvarint(c);
	uint64_t channel_size = layout->channel_size ? cursor_uvarint(c) : 0;
	r.heap_start = cursor_uvarint(c);
	r.heap_end = cursor_uvarint(c);
	r.arch = layout->arch_code ? arch_of(cursor_uvarint(c)) : read_text(w);
	r.version = read_text(w);
	r.cpus = cursor_uvarint(c);
	if (layout->version)
		r.version = (struct text){layout->version, strlen(layout->version)};
	if (!cursor_ok(c) || w->has_params || (pointer_size != 4 && pointer_size != 8))
		return; /* a second record of the kind changes nothing */
	r.layout.pointer_size = (uint8_t)pointer_size;
	w->has_params = true;
	go_reader_set_params(w->reader, &r, channel_size);
	if (w->sink->params)
		w->sink->params(w->sink->self, &w->reader->params);
}

static void tell_finalizer(struct go_walk *w, uint64_t offset, bool queued)
{
	struct finalizer_record r = {
		.offset = offset, .object = cursor_uvarint(&w->c), .queued = queued};
	r.function = cursor_uvarint(&w->c);
	r.entry_pc = cursor_uvarint(&w->c);
	r.argument_type = cursor_uvarint(&w->c);
	r.object_type = cursor_uvarint(&w->c);
	if (cursor_ok(&w->c) && w->sink->finalizer)
		w->sink->finalizer(w->sink->self, &r);
}

static void go_records_read_finalizer(struct go_walk *w, uint64_t offset)
{
	tell_finalizer(w, offset, false);
}

static void read_queued_finalizer(struct go_walk *w, uint64_t offset)
{
	tell_finalizer(w, offset, true);
}

static void go_records_read_itab(struct go_walk *w, uint64_t offset)
{
	struct itab_record r = {.offset = offset, .address = cursor_uvarint(&w->c)};
	uint64_t second = cursor_uvarint(&w->c);
	if (w->reader->layout->itab_flag)
		r.scalar = second == 0;
	else
		r.type = second;
	if (!cursor_ok(&w->c))
		return;
	if (r.scalar && !w->trial)
		map_put(&w->reader->old.scalars, r.address, 1);
	if (w->sink->itab)
		w->sink->itab(w->sink->self, &r);
}

static void read_thread(struct go_walk *w, uint64_t offset)
{
	struct thread_record r = {.offset = offset, .address = cursor_uvarint(&w->c)};
	r.id = cursor_uvarint(&w->c);
	r.os_id = cursor_uvarint(&w->c);
	if (cursor_ok(&w->c) && w->sink->thread)
		w->sink->thread(w->sink->self, &r);
}

static void read_memstats(struct go_walk *w, uint64_t offset)
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

static void tell_segment(struct go_walk *w, uint64_t offset, bool bss)
{
	struct segment_record r = {.offset = offset, .address = cursor_uvarint(&w->c), .bss = bss};
	r.size = cursor_uvarint(&w->c);
	r.data = cursor_bytes(&w->c, r.size);
	r.fields = read_fields(w, r.data, r.size);
	if (cursor_ok(&w->c) && w->sink->segment)
		w->sink->segment(w->sink->self, &r);
}

static void read_data(struct go_walk *w, uint64_t offset)
{
	tell_segment(w, offset, false);
}

static void read_bss(struct go_walk *w, uint64_t offset)
{
	tell_segment(w, offset, true);
}

static void read_defer(struct go_walk *w, uint64_t offset)
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

static void read_panic(struct go_walk *w, uint64_t offset)
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

static void read_profile(struct go_walk *w, uint64_t offset)
{
	struct cursor *c = &w->c;
	struct profile_record r = {.offset = offset, .id = cursor_uvarint(c)};
	r.size = cursor_uvarint(c);
	r.frames = cursor_uvarint(c);
	r.stack = c->at;
	for (uint64_t i = 0; i < r.frames && cursor_ok(c); i++) {
		read_text(w);
		read_text(w);
		cursor_uvarint(c);
		w->work += 3;
	}
	r.stack_size = (uint64_t)(c->at - r.stack);
	r.allocs = cursor_uvarint(c);
	r.frees = cursor_uvarint(c);
	if (cursor_ok(c) && w->sink->profile)
		w->sink->profile(w->sink->self, &r);
}

static void read_sample(struct go_walk *w, uint64_t offset)
{
	struct sample_record r = {.offset = offset, .object = cursor_uvarint(&w->c)};
	r.profile = cursor_uvarint(&w->c);
	if (cursor_ok(&w->c) && w->sink->sample)
		w->sink->sample(w->sink->self, &r);
}

static const struct {
	const char *name;
	void (*read)(struct go_walk *, uint64_t offset); /* after the tag; fails through the cursor */
} records[] = {
	{"end", go_records_read_end},
	{"object", go_records_read_object},
	{"other root", go_records_read_otherroot},
	{"type", go_records_read_type},
	{"goroutine", go_records_read_goroutine},
	{"stack frame", go_records_read_frame},
	{"parameters", go_records_read_params},
	{"finalizer", go_records_read_finalizer},
	{"itab", go_records_read_itab},
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

bool go_record_read(struct go_walk *walk, const char **name)
{
	uint64_t offset = cursor_offset(&walk->c);
	const uint8_t *tag_byte = cursor_bytes(&walk->c, 1); /* a varint, always of one byte */
	unsigned tag = tag_byte ? *tag_byte : RECORDS;
	*name = NULL;
	if (tag >= RECORDS)
		return false;
	*name = records[tag].name;
	records[tag].read(walk, offset);
	return cursor_ok(&walk->c) && !walk->ended;
}
