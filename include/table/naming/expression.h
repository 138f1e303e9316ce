/* Expressions that lead from a value to a value that it references, in the syntax of a program.
   Printed paths (table/naming/step.h) use the same syntax:

     .Name          a field; pointers, interfaces ... are followed implicitly, as in Go
     [3]            an element of a slice, an array, a channel's buffer
     ["key"]        the value of a map's entry;  ` key ["key"]` its key
     (+0x18)        a word of an object whose fields are unknown
     (+0x18 main.T) the value of that type at that offset
     .Next x298     the same step 298 times
     … 0xc000012340 the object at that address, whatever precedes it

   The text is untrusted: each step reads only bytes that exist, a step through a map costs time in
   proportion to its entries, and no more objects are followed than the heap has. */
#pragma once

#include "table/contents/datum.h"

struct expression {
	const char *start;  /* of the text, for messages */
	struct datum place; /* the value after the steps so far */
	bool whole;         /* it is an object itself, not a value that points to one */
};

/* Applies the steps at *text to *e, and advances *text to their end. False: *err says which step
   failed, and what exists in its place. */
bool expression_read(const struct analysis *analysis, struct expression *e, const char **text,
                     struct err *err);
/* Returns true if a step begins at `text`. */
bool expression_goes_on(const char *text);
/* Stores the object that the value is, else the one that it points to, else the one that contains
   it. *id is OBJECT_NONE for memory outside of the heap, which e->place then describes. False: the
   value is nil, or points outside of the dump. */
bool expression_object(const struct analysis *analysis, struct expression *e, const char *end,
                       uint32_t *id, struct err *err);

/* Visits the steps that are possible from a value: ".Name", `["key"]`; only some if there are
   many. */
void expression_each(const struct analysis *analysis, const struct datum *place,
                     void (*visit)(void *self, const char *step), void *self);
