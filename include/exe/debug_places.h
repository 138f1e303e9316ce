/* Where a few fields of structs are, as debug information says: quicker than all types
   (exe/gotypes.h), as only the package's own part is read. */
#ifndef EXE_DEBUG_PLACES_H
#define EXE_DEBUG_PLACES_H

#include "exe/image.h"

struct debug_place {
	const char *of;   /* the struct: "runtime.mspan"; NULL: the next is a constant's name */
	const char *name; /* of the field; NULL: asked is the struct's size */
	bool found;
	uint64_t offset, size; /* of the field; of a struct or constant `offset` is its size or value */
};

/* Fills those that it finds; those of one struct stand one after the other. False: the file has no
   debug information of the package that can be read. */
bool debug_places_find(const struct image *image, const char *package, struct debug_place *places,
                       size_t count);

#endif
