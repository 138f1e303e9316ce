/* The heap dump of the patch that Go 1.3's grew out of (codereview 37540043): the same header line,
   other records, roots that are found pointers instead of memory. A frame names its parent, a
   goroutine its innermost frame, so both are kept until the end and told goroutine by goroutine. */
#include "format/go_object.h"
#include "format/plugins.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { TAG_PARAMS = 10, TAG_OBJECT = 1, STEP = 4096 };

/* Kinds of fields there: 0 pointer, 1 string, 2 slice, 3 interface with methods, 4 without. They
   are stored one higher, as in Go 1.3, so that 0 can end a list. */
static const uint8_t kinds[] = {OLD_NONE,    OLD_POINTER, OLD_POINTER,
                                OLD_POINTER, OLD_IFACE,   OLD_EFACE};
static const struct go_layout layout = {
	.header = "go1.3 heap dump\n",
	.typed_objects = true,
	.max_kind = 5,
	.kinds = kinds,
};

struct early_frame {
	struct frame_record record;
	uint64_t parent;
	bool claimed; /* by a goroutine */
};

struct early {
	struct go_reader go; /* first: what decoding an object needs */
	uint8_t **lists;     /* converted field lists, ours */
	size_t list_count, list_capacity;
	struct goroutine_record *goroutines;
	size_t goroutine_count, goroutine_capacity;
	struct early_frame *frames;
	size_t frame_count, frame_capacity;
	struct map by_sp; /* sp -> index in frames */
	const struct sink *sink;
	struct cursor c;
	bool has_params, ended;
};

static void go13_early_read_object(struct early *e, uint64_t offset)
{
	struct object_record r = {.offset = offset, .slot = cursor_uvarint(&e->c)};
	if (go_object_typed(&e->go, &e->c, &r) && e->sink->object)
		e->sink->object(e->sink->self, &r);
}

static void go13_early_read_end(struct early *e, uint64_t offset)
{
	e->ended = true;
	if (e->sink->end)
		e->sink->end(e->sink->self, offset);
}

static void tell_root(struct early *e, uint64_t offset, bool on_stack)
{
	struct foundroot_record r = {
		.offset = offset, .address = cursor_uvarint(&e->c), .on_stack = on_stack};
	r.target = cursor_uvarint(&e->c);
	r.frame_sp = on_stack ? cursor_uvarint(&e->c) : 0;
	if (cursor_ok(&e->c) && e->sink->foundroot)
		e->sink->foundroot(e->sink->self, &r);
}

static void read_stackroot(struct early *e, uint64_t offset)
{
	tell_root(e, offset, true);
}
static void read_dataroot(struct early *e, uint64_t offset)
{
	tell_root(e, offset, false);
}

static void go13_early_read_otherroot(struct early *e, uint64_t offset)
{
	struct otherroot_record r = {.offset = offset, .what = cursor_text(&e->c)};
	r.target = cursor_uvarint(&e->c);
	if (cursor_ok(&e->c) && e->sink->otherroot)
		e->sink->otherroot(e->sink->self, &r);
}

/* The pairs of a type, copied with their kinds one higher and a 0 at the end. */
static struct go_type read_list(struct early *e, uint64_t size)
{
	uint64_t count = cursor_uvarint(&e->c);
	struct cursor start = e->c;
	if (count > cursor_left(&e->c) / 2)
		cursor_fail(&e->c);
	for (uint64_t i = 0; i < count && cursor_ok(&e->c); i++) {
		if (cursor_uvarint(&e->c) > 4)
			cursor_fail(&e->c);
		cursor_uvarint(&e->c);
	}
	if (!cursor_ok(&e->c))
		return (struct go_type){0};
	size_t bytes = (size_t)(e->c.at - start.at);
	uint8_t *list = mem_alloc(bytes + 1);
	memcpy(list, start.at, bytes);
	for (struct cursor at = start; at.at < e->c.at; cursor_uvarint(&at)) {
		list[at.at - start.at]++; /* a kind is one byte: it is at most 4 */
		cursor_uvarint(&at);
	}
	e->lists = mem_grow(e->lists, e->list_count, &e->list_capacity, sizeof *e->lists);
	e->lists[e->list_count++] = list;
	return go_type_make(&e->go, size, list, list + bytes);
}

static void go13_early_read_type(struct early *e, uint64_t offset)
{
	struct type_record r = {.offset = offset, .address = cursor_uvarint(&e->c)};
	r.size = cursor_uvarint(&e->c);
	r.name = cursor_text(&e->c);
	r.pointer = cursor_uvarint(&e->c) != 0;
	struct go_type type = read_list(e, r.size);
	struct go_reader *go = &e->go;
	if (!cursor_ok(&e->c))
		return;
	go->type = mem_grow(go->type, go->type_count, &go->type_capacity, sizeof *go->type);
	map_put(&go->types, r.address, go->type_count);
	go->type[go->type_count++] = type;
	if (!r.pointer)
		map_put(&go->old.scalars, r.address, 1);
	if (e->sink->type)
		e->sink->type(e->sink->self, &r);
}

static void go13_early_read_goroutine(struct early *e, uint64_t offset)
{
	struct cursor *c = &e->c;
	struct goroutine_record r = {.offset = offset, .address = cursor_uvarint(c)};
	r.sp = cursor_uvarint(c);
	r.id = cursor_uvarint(c);
	r.creator_pc = cursor_uvarint(c);
	r.status = cursor_uvarint(c);
	r.system = cursor_uvarint(c) != 0;
	r.background = cursor_uvarint(c) != 0;
	r.wait_since = cursor_uvarint(c);
	r.wait_reason = cursor_text(c);
	if (!cursor_ok(c))
		return;
	e->goroutines =
		mem_grow(e->goroutines, e->goroutine_count, &e->goroutine_capacity, sizeof *e->goroutines);
	e->goroutines[e->goroutine_count++] = r;
}

static void go13_early_read_frame(struct early *e, uint64_t offset)
{
	struct cursor *c = &e->c;
	struct early_frame f = {.record = {.offset = offset, .sp = cursor_uvarint(c)}};
	f.parent = cursor_uvarint(c);
	f.record.entry_pc = cursor_uvarint(c);
	f.record.pc = f.record.continue_pc = cursor_uvarint(c);
	f.record.function = cursor_text(c);
	if (!cursor_ok(c))
		return;
	map_put(&e->by_sp, f.record.sp, e->frame_count);
	e->frames = mem_grow(e->frames, e->frame_count, &e->frame_capacity, sizeof *e->frames);
	e->frames[e->frame_count++] = f;
}

static void go13_early_read_params(struct early *e, uint64_t offset)
{
	struct cursor *c = &e->c;
	struct params_record r = {.offset = offset, .layout = {.big_endian = cursor_uvarint(c) != 0}};
	uint64_t pointer_size = cursor_uvarint(c), channel_size = cursor_uvarint(c);
	r.heap_start = cursor_uvarint(c);
	r.heap_end = cursor_uvarint(c);
	r.version = (struct text){"go1.3", 5};
	if (!cursor_ok(c) || e->has_params || (pointer_size != 4 && pointer_size != 8))
		return;
	e->has_params = true;
	r.layout.pointer_size = (uint8_t)pointer_size;
	go_reader_set_params(&e->go, &r, channel_size);
	if (e->sink->params)
		e->sink->params(e->sink->self, &e->go.params);
}

static void go13_early_read_finalizer(struct early *e, uint64_t offset)
{
	struct finalizer_record r = {.offset = offset, .object = cursor_uvarint(&e->c)};
	r.function = cursor_uvarint(&e->c);
	r.entry_pc = cursor_uvarint(&e->c);
	r.argument_type = cursor_uvarint(&e->c);
	r.object_type = cursor_uvarint(&e->c);
	if (cursor_ok(&e->c) && e->sink->finalizer)
		e->sink->finalizer(e->sink->self, &r);
}

static void go13_early_read_itab(struct early *e, uint64_t offset)
{
	struct itab_record r = {.offset = offset, .address = cursor_uvarint(&e->c)};
	r.scalar = cursor_uvarint(&e->c) == 0;
	if (!cursor_ok(&e->c))
		return;
	if (r.scalar)
		map_put(&e->go.old.scalars, r.address, 1);
	if (e->sink->itab)
		e->sink->itab(e->sink->self, &r);
}

static void (*const records[])(struct early *, uint64_t offset) = {
	[1] = go13_early_read_object,
	[3] = go13_early_read_end,
	[4] = read_stackroot,
	[5] = read_dataroot,
	[6] = go13_early_read_otherroot,
	[7] = go13_early_read_type,
	[8] = go13_early_read_goroutine,
	[9] = go13_early_read_frame,
	[10] = go13_early_read_params,
	[11] = go13_early_read_finalizer,
	[12] = go13_early_read_itab,
};
enum { RECORDS = sizeof records / sizeof *records };

static void go13_early_warn(const struct early *e, uint64_t offset, const char *text)
{
	if (e->sink->warning)
		e->sink->warning(e->sink->self, offset, text);
}

/* False: nothing more can be read. */
static bool go13_early_step(struct early *e)
{
	uint64_t offset = cursor_offset(&e->c);
	if (cursor_left(&e->c) == 0) {
		go13_early_warn(e, offset,
		                "The file ends here without its end record: the dump is incomplete");
		return false;
	}
	const uint8_t *tag_byte = cursor_bytes(&e->c, 1); /* a varint, always of one byte */
	unsigned tag = tag_byte ? *tag_byte : RECORDS;
	if (tag < RECORDS && records[tag])
		records[tag](e, offset);
	else
		cursor_fail(&e->c);
	if (!cursor_ok(&e->c))
		go13_early_warn(e, offset, "The record here is cut or damaged: reading stopped");
	return cursor_ok(&e->c) && !e->ended;
}

/* Takes the frames from an innermost one outwards into `order`; gives the end of it. A frame has
   one stack, even where a damaged file has frames that are each other's parents. */
static size_t claim_stack(struct early *e, uint64_t sp, size_t *order, size_t end)
{
	uint64_t index, child = 0;
	for (uint64_t depth = 0; map_get(&e->by_sp, sp, &index) && !e->frames[index].claimed; depth++) {
		struct early_frame *frame = &e->frames[index];
		frame->claimed = true;
		frame->record.depth = depth;
		frame->record.child_sp = child;
		child = sp;
		sp = frame->parent;
		order[end++] = index;
	}
	return end;
}

static void tell_frame(const struct early *e, size_t index)
{
	if (e->sink->frame)
		e->sink->frame(e->sink->self, &e->frames[index].record);
}

/* Frames that lead to no goroutine come first, where they are nobody's. */
static void tell_stacks(struct early *e)
{
	size_t *order = mem_alloc(e->frame_count * sizeof *order);
	size_t *ends = mem_alloc(e->goroutine_count * sizeof *ends), end = 0, at = 0;
	for (size_t g = 0; g < e->goroutine_count; g++)
		ends[g] = end = claim_stack(e, e->goroutines[g].sp, order, end);
	for (size_t i = 0; i < e->frame_count; i++)
		if (!e->frames[i].claimed)
			tell_frame(e, i);
	for (size_t g = 0; g < e->goroutine_count; g++) {
		if (e->sink->goroutine)
			e->sink->goroutine(e->sink->self, &e->goroutines[g]);
		for (; at < ends[g]; at++)
			tell_frame(e, order[at]);
	}
	free(order);
	free(ends);
}

static void go13_early_close(struct reader *reader)
{
	struct early *e = (struct early *)reader;
	for (size_t i = 0; i < e->list_count; i++)
		free(e->lists[i]);
	free(e->lists);
	free(e->goroutines);
	free(e->frames);
	map_free(&e->by_sp);
	go_reader_clear(&e->go);
	free(e);
}

static struct reader *go13_early_read(const struct format *format, const struct input *input,
                                      const struct sink *sink, struct progress *progress,
                                      struct err *err)
{
	struct early *e = mem_alloc(sizeof *e);
	(void)format;
	e->go = (struct go_reader){.layout = &layout, .data = input->data, .size = input->size};
	e->sink = sink;
	e->c = cursor_make(input->data, input->size, GO_HEADER_LINE);
	progress_begin(progress, "reading the dump", input->size);
	if (!go13_early_step(e) || !e->has_params) {
		err_at(err, GO_HEADER_LINE, "The dump does not begin with a valid parameters record");
		go13_early_close((struct reader *)e);
		return NULL;
	}
	for (uint64_t n = 1; go13_early_step(e); n++)
		if (n % STEP == 0 && !progress_step(progress, cursor_offset(&e->c)))
			break;
	tell_stacks(e);
	e->sink = NULL;
	return (struct reader *)e;
}

static bool go13_early_probe(const struct format *format, const uint8_t *data, size_t size)
{
	(void)format;
	return size > GO_HEADER_LINE && memcmp(data, layout.header, GO_HEADER_LINE) == 0
	       && data[GO_HEADER_LINE] == TAG_PARAMS;
}

static bool go13_early_object(const struct reader *reader, uint64_t offset,
                              struct object_record *record)
{
	const struct early *e = (const struct early *)reader;
	if (offset >= e->go.size || e->go.data[offset] != TAG_OBJECT)
		return false;
	return go_object_read(&e->go, offset, record);
}

const struct format format_go13early = {
	.name = "go1.3-early",
	.help = "heap dump of the patch that came before Go 1.3",
	.noun = "Go heap dump",
	.has = HAS_GO,
	.probe = go13_early_probe,
	.read = go13_early_read,
	.object = go13_early_object,
	.close = go13_early_close,
};
