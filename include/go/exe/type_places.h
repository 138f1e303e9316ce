/* Where a file with types lies in a process, told by a few of its types. */
#pragma once

#include "go/exe/exe.h"

struct type_place {
	uint64_t address, size;
	struct text name; /* as in a heap dump: full path of the package; a pointer may end with "." */
};

struct type_places;
/* Finds the types of an executable or library of a version of Go, such as "go1.24.4", which the
   file itself need not say; borrows it. */
struct type_places *type_places_new(const struct exe *exe, const char *version);
void type_places_free(struct type_places *places);
/* Calls `use` with the shifts by whole pages (address in the process minus link-time address) with
   which a type of that name and size is at the place. */
void type_places_shifts(const struct type_places *places, const struct type_place *place,
                        void (*use)(void *self, uint64_t shift), void *self);
/* Compares one with what is there at that shift. */
enum type_place_fit { TYPE_PLACE_OUTSIDE, TYPE_PLACE_RIGHT, TYPE_PLACE_WRONG };
enum type_place_fit type_places_check(const struct type_places *places,
                                      const struct type_place *place, uint64_t shift);
