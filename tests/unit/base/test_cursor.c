/* The checked cursor: varints of all lengths, and failures that persist. */
#include "base/cursor.h"

#include "cmocka_all.h"

#include <string.h>

/* The plain way to write one. Returns its length. */
static size_t encode(uint64_t value, uint8_t out[10])
{
	size_t len = 0;
	while (value >= 0x80) {
		out[len++] = (uint8_t)(value | 0x80);
		value >>= 7;
	}
	out[len++] = (uint8_t)value;
	return len;
}

/* Reads the value at the very end of the input (byte by byte) and with data after it (word by
   word). */
static void check_round_trip(uint64_t value)
{
	uint8_t bytes[32];
	memset(bytes, 0xff, sizeof bytes);
	size_t len = encode(value, bytes);
	for (size_t room = 0; room <= 16; room += 16) {
		struct cursor c = cursor_make(bytes, len + room, 0);
		assert_true(cursor_uvarint(&c) == value);
		assert_true(cursor_ok(&c));
		assert_int_equal(cursor_offset(&c), len);
		assert_int_equal(cursor_left(&c), room);
	}
}

TEST(varints_of_every_length)
{
	for (unsigned bit = 0; bit < 64; bit++) {
		check_round_trip(UINT64_C(1) << bit);
		check_round_trip((UINT64_C(1) << bit) - 1);
		check_round_trip(~(UINT64_C(1) << bit));
	}
	check_round_trip(UINT64_MAX);
}

TEST(a_varint_that_is_cut_fails)
{
	uint8_t bytes[10];
	for (unsigned bit = 7; bit < 64; bit++) {
		size_t len = encode(UINT64_C(1) << bit, bytes);
		for (size_t size = 0; size < len; size++) {
			struct cursor c = cursor_make(bytes, size, 0);
			assert_int_equal(cursor_uvarint(&c), 0);
			assert_false(cursor_ok(&c));
			assert_int_equal(cursor_left(&c), 0);
		}
	}
}

TEST(a_varint_beyond_64_bits_fails)
{
	static const uint8_t bytes[2][12] = {
		{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02, 0, 0},
		{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00, 0},
	};
	for (size_t i = 0; i < 2; i++) {
		struct cursor c = cursor_make(bytes[i], sizeof bytes[i], 0);
		cursor_uvarint(&c);
		assert_false(cursor_ok(&c));
	}
}

TEST(bytes_are_lent_only_when_all_are_there)
{
	static const uint8_t bytes[4] = {1, 2, 3, 4};
	struct cursor c = cursor_make(bytes, sizeof bytes, 1);
	assert_ptr_equal(cursor_bytes(&c, 2), bytes + 1);
	assert_int_equal(cursor_offset(&c), 3);
	assert_null(cursor_bytes(&c, 2));
	assert_false(cursor_ok(&c));
	assert_null(cursor_bytes(&c, 0)); /* a failed cursor stays failed */
}

TEST(a_huge_length_fails_without_wrapping)
{
	static const uint8_t bytes[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	                                0xff, 0xff, 0xff, 0x01, 'x'};
	struct cursor c = cursor_make(bytes, sizeof bytes, 0);
	struct text text = cursor_text(&c);
	assert_int_equal(text.len, 0);
	assert_false(cursor_ok(&c));
}

TEST(texts_are_borrowed)
{
	static const uint8_t bytes[] = {3, 'a', 'b', 'c', 0};
	struct cursor c = cursor_make(bytes, sizeof bytes, 0);
	assert_true(text_is(cursor_text(&c), "abc"));
	assert_true(text_is(cursor_text(&c), ""));
	assert_true(cursor_ok(&c));
}
