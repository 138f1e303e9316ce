/* The types of an executable for a test, with or without its DWARF. */
#ifndef TESTS_TYPES_OF_H
#define TESTS_TYPES_OF_H

#include "base/input.h"
#include "exe/exe.h"
#include "exe/gotypes.h"

struct types_of {
	struct input input;
	uint8_t *data; /* a copy of the file */
	struct image *image;
	struct pclntab pclntab;
	struct gotypes *types;
};

/* stripped: DWARF and symbols are hidden first. */
void types_of_open(struct types_of *of, const char *path, bool stripped);
void types_of_close(struct types_of *of);

/* A global by its name; fails where there is none. */
const struct exe_global *types_of_global(struct gotypes *types, const char *name);

/* Fails unless a type is displayed as the second of two names. */
void assert_displayed(struct gotypes *types, const char *const names[][2], size_t count);

/* The path of a file of the corpus of executables, NAME and SUFFIX; without the corpus the test is
   skipped. */
void corpus_path(char *path, size_t size, const char *name, const char *suffix);

/* Fails unless all globals in the truth file (NAME.truth.json, NAME.truth.json.xz) have the type
   and the size that it says. Returns how many there are. */
unsigned assert_globals(struct gotypes *types, const char *truth);
/* Fails unless all types with a descriptor are the same to DWARF and to the table. Returns how
 * many. */
unsigned assert_same_types(struct gotypes *dwarf, struct gotypes *table);
/* Fails unless the structs of the program "small" have the fields that its source says. */
void assert_structs(struct gotypes *types, unsigned word);

#endif
