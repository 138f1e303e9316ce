#include "base/cursor.h"

/* Decodes a varint of up to 8 bytes. At least 8 bytes must be readable. Returns false if it is
   longer. */
static bool decode_short(struct cursor *c, uint64_t *value)
{
	uint64_t word = cursor_word(c->at);
	uint64_t last = ~word & 0x8080808080808080;
	if (!last)
		return false;
	/* keeps the bytes up to the first one below 0x80 */
	*value = cursor_groups(word & (last ^ (last - 1)));
	c->at += (unsigned)__builtin_ctzll(last) / 8 + 1;
	return true;
}

/* Follows binary.Uvarint of Go: the tenth byte may only be 0 or 1. */
static uint64_t decode_long(struct cursor *c)
{
	uint64_t value = 0;
	for (unsigned shift = 0; c->at < c->end && shift < 70; shift += 7) {
		uint8_t byte = *c->at++;
		if (shift == 63 && byte > 1)
			break;
		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return value;
	}
	cursor_fail(c);
	return 0;
}

uint64_t cursor_uvarint_slow(struct cursor *c)
{
	uint64_t value;
	if (cursor_left(c) >= sizeof value && decode_short(c, &value))
		return value;
	return decode_long(c);
}

const uint8_t *cursor_bytes(struct cursor *c, uint64_t len)
{
	if (c->failed || len > cursor_left(c)) {
		cursor_fail(c);
		return NULL;
	}
	const uint8_t *bytes = c->at;
	c->at += len;
	return bytes;
}

struct text cursor_text(struct cursor *c)
{
	uint64_t len = cursor_uvarint(c);
	const uint8_t *bytes = cursor_bytes(c, len);
	return bytes ? (struct text){(const char *)bytes, (size_t)len} : (struct text){"", 0};
}
