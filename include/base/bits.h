/* Bit arrays. In an array of bytes, bit n is bit n % 8 of byte n / 8; in an array of 64-bit words,
   bit n is bit n % 64 of word n / 64. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

static inline bool bit_is_set(const uint8_t *bits, uint64_t n)
{
	return bits[n / 8] >> n % 8 & 1;
}

static inline void bit_set(uint8_t *bits, uint64_t n)
{
	bits[n / 8] |= (uint8_t)(1 << n % 8);
}

static inline bool word_bit_is_set(const uint64_t *bits, uint64_t n)
{
	return bits[n / 64] >> n % 64 & 1;
}

static inline void word_bit_set(uint64_t *bits, uint64_t n)
{
	bits[n / 64] |= UINT64_C(1) << n % 64;
}

/* Sets a bit. Returns true if it was not set. */
static inline bool word_bit_add(uint64_t *bits, uint64_t n)
{
	bool added = !word_bit_is_set(bits, n);
	word_bit_set(bits, n);
	return added;
}

static inline void word_bit_clear(uint64_t *bits, uint64_t n)
{
	bits[n / 64] &= ~(UINT64_C(1) << n % 64);
}

/* Returns running counts: byte k of the result is the number of bits set in bytes 0 ... k of
   `word`. Portable; the compiler's builtin calls a library function where the target may lack
   POPCNT. */
static inline uint64_t bits_up_to_bytes(uint64_t word)
{
	word -= word >> 1 & 0x5555555555555555;
	word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
	word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f;
	return word * 0x0101010101010101;
}

static inline uint32_t count_bits(uint64_t word)
{
	return (uint32_t)(bits_up_to_bytes(word) >> 56);
}

/* Returns the position of the n-th set bit (from 0) of a word, which has more than n set bits. */
static inline unsigned select_bit(uint64_t word, unsigned n)
{
	const uint64_t ones = 0x0101010101010101, highs = 0x80 * ones;
	if (!(~word & UINT64_MAX >> (63 - n)))
		return n;
	uint64_t up_to = bits_up_to_bytes(word);
	/* one per byte whose running count is at most n */
	uint64_t before = (((n * ones | highs) - up_to) & highs) >> 7;
	unsigned first = (unsigned)(before * ones >> 56) * 8;
	word >>= first;
	for (n -= (unsigned)((up_to << 8 >> first) & 0xff); n; n--)
		word &= word - 1;
	return first + (unsigned)__builtin_ctzll(word);
}
