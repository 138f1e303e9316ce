/* Predicted shape: a row of small objects whose records differ from the one before them only in
   address and contents. Where the next record begins is known before this one is looked at, and
   what is the same is compared as words. It accepts only what go_object_expect of
   src/go/format/dump/go_next.h would, which reads the first record of each row. */
#pragma once

#include "go/format/dump/go_next.h"

enum {
	GO_ROW = 128,        /* most records of a row */
	GO_ROW_SIZE = 512,   /* most bytes of an object: larger ones are few */
	GO_ROW_AHEAD = 1024, /* bytes that are asked for ahead */
};

/* Returns true if the first `bytes` bytes at two places are the same, 1 to 16 of them: two words
   that may overlap. 8 bytes in front of their end must be readable. */
static inline bool go_row_same(const uint8_t *x, const uint8_t *y, size_t bytes)
{
	unsigned unused = bytes < 8 ? (unsigned)(64 - 8 * bytes) : 0;
	return !((cursor_word(x) ^ cursor_word(y)) << unused
	         | (cursor_word(x + bytes - 8) ^ cursor_word(y + bytes - 8)) >> unused);
}

/* Returns true if contents may end in a pair of a list, (1, offset): bytes of them may be missing,
   see go_shift.h. 3 bytes in front of their end must be readable. */
static inline bool go_row_ends_in_pair(const uint8_t *end)
{
	return end[-1] < 0x80 && (end[-2] == 1 || (end[-2] >= 0x80 && end[-3] == 1));
}

/* Reads the addresses of the records that follow *r, from r->slot + 1 up to `end`. Returns their
   number, of at most `most`; all have as many bytes as *r. */
static inline size_t go_row_read(const struct go_reader *reader, const struct object_record *r,
                                 uint64_t end, uint64_t *slots, size_t most)
{
	const uint8_t *at = reader->data + r->offset, *last = reader->data + reader->size;
	size_t bytes = (size_t)(r->end - r->offset), contents = (size_t)(r->data - at), n = 0;
	size_t length = (size_t)(r->fields.end - r->fields.at);
	uint64_t address = 0;
	unsigned header = r->size <= GO_ROW_SIZE && length < 16 && last - at >= 16
	                      ? go_next_address(cursor_word(at), &address)
	                      : 0;
	if (!header || contents - header > 3 || end <= r->slot + 1
	    || (size_t)(last - at) < bytes + GO_NEXT_HEADER)
		return 0;
	while (n < most && (size_t)(last - (at += bytes)) >= bytes + GO_NEXT_HEADER) {
		__builtin_prefetch(at + GO_ROW_AHEAD);
		if (go_next_address(cursor_word(at), &address) != header
		    || address - r->slot - 1 >= end - r->slot - 1
		    || !go_row_same(at + header, at + header - bytes, contents - header)
		    || !go_row_same(at + bytes - length - 1, at - length - 1, length + 1)
		    || go_row_ends_in_pair(at + bytes - length - 1))
			break;
		slots[n++] = address;
	}
	return n;
}
