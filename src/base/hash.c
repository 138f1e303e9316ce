#include "base/hash.h"

#include <stdatomic.h>
#include <sys/random.h>

uint64_t hash_multiplier(void)
{
	static _Atomic uint64_t multiplier;
	uint64_t known = atomic_load_explicit(&multiplier, memory_order_relaxed), fresh;
	if (known)
		return known;
	if (getrandom(&fresh, sizeof fresh, GRND_NONBLOCK) != sizeof fresh)
		/* the address of a stack is random, too */
		fresh = (uint64_t)(uintptr_t)&fresh * 0x9e3779b97f4a7c15;
	fresh |= 1;
	/* If two threads get here at once, both return the multiplier of the first. */
	return atomic_compare_exchange_strong(&multiplier, &known, fresh) ? fresh : known;
}
