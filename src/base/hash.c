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
		fresh = (uint64_t)(uintptr_t)&fresh * 0x9e3779b97f4a7c15; /* stacks lie at random, too */
	fresh |= 1;
	/* Of two threads at once the first one's counts. */
	return atomic_compare_exchange_strong(&multiplier, &known, fresh) ? fresh : known;
}
