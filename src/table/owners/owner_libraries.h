/* The rows of the table owners that belong to variables of libraries (table/paths/libraries.h):
   shared sets without any other owner, that are small and have no object of a type of the program's
   own. */
#pragma once

#include "analysis/kept.h"
#include "analysis/owners.h"

struct owner_libraries {
	bool *is_one; /* by shared set */
	size_t count; /* of these */
	size_t variables;
	uint64_t bytes; /* of them all */
	uint32_t objects;
};

/* Returns those of analysis_owners for the paths that count, found once. After STAGE_TYPED. NULL:
   cancelled, or the dump has no roots. */
const struct owner_libraries *owner_libraries_of(const struct analysis *analysis,
                                                 enum retain retain, struct progress *progress);
/* Appends the package of all owners of a shared set; nothing if they are of several, or one is no
   variable. */
void owner_libraries_add_package(const struct analysis *analysis, const struct owners *owners,
                                 uint32_t shared_set, struct buf *out);
