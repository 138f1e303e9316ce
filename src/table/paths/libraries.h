/* Variables of libraries, such as tables that are filled when the program starts. Each of them is
   small, and all of them are one row for a reader, which does not hide what is the program's own. A
   library is a package outside of the program's module whose path begins with another owner:
   "unicode", "golang.org/x". There are none where the package of a variable is not certain, or the
   program's own packages are not known. */
#pragma once

#include "analysis/kept.h"

enum {
	LIBRARIES_LEAST = 2, /* fewer than that are rows of their own */
	LIBRARY_SMALL = 3    /* percent of the reachable bytes: what has as much is a row of its own */
};

/* Returns true if a type has the name of a package of the program in it:
   "map[string]main.session". */
bool libraries_type_is_own(const struct analysis *analysis, const char *type);
/* Returns true if a root (index in heap->roots) is in a variable of a library. */
bool libraries_has_root(const struct analysis *analysis, uint32_t root);
/* Appends the package of a variable that a root is in, and of nothing else. */
void libraries_add_package(const struct analysis *analysis, uint32_t root, struct buf *out);
/* Appends "318 variables of libraries". */
void libraries_add_name(uint64_t variables, struct buf *out);
/* Returns true if so many bytes of `whole` are little. */
bool libraries_is_small(uint64_t bytes, uint64_t whole);

/* The places of the whole heap (path_tree_whole) that begin at such variables, hold little of the
   heap, and have no object of a type of the program's own at or below them. */
struct libraries {
	bool *is_one; /* by topmost place */
	size_t count; /* of these */
	size_t variables;
	uint64_t bytes, own_bytes; /* of them all; of the objects at them */
	uint32_t objects;          /* at or below them */
	uint32_t largest;          /* the place with most bytes, if there is any */
};

/* Returns them, found once. NULL: cancelled, or the dump has no roots. */
const struct libraries *libraries_of(const struct analysis *analysis, struct progress *progress);
