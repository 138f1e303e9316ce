/* Fast path for an object record that resembles its predecessor: a short header, the same size,
   often the same list of fields. It accepts only such records and gives the same result as
   go_object_decode, which decodes all records. */
#pragma once

#include "go/format/dump/go_object.h"

#include <string.h>

/* Bytes that must follow, so that reading a header needs no bounds checks. */
enum { GO_NEXT_HEADER = 16 };

/* Decodes a tag and an address of two to seven bytes. Returns the bytes of both; 0: not this
   form. */
static inline unsigned go_next_address(uint64_t word, uint64_t *address)
{
	uint64_t stops = ~word & 0x8080808080808000;
	if ((uint8_t)word != GO_TAG_OBJECT || !stops)
		return 0;
	unsigned bits = (unsigned)__builtin_ctzll(stops) + 1;
	*address = cursor_groups(word >> 8 & UINT64_MAX >> (72 - bits));
	return bits / 8;
}

/* Returns the bytes of the size at `at` if it equals `size` and has at most three bytes, or 0. */
static inline unsigned go_next_size(const uint8_t *at, uint64_t size)
{
	if (at[0] < 0x80)
		return at[0] == size ? 1 : 0;
	if (at[1] < 0x80)
		return ((at[0] & 0x7fU) | (unsigned)at[1] << 7) == size ? 2 : 0;
	if (at[2] < 0x80)
		return ((at[0] & 0x7fU) | (at[1] & 0x7fU) << 7 | (unsigned)at[2] << 14) == size ? 3 : 0;
	return 0;
}

/* Returns true if a list begins with the `length` bytes of another one and a 0. At least 8 bytes of
   each must be readable: most lists have no more. */
static inline bool go_next_same_list(const uint8_t *list, const uint8_t *other, size_t length)
{
	uint64_t differs = cursor_word(list) ^ cursor_word(other);
	if (length < sizeof differs)
		return !(differs << (sizeof differs - 1 - length) * 8);
	return !differs && !list[length] && memcmp(list, other, length) == 0;
}

/* Decodes the record at an offset. On entry *r is a complete record of the same file, or has no
   data. Returns false with *r unchanged if the record has another form. */
static inline bool go_object_expect(const struct go_reader *reader, uint64_t offset,
                                    struct object_record *r)
{
	if (!r->data || reader->layout->typed_objects || r->fields.old || r->size == GO_HEADER_MAX
	    || offset > reader->size || reader->size - offset < GO_NEXT_HEADER)
		return false;
	const uint8_t *at = reader->data + offset, *end = reader->data + reader->size;
	uint64_t address;
	unsigned header = go_next_address(cursor_word(at), &address);
	unsigned size = header ? go_next_size(at + header, r->size) : 0;
	if (!size || (size_t)(end - at) - header - size <= r->stored)
		return false;
	const uint8_t *data = at + header + size, *list = data + r->stored;
	size_t length = (size_t)(r->fields.end - r->fields.at);
	if (end - list > GO_LONG_LIST)
		end = list + GO_LONG_LIST;
	bool same = (size_t)(end - list) > length && end - list >= 8 && end - r->fields.at >= 8
	            && go_next_same_list(list, r->fields.at, length);
	const uint8_t *stop = same ? list + length
	                           : go_fields_stop(list, end, reader->layout->max_kind);
	if (stop == end || *stop)
		return false;
	if (!same)
		r->header = go_object_header(reader, r->size, *list);
	r->alike = same;
	r->offset = offset;
	r->slot = address;
	r->data = data;
	r->fields.at = list;
	r->fields.end = stop;
	r->end = (uint64_t)(stop + 1 - reader->data);
	return true;
}
