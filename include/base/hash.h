/* Hashing keys that come from a file. With a fixed multiplier a file could be written whose keys
   all meet in one place of a table, and a megabyte would take minutes; so it is another in every
   process. Nothing but speed may depend on it: no order of anything. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stdint.h>

/* Odd; the same as long as the process lives. */
uint64_t hash_multiplier(void);

/* A place among 1 << bits, 0 < bits < 64. */
static inline uint64_t hash_place(uint64_t key, uint64_t multiplier, unsigned bits)
{
	return key * multiplier >> (64 - bits);
}

/* Takes one more word into a hash. */
static inline uint64_t hash_mix(uint64_t hash, uint64_t word, uint64_t multiplier)
{
	hash = (hash ^ word) * multiplier;
	return hash ^ hash >> 32;
}

#endif
