/* Object records of Go dumps: most of a file, so this code determines the reading speed. */
#pragma once

#include "go/format/dump/go_reader.h"

enum { GO_FIRST_ADDRESS = 4096 };
enum { GO_TAG_OBJECT = 1, GO_HEADER_SIZE = 8, GO_HEADER_MAX = 32768 };
/* Longer field lists are not scanned again for each access to their object: some take megabytes,
   and objects with many pointers are visited often. */
enum { GO_LONG_LIST = 1024 };

/* Returns the end of a field list (kind, offset)* 0: its 0, or where it is malformed or
   truncated. */
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

/* Returns the fields of a piece of memory whose list is at `at`. */
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

/* Makes the data that objects of a type need; the field list is dropped if it is implausible. */
struct go_type go_type_make(const struct go_reader *reader, uint64_t size, const uint8_t *list,
                            const uint8_t *end);

/* Decodes an object of Go 1.3 after its address: type, kind, contents;
 * src/go/format/dump/go_typed.c. */
bool go_object_typed(const struct go_reader *reader, struct cursor *c, struct object_record *r);

/* Returns true if a complete slot of GO_HEADER_MAX bytes with pointers begins with an allocation
   header. src/go/format/dump/go_header.c. */
bool go_header_is_there(const struct go_reader *reader, const struct object_record *object);

/* Returns the bytes before the program's part of an object, by its size and the first byte of its
   list. For a slot of GO_HEADER_MAX bytes go_header_is_there decides. */
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

/* Decodes an object after its tag: address, contents, fields up to the end that `find_stop`
   returns. For consecutive records go_object_expect (src/go/format/dump/go_next.h) is faster.
   Returns false if the cursor has failed. The version decides whether objects have an allocation
   header. */
static inline bool go_object_decode(const struct go_reader *reader, struct cursor *c,
                                    uint64_t offset, go_stop_fn *find_stop, struct object_record *r)
{
	r->offset = offset;
	r->untyped = r->alike = false;
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
