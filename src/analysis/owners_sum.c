/* Sums for classes of owners: part of analysis/owners.h. */
#include "analysis/owners.h"

/* Returns true if an earlier owner of the set has the same class. */
static bool is_repeated(struct ids set, const uint32_t *class_of, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (class_of[set.id[i]] == class_of[set.id[at]])
			return true;
	return false;
}

static bool is_of_one_class(struct ids set, const uint32_t *class_of)
{
	for (size_t i = 1; i < set.count; i++)
		if (class_of[set.id[i]] != class_of[set.id[0]])
			return false;
	return true;
}

void owners_sum(const struct owners *owners, const uint32_t *class_of, struct owner_sum *sums)
{
	for (uint32_t h = 0; h < owners->shared_sets; h++) {
		const struct shared_set *shared_set = &owners->shared_set[h];
		struct ids set = owners_of_shared_set(owners, h);
		bool one = is_of_one_class(set, class_of);
		for (size_t i = 0; i < set.count; i++) {
			uint32_t class = class_of[set.id[i]];
			if (class == UINT32_MAX || is_repeated(set, class_of, i))
				continue;
			sums[class].bytes += one ? shared_set->bytes : 0;
			sums[class].objects += one ? shared_set->objects : 0;
			sums[class].shared += one ? 0 : shared_set->bytes;
		}
	}
}
