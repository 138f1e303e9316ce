#include "step_combination.h"

#include "base/hash.h"

bool step_combination_is_equal(const struct combination *a, const struct combination *b)
{
	return a->from == b->from && a->to == b->to && a->from_many == b->from_many
	       && a->to_many == b->to_many && a->to_guess == b->to_guess && a->text == b->text
	       && a->boxed == b->boxed && a->outside == b->outside && a->offset == b->offset
	       && a->untyped == b->untyped && a->told == b->told && a->told_from == b->told_from
	       && a->place == b->place;
}

uint64_t step_combination_hash(const struct combination *c)
{
	uint64_t multiplier = hash_multiplier();
	uint64_t flags = (uint64_t)c->from_many | (uint64_t)c->to_many << 1 | (uint64_t)c->text << 2
	                 | (uint64_t)c->boxed << 3 | (uint64_t)c->outside << 4
	                 | (uint64_t)c->to_guess << 5;
	uint64_t hash = hash_mix((uint64_t)c->from << 32 | c->to, c->offset, multiplier);
	hash = hash_mix(hash, flags << 32 | c->untyped, multiplier);
	if (!(c->told | c->told_from))
		return hash;
	hash = hash_mix(hash, (uint64_t)c->told << 32 | c->told_from, multiplier);
	return hash_mix(hash, c->place, multiplier);
}
