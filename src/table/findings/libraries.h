/* Places below global variables of libraries, such as tables that are filled when the program
   starts. Each of them is small, and all of them are one finding, which does not hide the places of
   the program itself. */
#pragma once

#include "table/findings/finding.h"
#include "table/paths/path_tree.h"

struct libraries {
	bool *is_one; /* by topmost place of the tree */
	size_t count; /* of these */
	size_t variables;
	uint64_t bytes;   /* of them all */
	uint32_t largest; /* the place with most bytes, if there is any */
};

/* Selects topmost places that begin at a global variable of a library, hold little of the heap, and
   have no object of a type of the program's own at or below them. A library is a package outside of
   the program's module whose path begins with another owner: "unicode", "golang.org/x". None are
   selected where the package of the variable is not certain, or the program's own packages are not
   known. */
void libraries_init(struct libraries *libraries, const struct findings *findings,
                    const struct path_tree *tree);
void libraries_fini(struct libraries *libraries);
