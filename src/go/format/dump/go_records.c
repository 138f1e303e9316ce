/* Reads the records of Go heap dumps (runtime/heapdump.go), driven by the table of their fields. A
   record is a tag and fields without a length: it can be skipped only by reading it. */
#include "go/format/dump/go_row.h"
#include "go_shift.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { REPLACED = 0xFFFD, LAST_PAIR = 4 };

static struct text read_text(struct go_walk *w)
{
	struct text text = cursor_text(&w->c);
	size_t at = w->trial ? text.len : 0; /* dry runs skip the validation */
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

static struct text read_type_name(struct go_walk *w)
{
	struct cursor ahead = w->c;
	w->impossible_name = w->reader->layout->release == GO_15
	                     && cursor_uvarint(&ahead) > GO_LONGEST_NAME;
	w->name_at = cursor_offset(&ahead);
	if (w->impossible_name)
		cursor_fail(&w->c);
	return read_text(w);
}

/* Reads a letter of the architecture ("thechar" in cmd/dist and the linkers of the time). */
static struct text read_letter(struct go_walk *w)
{
	static const struct {
		char code;
		const char *name;
	} archs[] = {
		{'5', "arm"}, {'6', "amd64"}, {'7', "arm64"}, {'8', "386"}, {'9', "ppc64"}, {'0', "mips64"},
	};
	uint64_t code = cursor_uvarint(&w->c);
	for (size_t i = 0; i < sizeof archs / sizeof *archs; i++)
		if (code == (uint64_t)archs[i].code)
			return (struct text){archs[i].name, strlen(archs[i].name)};
	return (struct text){"", 0};
}

/* Reads a flag. Go writes only 0 and 1. */
static bool read_flag(struct go_walk *w)
{
	uint64_t value = cursor_uvarint(&w->c);
	if (value > 1)
		w->strange = "a flag is neither 0 nor 1";
	return value != 0;
}

static uint64_t read_depth(struct go_walk *w)
{
	uint64_t depth = cursor_uvarint(&w->c);
	if (depth != w->depth)
		w->strange = "stack frames before it are missing or out of order";
	w->depth = depth + 1;
	return depth;
}

/* Reads a list of pointers to the end. w->data is NULL if the memory before it is not available. */
static struct fields read_pointers(struct go_walk *w)
{
	const struct go_reader *r = w->reader;
	const uint8_t *stop = go_fields_stop(w->c.at, w->c.end, r->layout->max_kind);
	struct fields fields = go_fields(r, w->c.at, stop, w->data, w->data ? w->size : 0);
	w->work += (uint64_t)(stop - w->c.at);
	if (stop == w->c.end || *stop)
		cursor_fail(&w->c);
	else
		w->c.at = stop + 1;
	struct go_contents contents = {w->data, w->size, fields, .params = &r->params};
	contents.segment = w->address; /* frames do not end in their list */
	if (go_lost_bytes(&contents))
		w->strange =
			"its contents end in what looks like the list of pointers behind them, so that "
			"bytes before it are missing";
	return fields;
}

/* Reads a list of the early layout: a count and pairs, with kinds from 0. Converts it to a copy
   with kinds one higher and a final 0, as in later layouts. */
static struct fields read_pairs(struct go_walk *w)
{
	struct cursor *c = &w->c;
	uint64_t count = cursor_uvarint(c);
	struct cursor start = *c;
	if (count > cursor_left(c) / 2)
		cursor_fail(c);
	for (uint64_t i = 0; i < count && cursor_ok(c); i++) {
		if (cursor_uvarint(c) > LAST_PAIR)
			cursor_fail(c);
		cursor_uvarint(c);
	}
	if (!cursor_ok(c))
		return (struct fields){0};
	size_t bytes = (size_t)(c->at - start.at);
	uint8_t *list = go_reader_keep_list(w->reader, start.at, bytes);
	for (struct cursor at = start; at.at < c->at; cursor_uvarint(&at)) {
		list[at.at - start.at]++; /* a kind is one byte: at most LAST_PAIR */
		cursor_uvarint(&at);
	}
	return (struct fields){.at = list, .end = list + bytes};
}

static const uint8_t *read_stack(struct go_walk *w)
{
	const uint8_t *stack = w->c.at;
	for (uint64_t i = 0; i < w->size && cursor_ok(&w->c); i++) {
		read_text(w);
		read_text(w);
		cursor_uvarint(&w->c);
		w->work += 3;
	}
	w->size = (uint64_t)(w->c.at - stack);
	return stack;
}

static void read_field(struct go_walk *w, enum record_encoding encoding, void *place)
{
	uint64_t *number = place;
	const uint8_t **bytes = place;
	struct text *text = place;
	struct fields *fields = place;
	bool *flag = place;
	switch (encoding) {
	case ENCODING_ADDRESS:
		*number = w->address = cursor_uvarint(&w->c);
		break;
	case ENCODING_NUMBER:
		*number = cursor_uvarint(&w->c);
		break;
	case ENCODING_SIZE:
		*number = w->size = cursor_uvarint(&w->c);
		break;
	case ENCODING_LENGTH:
		*number = w->size;
		break;
	case ENCODING_DEPTH:
		*number = read_depth(w);
		break;
	case ENCODING_CONTENTS:
		*bytes = w->data = cursor_bytes(&w->c, w->size);
		break;
	case ENCODING_STACK:
		*bytes = read_stack(w);
		break;
	case ENCODING_POINTERS:
		*fields = read_pointers(w);
		break;
	case ENCODING_PAIRS:
		*fields = read_pairs(w);
		break;
	case ENCODING_FLAG:
		*flag = read_flag(w);
		break;
	case ENCODING_ZERO:
		*flag = cursor_uvarint(&w->c) == 0;
		break;
	case ENCODING_YES:
		*flag = true;
		break;
	case ENCODING_TEXT:
		*text = read_text(w);
		break;
	case ENCODING_TYPE_NAME:
		*text = read_type_name(w);
		break;
	case ENCODING_LETTER:
		*text = read_letter(w);
		break;
	}
}

static void read_fields(struct go_walk *w, const struct record_type *type, unsigned when,
                        void *record)
{
	memset(record, 0, type->size);
	w->data = NULL;
	for (const struct record_field *f = type->fields(); f->name; f++)
		for (size_t i = 0; f->when & when && i < f->count; i++)
			read_field(w, f->encoding, (char *)record + f->place + i * sizeof(uint64_t));
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

static void warn_shifted_object(const struct go_walk *w, const struct object_record *r)
{
	char text[200];
	if (!w->sink->warning)
		return;
	snprintf(text, sizeof text,
	         "The contents of the object at 0x%" PRIx64
	         " end in what looks like its list of pointers: bytes before it are missing",
	         r->slot);
	w->sink->warning(w->sink->self, r->offset, text);
}

/* Returns the list of the object that follows in a record of the same form. */
static struct go_list go_list_behind(const struct go_walk *w, const struct object_record *r)
{
	struct object_record next = *r;
	if (!go_object_expect(w->reader, r->end, &next))
		return (struct go_list){0};
	return go_list_of(&next);
}

static void tell_object(struct go_walk *w, struct go_list before, const struct object_record *r)
{
	struct go_contents contents = {.data = r->data,
	                               .size = r->stored,
	                               .list = r->fields,
	                               .beside[0] = before,
	                               .params = &w->reader->params};
	if (r->stored < r->size)
		warn_cut_object(w, r);
	else if (go_ends_in_list(&contents)) {
		contents.beside[1] = go_list_behind(w, r);
		if (go_lost_bytes(&contents))
			warn_shifted_object(w, r);
	}
	bool ghost = ghost_filter_is_ghost(&w->ghosts, &w->reader->rules, r);
	void (*tell)(void *, const struct object_record *) = ghost ? w->sink->ghost : w->sink->object;
	if (tell)
		tell(w->sink->self, r);
}

/* Returns the offset of the last pointer of a field list, decoded backward from the end of the
   list. */
static uint64_t go_fields_last(struct fields fields)
{
	const uint8_t *at = fields.end - 1;
	uint64_t offset = *at;
	while (at - 1 > fields.at && at[-1] >= 0x80)
		offset = offset << 7 | (*--at & 0x7f);
	return offset;
}

/* Detects a shift: after a lost or extra byte, bytes may still parse as records. In an intact dump
   no pointer lies beyond the contents of its object, and no object in the first page. */
static bool go_object_is_possible(const struct go_walk *w, const struct object_record *r)
{
	unsigned width = w->reader->params.layout.pointer_size;
	if (r->slot < GO_FIRST_ADDRESS)
		return false;
	if (r->fields.old || r->untyped || r->fields.end - r->fields.at < 2)
		return true;
	uint64_t last = go_fields_last(r->fields);
	return r->size >= width && last <= r->size - width;
}

static void read_object(struct go_walk *w, uint64_t offset)
{
	struct object_record *r = &w->object;
	struct go_list before = go_list_of(r);
	bool whole = go_object_expect(w->reader, offset, r);
	if (whole)
		w->c.at = w->c.base + r->end;
	else
		whole = go_object_decode(w->reader, &w->c, offset, go_object_stop, r);
	w->work += (uint64_t)(r->fields.end - r->fields.at);
	if (whole && go_object_is_possible(w, r)) {
		tell_object(w, before, r);
		return;
	}
	r->data = NULL;
	cursor_fail(&w->c);
}

/* Reads a row of records like the last one. */
static uint64_t read_row(struct go_walk *w, uint64_t most)
{
	struct object_record *r = &w->object;
	uint64_t slots[GO_ROW];
	if (!w->sink->row || !r->data || r->end != cursor_offset(&w->c) || r->fields.old
	    || w->reader->layout->typed_objects)
		return 0;
	size_t bytes = (size_t)(r->end - r->offset);
	size_t n = go_row_read(w->reader, r, ghost_filter_objects(&w->ghosts, &w->reader->rules, r),
	                       slots, most < GO_ROW ? most : GO_ROW);
	if (n) {
		w->sink->row(w->sink->self, r, slots, n, bytes);
		object_record_step(r, n * bytes, slots[n - 1]);
		w->c.at = w->c.base + r->end;
	}
	return n;
}

uint64_t go_objects_read(struct go_walk *w, uint64_t most)
{
	struct object_record *r = &w->object;
	uint64_t read = read_row(w, most);
	struct go_list before = go_list_of(r);
	while (read < most && go_object_expect(w->reader, cursor_offset(&w->c), r)
	       && go_object_is_possible(w, r)) {
		w->c.at = w->c.base + r->end;
		w->work += (uint64_t)(r->fields.end - r->fields.at);
		tell_object(w, before, r);
		read++;
		read += read_row(w, most - read);
		before = go_list_of(r);
	}
	return read;
}

union record {
	uint64_t offset;
#define RECORD(KIND, name, listed, title, text) struct name##_record name;
#include "format/records.def"
};

/* Applies the parameters. Returns false for a second record of this kind, or an invalid one. */
static bool take_params(struct go_walk *w, struct params_record *r)
{
	const char *version = w->reader->layout->version;
	if (w->has_params || (r->pointer_size != 4 && r->pointer_size != 8))
		return false;
	if (version)
		r->version = (struct text){version, strlen(version)};
	r->layout.big_endian = r->big_endian;
	r->layout.pointer_size = (uint8_t)r->pointer_size;
	w->has_params = true;
	go_reader_set_params(w->reader, r);
	*r = w->reader->params;
	return true;
}

/* Applies the effects of a record on later ones. Returns false if it is not to be reported. */
static bool take(struct go_walk *w, enum record_kind kind, union record *r)
{
	if (kind == RECORD_PARAMS)
		return take_params(w, &r->params);
	if (kind == RECORD_TYPE && w->reader->layout->typed_objects && !w->trial)
		go_reader_add_type(w->reader, &r->type);
	if (kind == RECORD_ITAB && r->itab.scalar && !w->trial)
		map_put(&w->reader->old.scalars, r->itab.address, 1);
	if (kind == RECORD_FRAME && w->reader->layout->release < GO_13)
		r->frame.continue_pc = r->frame.pc;
	return !w->keep || !w->keep(w, kind, r);
}

static void read_record(struct go_walk *w, struct go_tag tag, uint64_t offset)
{
	union record r;
	unsigned when = w->reader->layout->release | (tag.second ? GO_SECOND : 0U);
	if (tag.kind == RECORD_GOROUTINE)
		w->depth = 0;
	read_fields(w, &record_types[tag.kind], when, &r);
	r.offset = offset;
	if (tag.kind == RECORD_TYPE && w->impossible_name)
		w->broken_type = r.type.address;
	if (tag.kind == RECORD_FRAME && go_frame_is_shifted(&r.frame))
		w->strange = "its function does not contain the place where it goes on, so that bytes "
					 "before these numbers are missing";
	if (cursor_ok(&w->c) && take(w, tag.kind, &r) && w->sink->record)
		w->sink->record(w->sink->self, tag.kind, &r);
}

bool go_record_read(struct go_walk *walk, const char **name)
{
	const struct go_layout *layout = walk->reader->layout;
	uint64_t offset = cursor_offset(&walk->c);
	const uint8_t *tag_byte = cursor_bytes(&walk->c, 1); /* a varint that always has one byte */
	bool known = tag_byte && *tag_byte < layout->tag_count;
	struct go_tag tag = known ? layout->tags[*tag_byte] : (struct go_tag){.kind = RECORD_KINDS};
	*name = NULL;
	if (tag.kind == RECORD_KINDS)
		return false;
	*name = record_types[tag.kind].title;
	if (tag.kind == RECORD_OBJECT)
		read_object(walk, offset);
	else if (tag.kind == RECORD_END)
		walk->ended = true; /* reported by the walk: in a damaged file a 0 may be anything */
	else
		read_record(walk, tag, offset);
	return cursor_ok(&walk->c) && !walk->ended;
}
