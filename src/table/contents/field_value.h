/* The value of an object's field, as a cell. */
#ifndef TABLE_FIELD_VALUE_H
#define TABLE_FIELD_VALUE_H

#include "table/table.h"

/* Evaluates an expression of table/contents/field_columns.h. *value arrives as VALUE_NONE with a
   buffer, and stays so if the object lacks the field or it is nil. If the type of the object is a
   guess, the value is a text that begins with ~. False: the field does not exist; *err (may be
   NULL) says why. */
bool field_value_get(const struct analysis *analysis, uint32_t object, const char *expression,
                     struct value *value, struct err *err);

/* Returns true if a field ".Name" is a number, a string, a time, or another value without parts,
   and no pointer. */
bool field_value_is_plain(const struct analysis *analysis, uint32_t object, const char *expression);

#endif
