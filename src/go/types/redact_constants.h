/* Constants of the program, private to src/go/types: which of them a pointer leads to may tell a
   value, as the runtime has a table of small numbers, and texts that are chosen by a secret are
   constants. In a redacted file all such pointers are one and the same. */
#pragma once

#include "redact_known.h"

struct goruntime;

struct redact_constants {
	const struct redact_source *source;
	const struct goruntime *runtime; /* NULL: types are not known */
	struct redact_ranges constant;   /* read-only memory of the program */
	struct redact_ranges value;      /* memory of nothing but values: the runtime's tables */
	struct redact_ranges program;    /* all memory that comes from files */
	uint64_t common; /* an address with zeros behind it, for all pointers; 0: there is none */
};

/* `runtime` NULL: types are not known. */
void redact_constants_init(struct redact_constants *constants, const struct redact_source *source,
                           const struct goruntime *runtime);
void redact_constants_fini(struct redact_constants *constants);
/* Returns true for the address of a constant that is neither a type, an interface table nor a
   function. */
bool redact_constants_has(const struct redact_constants *constants, uint64_t address);
/* Returns true for an address in memory that comes from files, variables included: what the bytes
   of a text, or a value in an interface, are only if they are constant. */
bool redact_constants_in_program(const struct redact_constants *constants, uint64_t address);
/* Returns true if a word says that the pointer behind it leads to a value: it is the first of an
   interface whose value is no pointer itself. */
bool redact_constants_boxes(const struct redact_constants *constants, uint64_t word);
