#include "analysis/owner_sets.h"

#include "base/hash.h"
#include "base/mem.h"
#include "heap/edges.h"

#include <stdlib.h>
#include <string.h>

enum { MEMBERS_MOST = 1 << 22 }; /* of all sets; a typical program has a few thousand */

static uint32_t owner_sets_add(struct owner_sets *sets, const uint32_t *members, uint32_t count)
{
	MEM_PUSH(sets->set, sets->count, sets->capacity,
	         (struct owner_set){(uint32_t)sets->members, count});
	for (uint32_t i = 0; i < count; i++)
		MEM_PUSH(sets->member, sets->members, sets->member_capacity, members[i]);
	return (uint32_t)sets->count - 1;
}

void owner_sets_init(struct owner_sets *sets)
{
	*sets = (struct owner_sets){0};
	owner_sets_add(sets, NULL, 0);
	owner_sets_add(sets, NULL, 0);
}

void owner_sets_fini(struct owner_sets *sets)
{
	free(sets->member);
	free(sets->set);
	map_free(&sets->by_hash);
	map_free(&sets->unions);
}

struct ids owner_sets_of(const struct owner_sets *sets, uint32_t set)
{
	uint32_t first = sets->set[set].first;
	return (struct ids){first ? sets->member + first : sets->member, sets->set[set].count};
}

static uint32_t owner_sets_intern(struct owner_sets *sets, const uint32_t *members, uint32_t count)
{
	uint64_t hash = count, found;
	if (count > OWNERS_MOST || (count > 1 && sets->members + count > MEMBERS_MOST))
		return OWNERS_MANY;
	for (uint32_t i = 0; i < count; i++)
		hash = hash_mix(hash, members[i], hash_multiplier());
	for (; map_get(&sets->by_hash, hash, &found); hash++) {
		struct ids known = owner_sets_of(sets, (uint32_t)found);
		if (known.count == count && memcmp(known.id, members, count * sizeof *members) == 0)
			return (uint32_t)found;
	}
	uint32_t set = owner_sets_add(sets, members, count);
	map_put(&sets->by_hash, hash, set);
	return set;
}

uint32_t owner_sets_one(struct owner_sets *sets, uint32_t member)
{
	return owner_sets_intern(sets, &member, 1);
}

static uint32_t owner_sets_merge(struct owner_sets *sets, uint32_t a, uint32_t b)
{
	uint32_t both[2 * OWNERS_MOST], count = 0;
	struct ids x = owner_sets_of(sets, a), y = owner_sets_of(sets, b);
	size_t i = 0, k = 0;
	while (i < x.count || k < y.count) {
		bool left = k == y.count || (i < x.count && x.id[i] <= y.id[k]);
		uint32_t next = left ? x.id[i] : y.id[k];
		i += i < x.count && x.id[i] == next;
		k += k < y.count && y.id[k] == next;
		both[count++] = next;
	}
	return owner_sets_intern(sets, both, count);
}

/* Returns the union of two nonempty sets, the first with the smaller number. */
static uint32_t owner_sets_find_union(struct owner_sets *sets, uint32_t a, uint32_t b)
{
	uint64_t known, key = (uint64_t)a << 32 | b;
	if (map_get(&sets->unions, key, &known))
		return (uint32_t)known;
	uint32_t set = owner_sets_merge(sets, a, b);
	map_put(&sets->unions, key, set);
	return set;
}

uint32_t owner_sets_union(struct owner_sets *sets, uint32_t a, uint32_t b)
{
	if (a == b || b == OWNERS_NONE)
		return a;
	if (a == OWNERS_NONE)
		return b;
	if (a == OWNERS_MANY || b == OWNERS_MANY)
		return OWNERS_MANY;
	uint32_t less = a < b ? a : b, more = a < b ? b : a;
	struct owner_union *recent = &sets->recent[(less * 31 + more) % OWNER_UNIONS];
	if (recent->a != less || recent->b != more)
		*recent = (struct owner_union){less, more, owner_sets_find_union(sets, less, more)};
	return recent->both;
}
