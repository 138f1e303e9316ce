/* The types of an executable for a test, with or without its DWARF. */
#pragma once

#include "base/input.h"
#include "go/exe/exe.h"
#include "go/exe/gotypes.h"

struct types_of {
	struct input input;
	uint8_t *data; /* a copy of the file */
	struct image *image;
	struct pclntab pclntab;
	struct gotypes *types;
};

/* Opens a copy of a file; stripped: without its DWARF and symbols. */
void types_of_open(struct types_of *of, const char *path, bool stripped);
void types_of_close(struct types_of *of);

/* Returns a global variable by name; fails if there is none. */
const struct exe_global *types_of_global(struct gotypes *types, const char *name);

/* Fails unless a type is displayed as the second of two names. */
void assert_displayed(struct gotypes *types, const char *const names[][2], size_t count);

/* Stores the path of a file NAME SUFFIX of the corpus of executables, which is in testdata, in one
   of its packs (see tests/packs.py) or, where it is too large for that, in ../shared/corpus.
   Returns whether there is one. */
bool corpus_path(char *path, size_t size, const char *name, const char *suffix);

/* Fails unless all global variables in the truth file (NAME.truth.json, NAME.truth.json.xz) have
   its type and size. Returns their number. */
unsigned assert_globals(struct gotypes *types, const char *truth);
/* Fails unless all types with a descriptor are equal in DWARF and in the table. Returns their
   number. */
unsigned assert_same_types(struct gotypes *dwarf, struct gotypes *table);
/* Fails unless the structs of the program "small" have the fields of its source. */
void assert_structs(struct gotypes *types, unsigned word);
