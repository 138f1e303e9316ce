/* What a program would write to get from a value to what hangs on it, and what is printed as a path
   (table/step.h):

     .Name          a field; pointers, interfaces ... are followed by themselves, as Go does
     [3]            an element of a slice, an array, a channel's buffer
     ["key"]        the value of a map's entry;  ` key ["key"]` its key
     (+0x18)        a word of an object whose fields are not known
     .Next x298     298 times the same
     … 0xc000012340 the object there, whatever stands before it

   Text is anybody's: steps are taken one by one from bytes that are there, a step of a map takes as
   long as the map has entries, and no more objects are followed than there are. */
#ifndef TABLE_EXPRESSION_H
#define TABLE_EXPRESSION_H

#include "table/datum.h"

struct expression {
	const char *start;  /* of the text, for messages */
	struct datum place; /* the value so far */
	bool whole;         /* it is an object itself, and no place that leads to one */
};

/* Takes the steps that stand at *text, to where they end. `e` says where they begin. False: *err
   says which step failed, and what is there instead. */
bool expression_read(const struct analysis *analysis, struct expression *e, const char **text,
                     struct err *err);
/* Does a step begin here? */
bool expression_goes_on(const char *text);
/* The object that the value is, or leads to, or lies in, the first that holds. *id is OBJECT_NONE
   where it is memory outside of the heap: e->place is that then. False: it is nil, or leads out of
   the dump. */
bool expression_object(const struct analysis *analysis, struct expression *e, const char *end,
                       uint32_t *id, struct err *err);

/* The steps that are possible from a value: ".Name", `["key"]`; of many, some. */
void expression_each(const struct analysis *analysis, const struct datum *place,
                     void (*visit)(void *self, const char *step), void *self);

#endif
