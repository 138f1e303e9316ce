/* Variables that point to static data without symbols: a part of analysis/variable_users.h. */
#pragma once

#include "analysis/analysis.h"

struct image;
struct kept_kind;

struct static_owner {
	uint64_t address;  /* where a pointer leads, in the dump */
	uint64_t variable; /* link-time address of the variable from which it was reached */
};
struct static_owners {
	struct static_owner *at; /* sorted by address */
	size_t count;
};
extern const struct kept_kind static_owners_kept; /* a struct static_owners */

/* Returns the owner of the last such data that begins at or before an address of the dump, unless a
   variable begins between them; or NULL. */
const struct static_owner *static_owners_find(const struct static_owners *owners,
                                              const struct image *image, uint64_t bias,
                                              uint64_t address);
