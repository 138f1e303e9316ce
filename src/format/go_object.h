/* Object records of Go's dumps: most of a file, so these few lines decide how fast it is read. */
#ifndef FORMAT_GO_OBJECT_H
#define FORMAT_GO_OBJECT_H

#include "format/go_reader.h"

enum { GO_FIRST_ADDRESS = 4096 };
enum { GO_TAG_OBJECT = 1, GO_HEADER_SIZE = 8, GO_HEADER_MAX = 32768 };
/* Field lists of more bytes are not gone through whenever one asks for their object: some have
   megabytes, and their objects are those that most others are reached through. */
enum { GO_LONG_LIST = 1024 };

/* Where a field list (kind, offset)* 0 stops: at its 0, or where it is damaged or cut. */
static inline const uint8_t *go_fields_stop(const uint8_t *at, const uint8_t *end,
                                            unsigned max_kind)
{
	while (at < end && *at && *at <= max_kind) {
		const uint8_t *longest = at + 11;
		do
			at++;
		while (at < end && *at >= 0x80 && at < longest);
		at += at < end;
	}
	return at;
}

/* The fields of memory whose list stands at `at`. */
static inline struct fields go_fields(const struct go_reader *reader, const uint8_t *at,
                                      const uint8_t *end, const uint8_t *data, uint64_t size)
{
	struct fields fields = {.at = at, .end = end};
	if (reader->layout->kinds) {
		fields.old = &reader->old;
		fields.list = at;
		fields.data = data;
		fields.size = size;
	}
	return fields;
}

/* What objects of a type need to know of it, with its field list, if that is plausible. */
struct go_type go_type_make(const struct go_reader *reader, uint64_t size, const uint8_t *list,
                            const uint8_t *end);

/* Go 1.3, after the address: a type and what the object is of it, contents;
   src/format/go_typed.c. */
bool go_object_typed(const struct go_reader *reader, struct cursor *c, struct object_record *r);

/* Of a slot of GO_HEADER_MAX bytes with pointers, all of which are there: does it begin with an
   allocation header? src/format/go_header.c. */
bool go_header_is_there(const struct go_reader *reader, const struct object_record *object);

/* What lies before the program's part of an object, by the first byte of its list; of a slot of
   GO_HEADER_MAX bytes, go_header_is_there tells. */
static inline uint8_t go_object_header(const struct go_reader *reader, uint64_t size, uint8_t list)
{
	unsigned header_over = reader->params.layout.header_over;
	return header_over && size > header_over && size <= GO_HEADER_MAX && list ? GO_HEADER_SIZE : 0;
}

typedef const uint8_t *go_stop_fn(const struct go_reader *, const uint8_t *at, const uint8_t *end);

static inline const uint8_t *go_object_stop(const struct go_reader *reader, const uint8_t *at,
                                            const uint8_t *end)
{
	return go_fields_stop(at, end, reader->layout->max_kind);
}

/* After the tag: address, contents, fields, whose end `find_stop` knows; of what follows another
   record, go_object_expect of src/format/go_next.h is quicker. False: the cursor has failed. What a
   record starts with (which header lies before the program's part) follows from the version. */
static inline bool go_object_decode(const struct go_reader *reader, struct cursor *c,
                                    uint64_t offset, go_stop_fn *find_stop, struct object_record *r)
{
	r->offset = offset;
	r->untyped = false;
	r->slot = cursor_uvarint(c);
	if (reader->layout->typed_objects)
		return go_object_typed(reader, c, r);
	r->size = cursor_uvarint(c);
	r->stored = object_stored(r->size);
	r->data = cursor_bytes(c, r->stored);
	const uint8_t *stop = find_stop(reader, c->at, c->end);
	r->fields = go_fields(reader, c->at, stop, r->data, r->stored);
	if (stop == c->end || *stop) {
		cursor_fail(c);
		return false;
	}
	r->header = go_object_header(reader, r->size, *c->at);
	if (__builtin_expect(r->size == GO_HEADER_MAX, 0) && r->header
	    && !go_header_is_there(reader, r))
		r->header = 0;
	c->at = stop + 1;
	r->end = (uint64_t)(c->at - c->base);
	return true;
}

#endif
