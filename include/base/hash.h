/* Multiplicative hashing of keys that come from a file. The multiplier is random per process: with
   a fixed one, a crafted file could put all keys into one place of a table, and a megabyte would
   take minutes. Only speed may depend on it, never an order. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Returns the multiplier: an odd number, constant during the life of the process. */
uint64_t hash_multiplier(void);

/* Returns a place in a table of 1 << bits places, 0 < bits < 64. */
static inline uint64_t hash_place(uint64_t key, uint64_t multiplier, unsigned bits)
{
	return key * multiplier >> (64 - bits);
}

/* Mixes one more word into a hash. */
static inline uint64_t hash_mix(uint64_t hash, uint64_t word, uint64_t multiplier)
{
	hash = (hash ^ word) * multiplier;
	return hash ^ hash >> 32;
}

/* Mixes a text, or any bytes, into a hash. */
static inline uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t len)
{
	uint64_t multiplier = hash_multiplier();
	for (size_t i = 0; i < len; i++)
		hash = hash_mix(hash, (unsigned char)bytes[i], multiplier);
	return hash;
}
