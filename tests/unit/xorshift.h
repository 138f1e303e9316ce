/* Marsaglia's xorshift64: pseudorandom numbers, the same in every run. The state is never 0. */
#pragma once

#include <stdint.h>

static inline uint64_t xorshift_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	return *state ^= *state << 17;
}

static inline uint64_t xorshift_below(uint64_t *state, uint64_t end)
{
	return xorshift_next(state) % end;
}
