/* Interned sets of small numbers: equal sets share one number (hash consing). */
#pragma once

#include "base/map.h"

enum {
	OWNERS_NONE, /* the empty set */
	OWNERS_MANY, /* any set of more than OWNERS_MOST members, or one that did not fit */
	OWNERS_MOST = 64
};
enum { OWNER_UNIONS = 1 << 10 };

struct owner_sets {
	uint32_t *member;
	size_t members, member_capacity;
	struct owner_set {
		uint32_t first, count;
	} * set;
	size_t count, capacity;
	struct map by_hash, unions;
	struct owner_union {
		uint32_t a, b, both;
	} recent[OWNER_UNIONS]; /* a cache of recent unions, by hash */
};

/* Fills the caller's struct with the two sets above; owner_sets_fini frees what it holds. */
void owner_sets_init(struct owner_sets *sets);
void owner_sets_fini(struct owner_sets *sets);
/* Returns the set of one member. */
uint32_t owner_sets_one(struct owner_sets *sets, uint32_t member);
/* Returns the union of two sets: OWNERS_MANY if either is that, or if it has too many members. */
uint32_t owner_sets_union(struct owner_sets *sets, uint32_t a, uint32_t b);
/* Returns the members, ascending; empty for both sets above. Borrowed until the next union. */
struct ids owner_sets_of(const struct owner_sets *sets, uint32_t set);
