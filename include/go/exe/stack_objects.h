/* Variables on the stack whose address is taken, "stack objects" of Go 1.12 and later
   (runtime/stack.go: stackObjectRecord). Stack maps do not list their pointers: the collector looks
   at such a variable where a pointer leads to it. */
#pragma once

#include "go/exe/pclntab.h"

enum { STACK_OBJECTS_SINCE = 12 }; /* minor version of Go */

struct stack_variable {
	/* Offset in bytes: a negative one from where the variables of the frame end, else from where
	   its arguments begin. */
	int64_t offset;
	uint64_t size;  /* bytes */
	uint32_t words; /* words from the start on that may be pointers; they lie within `size` */
	/* One bit per word, borrowed from the image; NULL: each of them may be a pointer. */
	const uint8_t *mask;
};

/* Iterator over the stack objects of a function. */
struct stack_variables {
	const struct pclntab *table;
	uint64_t at;    /* address of the next record */
	uint64_t count; /* remaining ones, as the executable declares them: not checked */
	unsigned minor, row;
};
/* `minor`: version of Go, 24 for Go 1.24. Returns false if what the function has is not known. */
bool stack_variables_open(struct stack_variables *variables, const struct pclntab *table,
                          size_t function, unsigned minor);
/* Steps to the next one. Returns false if its record is not in the file or invalid. Call it `count`
   times. */
bool stack_variables_next(struct stack_variables *variables, struct stack_variable *variable);
