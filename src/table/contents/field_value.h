/* The value of a field of an object, or of a part of one, as a cell. */
#pragma once

#include "table/contents/datum.h"
#include "table/table.h"

/* Evaluates an expression of table/contents/field_columns.h on a value. *value arrives as
   VALUE_NONE with a buffer, and stays so if `whole` lacks the field or it is nil. If the type of
   the object that contains it is a guess, the value is a text that begins with ~. False: the field
   does not exist; *err (may be NULL) says why. */
bool field_value_get(const struct analysis *analysis, const struct datum *whole,
                     const char *expression, struct value *value, struct err *err);
/* Like field_value_get for a value itself: a number, a text, else all of it as text. */
void field_value_of(const struct analysis *analysis, const struct datum *datum,
                    struct value *value);

/* Stores the place of a field ".Name". False: the value has none. */
bool field_value_find(const struct analysis *analysis, const struct datum *whole,
                      const char *expression, struct datum *place);
/* Returns true if a field ".Name" is a number, a string, a time, or another value without parts,
   and no pointer and
   no lock. */
bool field_value_is_plain(const struct analysis *analysis, const struct datum *whole,
                          const char *expression);
