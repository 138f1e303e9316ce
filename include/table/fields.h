/* The table of fields, for those who show a part of it. */
#ifndef TABLE_FIELDS_H
#define TABLE_FIELDS_H

#include "table/contents.h"
#include "table/table.h"

/* What its rows are of. */
const struct contents *fields_contents(const struct rows *rows);

#endif
