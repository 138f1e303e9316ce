/* A bounds-checked reader of untrusted bytes. A cursor that fails once stays failed: a reader may
   decode a whole record and then call cursor_ok() once. */
#pragma once

#include "base/text.h"

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct cursor {
	const uint8_t *at;   /* next byte */
	const uint8_t *end;  /* one past the last readable byte */
	const uint8_t *base; /* offset 0 */
	bool failed;
};

static inline struct cursor cursor_make(const uint8_t *base, size_t size, uint64_t offset)
{
	struct cursor c = {base + offset, base + size, base, false};
	return c;
}

static inline bool cursor_ok(const struct cursor *c)
{
	return !c->failed;
}
static inline uint64_t cursor_offset(const struct cursor *c)
{
	return (uint64_t)(c->at - c->base);
}
static inline size_t cursor_left(const struct cursor *c)
{
	return (size_t)(c->end - c->at);
}

static inline void cursor_fail(struct cursor *c)
{
	c->failed = true;
	c->at = c->end;
}

/* Loads 8 bytes as a little-endian word. */
static inline uint64_t cursor_word(const uint8_t *at)
{
	uint64_t word;
	memcpy(&word, at, sizeof word);
	return le64toh(word);
}

/* Combines the low 7 bits of each of the 8 bytes into one number, lowest byte first, without a
   loop: neighbors are merged in pairs. */
static inline uint64_t cursor_groups(uint64_t word)
{
	word &= 0x7f7f7f7f7f7f7f7f;
	word = (word & 0x007f007f007f007f) | (word & 0x7f007f007f007f00) >> 1;
	word = (word & 0x00003fff00003fff) | (word & 0x3fff00003fff0000) >> 2;
	return (word & 0x000000000fffffff) | (word & 0x0fffffff00000000) >> 4;
}

/* Reads a LEB128 number of at most 10 bytes. Returns 0 and fails the cursor if it is too long or
   truncated. */
uint64_t cursor_uvarint_slow(struct cursor *c);

static inline uint64_t cursor_uvarint(struct cursor *c)
{
	if (c->at < c->end && *c->at < 0x80)
		return *c->at++;
	return cursor_uvarint_slow(c);
}

/* Returns `len` bytes, borrowed, or NULL after a failure. */
const uint8_t *cursor_bytes(struct cursor *c, uint64_t len);

/* Reads a string: uvarint length, then the bytes. The text is borrowed, and empty after a
   failure. */
struct text cursor_text(struct cursor *c);
