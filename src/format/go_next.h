/* An object record as its predecessor makes one expect it: a header of a few bytes, the same size,
   often the same list of fields. Whatever is otherwise is left to go_object_decode, which decodes
   all of them; what is told here is what that one would tell. */
#ifndef FORMAT_GO_NEXT_H
#define FORMAT_GO_NEXT_H

#include "format/go_object.h"

#include <string.h>

/* A record header is looked at in so many bytes, so that each look needs no test of its own. */
enum { GO_NEXT_HEADER = 16 };

/* A tag and an address of two to seven bytes: how many, both together; 0: it is none. */
static inline unsigned go_next_address(uint64_t word, uint64_t *address)
{
	uint64_t stops = ~word & 0x8080808080808000;
	if ((uint8_t)word != GO_TAG_OBJECT || !stops)
		return 0;
	unsigned bits = (unsigned)__builtin_ctzll(stops) + 1;
	*address = cursor_groups(word >> 8 & UINT64_MAX >> (72 - bits));
	return bits / 8;
}

/* Whether the size at `at` is this one: how many bytes, 0: it is not, or it has more than three. */
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

/* `r` is a whole record of the same file, or has no data. False: it stays what it is. */
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
	bool same = (size_t)(end - list) > length && !list[length]
	            && memcmp(list, r->fields.at, length) == 0;
	const uint8_t *stop = same ? list + length
	                           : go_fields_stop(list, end, reader->layout->max_kind);
	if (stop == end || *stop)
		return false;
	if (!same)
		r->header = go_object_header(reader, r->size, *list);
	r->offset = offset;
	r->slot = address;
	r->data = data;
	r->fields.at = list;
	r->fields.end = stop;
	r->end = (uint64_t)(stop + 1 - reader->data);
	return true;
}

#endif
