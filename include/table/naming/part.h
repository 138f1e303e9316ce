/* Values that are parts of an object: a field, an element, the key or value of a map's entry. */
#pragma once

#include "table/naming/operand.h"

/* Returns true if a value of known type lies in an object, and is not all of it. */
bool part_is(const struct govalue *in, const struct datum *value);
/* Stores the value at which an expression ends if it is a part of an object and references no other
   one, so that it stands for itself. False: it is none. */
bool part_of_operand(const struct analysis *analysis, const struct operand *operand,
                     struct datum *part);

/* Stores the value outside of the heap that an operand stands for: a variable or a part of it, the
   static value that it points to, or what begins at an address. False: the operand stands for an
   object, or the type or the bytes of the value are not known. */
bool part_outside(const struct analysis *analysis, const struct operand *operand,
                  struct datum *value);

/* Appends the path to a value: "main.db.byID[1234]"; that of its map if it has no bytes; nothing
   for one outside of the heap without a name. After STAGE_REACHED. */
void part_add_path(const struct analysis *analysis, const struct datum *part, struct buf *out);
/* Appends an argument that leads to a value (table/naming/operand.h), whatever holds its object:
   "0xc000012340(+0x18 main.Item)", or the address of an object if the value is all of it. */
void part_add_argument(const struct analysis *analysis, const struct datum *part, struct buf *out);

/* Appends the command that opens an operand: "fields main.x" for a value outside of the heap,
   "object main.x" for what it points to, "roots main.x" if its type or bytes are not known; nothing
   for an empty text. */
void part_add_page(const struct analysis *analysis, const char *text, struct buf *command);
