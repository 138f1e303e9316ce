/* Looks up a few struct fields and constants in debug information. Faster than reading all types
   (go/exe/gotypes.h), since it reads only the units of one package. */
#pragma once

#include "go/exe/image.h"

struct debug_place {
	const char *of;   /* the struct, such as "runtime.mspan"; NULL: `name` is a constant */
	const char *name; /* field name; NULL: look up the size of the struct */
	bool found;
	/* of the field; for a struct or constant `offset` is its size or value */
	uint64_t offset, size;
};

/* Fills the entries that it finds. Entries of one struct must be consecutive. Returns false if the
   file has no readable debug information about the package. */
bool debug_places_find(const struct image *image, const char *package, struct debug_place *places,
                       size_t count);
