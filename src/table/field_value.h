/* What a field of an object has, as a cell. */
#ifndef TABLE_FIELD_VALUE_H
#define TABLE_FIELD_VALUE_H

#include "table/table.h"

/* By an expression of table/field_columns.h. *value comes as VALUE_NONE with a buffer, and stays so
   where the object has no such field or that is nil. Of objects whose type is a guess it is a text
   that begins with ~. False: it is not there; *err (may be NULL) says why. */
bool field_value_get(const struct analysis *analysis, uint32_t object, const char *expression,
                     struct value *value, struct err *err);

#endif
